import type { RunbookEntry } from './entry'

/** Findings about migrations and the servers that run them. */
export const migrationEntries = {
  'ended-migration-has-claim': {
    means: 'A migration has ended and still has a claim.',
    comes: ['A restore or SQL wrote the claim after the migration had ended.'],
    risk: 'Capacity is wasted on the side that the instance left.',
    berth:
      'Releases the claims of a migration in the transaction that ends it. A later claim is an error, never a delay.',
    you: ['Check the timeline of the migration for what it released.', 'Review the repair and apply it.'],
    verified: 'The migration has no claim, and its instance has one.',
  },
  'migration-claim-wrong': {
    means: 'An active migration has a claim on a side where it should not, or lacks one where it should.',
    comes: ['Rows were deleted during the migration, for example by a tool that mistook a live claim for a leftover.'],
    risk: 'Other instances may claim the CPUs, memory and devices that this instance needs on the target or for a rollback.',
    berth: 'Keeps the claims on both sides until the migration ends. Repairs of other instances do not touch them.',
    you: [
      'Open the migration and compare both sides with its step.',
      'Repair the claim, or abort the migration while that is possible.',
    ],
    verified: 'Both sides have the claims that the step requires.',
  },
  'migration-contradicted': {
    means: 'The record of a migration contradicts its instance, its claims or the hypervisors.',
    comes: ['The record was written or restored outside Berth.', 'Its instance was deleted outside Berth.'],
    risk: 'None while it is blocked: Berth sends nothing to any host and releases nothing.',
    berth:
      'Verifies before each driver operation where the instance is and who owns each claim. A migration that fails this check is blocked and checked again every minute.',
    you: [
      'Open the migration: the note names the records that contradict it.',
      'Review the repair. It corrects the claims, or ends the migration in the records without touching any host.',
      'If the records are already correct, retry the migration.',
    ],
    verified: 'The migration continues or has ended, and the next audit reports nothing.',
  },
  'two-active-migrations': {
    means: 'One instance has two active migrations.',
    comes: ['The record of a migration was restored or written outside Berth.'],
    risk: 'Both would decide where the instance runs.',
    berth: 'Never starts a second migration of an instance. It ends neither of these on its own.',
    you: ['Check which of them the hypervisors confirm.', 'Abort the other one; its claims are released when it ends.'],
    verified: 'At most one migration is active.',
  },
  'lease-wrong': {
    means: 'It is unclear which server runs a migration.',
    comes: ['A server was killed and its lease has not expired.', 'Two servers were started with the same name.'],
    risk: 'None for the records: a server that lost its lease cannot write. The migration may pause for some seconds.',
    berth: 'Lets the lease expire; another server then continues the migration.',
    you: ['Audit again in a minute.', 'If it persists, make sure that server names are unique on this database.'],
    verified: 'The fencing token of the migration matches its lease.',
  },
  'migration-stuck': {
    means: 'A migration has been in one step for longer than that step ever takes, and no record blocks it.',
    comes: [
      'A hypervisor does not answer, so the result of the last operation is unknown.',
      'The guest dirties memory faster than the link copies it.',
      'It is waiting for confirm or revert.',
    ],
    risk: 'Capacity stays claimed on both sides. The instance is where the timeline shows it.',
    berth: 'Continues as soon as the host answers or is marked as down, fenced or lost. It never guesses.',
    you: [
      'Open the tab “Adviser” of the migration: it shows which action is safe, and why.',
      'If a host is dead, mark it as fenced or permanently lost. If it is only unreachable, wait or have it fenced.',
      'Take the safe action. If there are other findings about it, repair those first.',
    ],
    verified: 'The migration has ended and has no claims.',
  },
  'leftover-wrong': {
    means:
      'A host lists a leftover to clean up that the records contradict: its instance lives there, or its migration left nothing there.',
    comes: ['The list, or the record of the instance, was changed outside Berth.'],
    risk: 'None while it is listed: Berth cleans up nothing that it cannot prove. Cleaning up by hand could destroy the only copy.',
    berth: 'Ignores the entry. If the host is quarantined, it accepts no claims. The repair removes the entry.',
    you: ['Find out where the instance runs.', 'Apply the repair: it removes the entry only.'],
    verified: 'The host page lists no leftovers of this instance.',
  },
  'group-broken': {
    means: 'Members of an anti-affinity group share a host.',
    comes: [
      'The group was created, or its policy changed, after the instances were placed.',
      'An evacuation had no other host.',
    ],
    risk: 'The failure of one host takes all of them down.',
    berth: 'Allows no further member on the host. It migrates none on its own.',
    you: ['Migrate one of the members; Explain shows where it fits.'],
    verified: 'No host has more members than the policy allows.',
  },
} as const satisfies Readonly<Record<string, RunbookEntry>>
