import type { RunbookEntry } from './entry'

/** Findings about power: the recorded state against the state that the hypervisor reports. */
export const powerEntries = {
  'instance-shut-down': {
    means: 'The instance is recorded as active, but the hypervisor reports it shut down.',
    comes: [
      'Its host lost power or was rebooted.',
      'Somebody shut it down from inside, or with the hypervisor’s own tools.',
      'The hypervisor could not keep it running because of memory, disk or a device.',
    ],
    risk: 'Its service is down, and live migration fails.',
    berth:
      'Refuses live migration and keeps the claim. Starts it automatically only on a host that is set to do so after a power cycle.',
    you: [
      'If many instances of one host are off, open the host: “Start instances that ran here before” starts them all.',
      'Otherwise start the instance, or stop it so that the record matches.',
    ],
    verified: 'The next survey reports it running, or its record says stopped.',
  },
  'instance-crashed': {
    means: 'The instance is recorded as active, but the hypervisor reports that it crashed.',
    comes: ['The guest kernel panicked.', 'QEMU was killed, usually by the OOM killer.'],
    risk: 'Its service is down. An instance that is restarted without a diagnosis may crash again.',
    berth: 'Keeps the claim and starts nothing on its own.',
    you: ['Read the hypervisor’s log for the domain on its host.', 'Start the instance.'],
    verified: 'The next survey reports it running.',
  },
  'instance-paused': {
    means: 'The instance is recorded as active, but the hypervisor reports it paused.',
    comes: [
      'Somebody paused it with the hypervisor’s own tools.',
      'The hypervisor paused it because its disk failed or is full.',
    ],
    risk: 'Its service is frozen, and clients time out.',
    berth: 'Refuses live migration. It does nothing else on its own.',
    you: ['If the reason is an I/O error, fix the storage first.', 'Resume the instance.'],
    verified: 'The next survey reports it running.',
  },
  'instance-runs-while-paused': {
    means: 'The instance is recorded as paused, but the hypervisor reports it running.',
    comes: [
      'Somebody resumed it with the hypervisor’s own tools.',
      'Its evacuation was rolled back because its host returned, and it was started there.',
    ],
    risk: 'Whoever paused it assumes that it is not running.',
    berth: 'Keeps the claim. It does nothing else on its own.',
    you: [
      'Ask its owner.',
      'Resume the instance so that the record matches; then pause it again if it has to stay paused.',
    ],
    verified: 'The next survey and the record agree.',
  },
  'instance-runs-while-stopped': {
    means: 'The instance is recorded as stopped, but the hypervisor reports it running.',
    comes: ['Somebody started it with the hypervisor’s own tools.', 'The host starts its domains at boot.'],
    risk: 'Whoever stopped it assumes that it is off; a cold migration would copy a disk that is in use.',
    berth: 'Keeps the claim, so its CPUs and memory are not given away.',
    you: ['Ask its owner.', 'Start the instance so that the record matches, or stop it.'],
    verified: 'The next survey and the record agree.',
  },
  'instance-runs-while-shelved': {
    means: 'The instance is recorded as shelved, without any claim, but a hypervisor reports it running.',
    comes: ['It was shelved while its host did not answer.', 'Somebody started it with the hypervisor’s own tools.'],
    risk: 'It uses CPUs, memory and devices that Berth gives to other instances, and writes to a disk that was stored.',
    berth: 'Waits until two surveys agree. It touches nothing that it did not place.',
    you: [
      'Find out who uses it.',
      'Remove it from its host: its image is stored, and unshelving the instance brings it back.',
    ],
    verified: 'Two surveys report it on no host.',
  },
  'domain-leftover': {
    means: 'A host keeps a shut-down copy of an instance that lives elsewhere, or nowhere.',
    comes: [
      'A migration was ended by hand before it had cleaned up.',
      'It was migrated with the hypervisor’s own tools, and the old definition stayed.',
    ],
    risk: 'Somebody may start the old copy: on shared storage, two copies write to one disk. Its files use disk space.',
    berth: 'Waits until two surveys agree. It removes only leftovers that it recorded itself.',
    you: ['Check that the instance runs on its own host.', 'Remove the leftover from this host.'],
    verified: 'The next survey does not report it there.',
  },
} as const satisfies Readonly<Record<string, RunbookEntry>>
