import type { RunbookEntry } from './entry'

/** Findings in which a hypervisor is the witness. */
export const guestEntries = {
  'guest-runs-twice': {
    means: 'Two hypervisors show the same guest running.',
    comes: [
      'A host that was taken for dead came back with its guests.',
      'Somebody started the guest by hand on its old host.',
    ],
    risk: 'Two copies write to the same disk. This destroys data within seconds.',
    berth: 'Starts nothing and moves nothing of this guest. No row can stop a guest, so there is no heal.',
    you: [
      'Act at once: find out which copy users reach, and when each was started.',
      'Stop the other copy on its host, or have that host fenced.',
      'Check the disk from inside the guest, then audit again.',
    ],
    verified: 'Two surveys show it on one host only.',
  },
  'guest-runs-elsewhere': {
    means: 'A guest runs on another host than the records say.',
    comes: [
      'A live move handed the guest over, and the end of the move was lost.',
      'Somebody moved it with the hypervisor’s own tools.',
    ],
    risk: 'Its room on the host it runs on may be given away; a restart could make a second copy.',
    berth:
      'Waits for two looks that agree. While a move is open, the move decides; then the heal sets record and claim to where it runs.',
    you: [
      'Open the move, if there is one, and read its adviser.',
      'Plan the heal: claim there, record there, room here given back.',
    ],
    verified: 'Records, allocations and hypervisor name the same host.',
  },
  'guest-unknown': {
    means: 'A hypervisor shows a guest that no record knows.',
    comes: ['It was built with the hypervisor’s own tools.', 'It was deleted here while its host was silent.'],
    risk: 'It uses room that the records say is free.',
    berth: 'Never touches a guest it does not know.',
    you: ['Find its owner by its name on the host.', 'Adopt it by import, or remove it there.'],
    verified: 'The next survey shows only known guests.',
  },
  'guest-nowhere': {
    means: 'Every host that could have the guest answered, and none has it.',
    comes: ['It was destroyed with the hypervisor’s own tools.', 'Its host lost its disk.'],
    risk: 'The service it gave is down. Its room is held for nothing, until it is back.',
    berth: 'Keeps its claim, so that it can come back to its places. Silence of a host is never taken for absence.',
    you: ['Ask its owner whether it was meant.', 'Start it again on its host, rebuild it, or delete the instance.'],
    verified: 'A survey shows it, or the instance is deleted.',
  },
  'quarantined-host-runs': {
    means: 'A host came back from the dead and runs a guest that meanwhile lives elsewhere.',
    comes: ['The host was fenced or cut off, its guests were evacuated, and then it returned.'],
    risk: 'Two copies on one disk, if storage is shared.',
    berth:
      'Keeps the host in quarantine: it takes nothing until every stale guest is removed, and removal starts by itself when it is safe.',
    you: [
      'See the list of stale guests on the evacuation page.',
      'If a guest does not go, stop it on its host, or have the host fenced.',
    ],
    verified: 'The list is empty and the host leaves quarantine.',
  },
  'device-gone': {
    means: 'A device that a guest holds has gone from its host.',
    comes: [
      'The card failed or was pulled.',
      'The number of virtual functions was lowered.',
      'A vGPU type was switched off.',
    ],
    risk: 'The guest has lost the device already and will not start with it again.',
    berth: 'Says so at the first survey without the device, and gives it to nobody. It cannot bring it back.',
    you: [
      'Look at the place on the map: who holds it, since when.',
      'Put the device back, or move the guest, so that it gets another.',
    ],
    verified: 'The guest holds a device its host shows.',
  },
  'device-unrecorded': {
    means: 'A guest has a device of its host, and no record of the host knows that device.',
    comes: ['The row of the device was deleted past Berth.', 'The device was attached past Berth.'],
    risk: 'The guest keeps the device, but its next migration does not bring one along.',
    berth: 'Records the device again, with its holder, when both surveys show it and its siblings say what it is.',
    you: [
      'Review the repair and apply it.',
      'If there is none, restore the row from a backup, or migrate the instance so that it gets another device.',
    ],
    verified: 'The claim of the instance names the device, and the host lists it.',
  },
  'device-off-node': {
    means: 'A device that was asked for with NUMA policy preferred is on another NUMA node than its guest.',
    comes: ['When the claim was taken, no such device was free on the NUMA nodes of the guest.'],
    risk: 'None for the records. Every access of the guest to the device crosses between NUMA nodes, which is slower.',
    berth: 'Said so as a warning before the claim was taken. It does not migrate the instance by itself.',
    you: [
      'Migrate the instance to a host that has such a device free near its CPUs; explain shows which hosts warn.',
      'Set the NUMA policy of the alias to required where this must not happen.',
    ],
    verified: 'The device is on a NUMA node of its guest.',
  },
  'device-still-attached': {
    means: 'The host still has a device attached to a guest that does not hold it.',
    comes: [
      'A guest was removed and its device was not reset.',
      'A leftover of a guest was not cleaned.',
      'Somebody attached it by hand.',
    ],
    risk: 'The records give the device to the next guest, and the host refuses it or two guests reach one device.',
    berth: 'Waits for two looks. It changes no row, because none is wrong.',
    you: [
      'Look at the place on the map: who held it, until when.',
      'Remove what is left of that guest on the host, or detach and reset the device there.',
      'Audit again.',
    ],
    verified: 'The host shows the device attached to its holder, or to nobody.',
  },
  'device-state-wrong': {
    means: 'Host and records disagree whether a device is there.',
    comes: ['The device list of the host was changed since the last full read.', 'A device came back after a repair.'],
    risk: 'A good device is not used, or a claim may fail on a missing one.',
    berth: 'Waits for two looks. The heal sets the state of the device as the host shows it.',
    you: ['Check on the host that the device is really there, or really gone.', 'Apply the heal.'],
    verified: 'The map shows the device as the host does.',
  },
} as const satisfies Readonly<Record<string, RunbookEntry>>
