import type { RunbookEntry } from './entry'

/** Findings that rest on hypervisor reports. */
export const domainEntries = {
  'instance-runs-twice': {
    means: 'Two hypervisors report the same instance as running.',
    comes: [
      'A host that was considered dead came back with its domains.',
      'Somebody started the domain on its old host.',
    ],
    risk: 'Two copies write to the same disk. This destroys data within seconds.',
    berth:
      'Starts and migrates nothing of this instance. Changing records cannot stop a domain, so there is no repair.',
    you: [
      'Act at once: find out which copy users reach, and when each was started.',
      'Stop the other copy on its host, or have that host fenced.',
      'Check the disk from inside the instance, then audit again.',
    ],
    verified: 'Two surveys report it on one host only.',
  },
  'instance-runs-elsewhere': {
    means: 'An instance runs on another host than the records say.',
    comes: [
      'The end of a live migration was lost after the switch.',
      'Somebody migrated it with the hypervisor’s own tools.',
    ],
    risk: 'Its CPUs and memory may be given away; restarting it could start a second copy.',
    berth:
      'Waits until two surveys agree. An active migration decides on its own; otherwise, the repair changes record and claim to where it runs.',
    you: [
      'Open the migration, if there is one, and its tab “Adviser”.',
      'Review the repair: it claims there, updates the record, and releases the claim here.',
    ],
    verified: 'Records, allocations and hypervisor name the same host.',
  },
  'domain-unknown': {
    means: 'A hypervisor reports a domain that matches no instance.',
    comes: [
      'It was created with the hypervisor’s own tools.',
      'Its instance was deleted here while the host did not answer.',
    ],
    risk: 'It uses CPUs and memory that the records count as free.',
    berth: 'Never touches an unknown domain.',
    you: ['Find its owner by its name on the host.', 'Adopt it, or remove it from the host.'],
    verified: 'The next survey reports known domains only.',
  },
  'instance-nowhere': {
    means: 'Every host that could have the instance answered, and none reports its domain.',
    comes: [
      'Its domain was destroyed with the hypervisor’s own tools.',
      'Its host lost its disk.',
      'Another tool redefined its domain without Berth’s tag, and it is shut off.',
    ],
    risk: 'Its service is down, and its claim keeps capacity unused.',
    berth:
      'Keeps its claim, so that it can start again on the same host. An unreachable host never counts as proof of absence.',
    you: [
      'Look on its host for a domain with the id of the instance. If there is one, set Berth’s tag again, as for a domain without the tag.',
      'Ask its owner whether this was intended.',
      'Start it again on its host, rebuild it, or delete the instance.',
    ],
    verified: 'A survey reports it, or the instance is deleted.',
  },
  'domain-untagged': {
    means: 'A domain with the id of an instance runs, but its definition no longer has Berth’s tag.',
    comes: ['Another tool or `virsh edit` redefined it without the metadata.'],
    risk: 'Berth cannot migrate, stop or delete the instance. A migration under way waits for its host.',
    berth:
      'Starts no second copy, because the domain may be the instance itself. It never changes a domain without the tag.',
    you: [
      'Check on the host that the domain is the instance: `virsh dumpxml ID`, where ID is the id of the instance.',
      "Set the tag again: `virsh metadata ID --uri urn:berth:instance:1 --key berth --set \"<instance id='ID' role='instance'/>\" --config`.",
      'Start the instance nowhere else until a survey reports it again.',
    ],
    verified: 'The next survey reports the domain with the tag.',
  },
  'quarantined-host-runs': {
    means: 'A failed host came back and runs an instance that now belongs on another host.',
    comes: ['The host was fenced or cut off, its instances were evacuated, and then it returned.'],
    risk: 'Two copies write to one disk if storage is shared.',
    berth:
      'Keeps the host in quarantine: it accepts no claims until every stale domain is removed. Removal starts as soon as it is safe.',
    you: [
      'Check the list of stale domains on the evacuation page.',
      'If a domain is not removed, stop it on the host, or have the host fenced.',
    ],
    verified: 'The list is empty and the host has left quarantine.',
  },
  'device-lost': {
    means: 'A device that is claimed for an instance has disappeared from its host.',
    comes: [
      'The card failed or was removed.',
      'The number of virtual functions was reduced.',
      'A vGPU type was disabled.',
    ],
    risk: 'The instance has lost the device and cannot start with it again.',
    berth:
      'Reports it at the first survey without the device, and gives it to no other instance. It cannot bring it back.',
    you: [
      'Check on the host map which instance has it, and since when.',
      'Put the device back, or migrate the instance so that it gets another one.',
    ],
    verified: 'The claim of the instance names a device that its host reports.',
  },
  'device-unrecorded': {
    means: 'A domain uses a device that is not in the inventory of its host.',
    comes: ['The row of the device was deleted outside Berth.', 'The device was attached outside Berth.'],
    risk: 'The instance keeps the device, but its next migration does not claim one.',
    berth: 'Records the device again, with its holder, when two surveys report it and its siblings show what it is.',
    you: [
      'Review the repair and apply it.',
      'If there is none, restore the row from a backup, or migrate the instance so that it gets another device.',
    ],
    verified: 'The claim of the instance names the device, and the host lists it.',
  },
  'device-off-node': {
    means: 'A device with NUMA policy `preferred` is on another NUMA node than its instance.',
    comes: ['No such device was free on the NUMA nodes of the instance at the time of the claim.'],
    risk: 'None for the records. Every access to the device crosses NUMA nodes, which is slower.',
    berth: 'Warned about it before the claim. It does not migrate the instance on its own.',
    you: [
      'Migrate the instance to a host with such a device free near its CPUs; Explain shows which hosts warn.',
      'Set the NUMA policy of the alias to `required` where this must not happen.',
    ],
    verified: 'The device is on a NUMA node of its instance.',
  },
  'device-still-attached': {
    means: 'A device is still attached to a domain that has no claim on it.',
    comes: [
      'A domain was removed and its device was not reset.',
      'The leftovers of an instance were not cleaned up.',
      'Somebody attached it by hand.',
    ],
    risk: 'The next instance that claims the device fails to start, or two domains access one device.',
    berth: 'Waits until two surveys agree. It changes no record, because none is wrong.',
    you: [
      'Check on the host map which instance had it, and until when.',
      'Remove the leftovers of that domain from the host, or detach and reset the device there.',
      'Audit again.',
    ],
    verified: 'The host reports the device as attached to its holder, or to nothing.',
  },
  'device-state-wrong': {
    means: 'Host and records disagree about whether a device exists.',
    comes: ['The device list of the host changed after the last full survey.', 'A device came back after a repair.'],
    risk: 'A working device stays unused, or a claim fails on a missing one.',
    berth: 'Waits until two surveys agree. The repair sets the state of the device to what the host reports.',
    you: ['Check on the host whether the device exists.', 'Apply the repair.'],
    verified: 'The map shows the device as the host reports it.',
  },
} as const satisfies Readonly<Record<string, RunbookEntry>>
