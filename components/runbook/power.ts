import type { RunbookEntry } from './entry'

/** Findings about power: what the hypervisor shows a guest in, against what the records say. */
export const powerEntries = {
  'guest-off': {
    means: 'The records say active, and the hypervisor shows the guest shut down.',
    comes: [
      'Its host lost power or was rebooted.',
      'Somebody shut it down from inside, or with the hypervisor’s own tools.',
      'The hypervisor could not keep it running: memory, disk, a device.',
    ],
    risk: 'The service it gave is down, and live migrations of it fail.',
    berth: 'Refuses live migrations of it and keeps its claim. Starts it by itself only where the host’s rule says so.',
    you: [
      'If many guests of one host are off, open the host: "Start instances that ran here before" starts them all.',
      'Else start the instance, or stop it, so that the record agrees.',
    ],
    verified: 'The next survey shows it running, or the record says stopped.',
  },
  'guest-crashed': {
    means: 'The records say active, and the hypervisor shows that the guest crashed.',
    comes: ['The kernel of the guest panicked.', 'QEMU was killed, mostly for memory.'],
    risk: 'The service it gave is down. A guest that is started again without a look may crash again.',
    berth: 'Keeps its claim and starts nothing by itself.',
    you: ['Read the hypervisor’s log of the guest on its host.', 'Start the instance.'],
    verified: 'The next survey shows it running.',
  },
  'guest-paused': {
    means: 'The records say active, and the hypervisor shows the guest paused.',
    comes: [
      'Somebody paused it with the hypervisor’s own tools.',
      'The hypervisor paused it because its disk failed or is full.',
    ],
    risk: 'The service it gave stands still; timeouts outside go on.',
    berth: 'Refuses live migrations of it. Nothing by itself.',
    you: ['If its reason is an I/O error, mend the storage first.', 'Resume the instance.'],
    verified: 'The next survey shows it running.',
  },
  'guest-runs-while-paused': {
    means: 'The records say paused, and the hypervisor shows the guest running.',
    comes: [
      'Somebody resumed it with the hypervisor’s own tools.',
      'An evacuation of it was turned back because its host returned, and it was started there.',
    ],
    risk: 'Whoever paused it believes that it stands still.',
    berth: 'Keeps its claim. Nothing by itself.',
    you: [
      'Ask its owner.',
      'Resume the instance, so that the record agrees; then pause it again if it has to stand still.',
    ],
    verified: 'The next survey and the record agree.',
  },
  'guest-runs-while-stopped': {
    means: 'The records say stopped, and the hypervisor shows the guest running.',
    comes: [
      'Somebody started it with the hypervisor’s own tools.',
      'The host starts its guests by itself when it boots.',
    ],
    risk: 'Whoever stopped it believes that it is off; a cold migration would copy a disk that is in use.',
    berth: 'Keeps its claim, so its CPUs and memory are its own.',
    you: ['Ask its owner.', 'Start the instance, so that the record agrees, or stop it.'],
    verified: 'The next survey and the record agree.',
  },
  'guest-runs-while-shelved': {
    means: 'The records say shelved, which holds nothing anywhere, and a hypervisor shows the guest running.',
    comes: ['It was shelved while its host did not answer.', 'Somebody started it with the hypervisor’s own tools.'],
    risk: 'It uses CPUs, memory and devices that Berth gives to others, and writes to a disk that was stored.',
    berth: 'Waits for two surveys that agree. It touches nothing that it did not place.',
    you: ['Find out who uses it.', 'Remove it from its host: its image is stored, and an unshelve brings it back.'],
    verified: 'Two surveys show it nowhere.',
  },
  'guest-leftover': {
    means: 'A host keeps a shut-down copy of a guest that lives elsewhere, or nowhere.',
    comes: [
      'A migration was ended by hand before it had cleaned up.',
      'It was moved with the hypervisor’s own tools, and the old definition stayed.',
    ],
    risk: 'Somebody may start the old copy: on shared storage two copies write to one disk. Its files take room.',
    berth: 'Waits for two surveys that agree. It removes only what it listed itself.',
    you: ['Check that the instance runs where it lives.', 'Remove the leftover from its host.'],
    verified: 'The next survey does not show it there.',
  },
} as const satisfies Readonly<Record<string, RunbookEntry>>
