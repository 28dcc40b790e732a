import type { RunbookEntry } from './entry'

/** Findings about moves and who drives them. */
export const moveEntries = {
  'ended-move-holds': {
    means: 'A move has ended and still holds a claim.',
    comes: ['The claim was written back after the end, by a restore or by SQL.'],
    risk: 'Room is lost on the side the move has left.',
    berth:
      'Gives back what a move holds in the same transaction that ends it; a claim after that is an error, never a delay.',
    you: ['Look at the move’s timeline: it says what was given back.', 'Plan the heal and apply it.'],
    verified: 'The move holds nothing, and its instance holds one claim.',
  },
  'move-holds-wrong': {
    means: 'A move under way holds a claim on a side where it should not, or lacks one where it should.',
    comes: [
      'Rows were deleted while it was under way, for instance by a repair tool that took a live claim for a leftover.',
    ],
    risk: 'The place the guest is going to, or may have to return to, can be given to somebody else.',
    berth:
      'Holds both sides until the move ends. Heals of other guests do not touch it; this one is healed as the subject.',
    you: ['Open the move and compare both sides with its steps.', 'Heal the claim, or abort the move if it still may.'],
    verified: 'Both sides hold what the step says.',
  },
  'migration-contradicted': {
    means: 'A migration’s own row says what its instance, its claims or the hypervisors contradict.',
    comes: ['The row was written or restored past Berth.', 'Its instance was deleted past Berth.'],
    risk: 'None while it is parked: Berth asks no host for anything and releases nothing.',
    berth:
      'Proves before each driver operation who lives where and whose claim it is. What cannot be proved parks the migration; it is checked again every minute.',
    you: [
      'Open the migration: the note says which records contradict it.',
      'Review the repair. It puts claims right, or it ends the migration in the records without touching any host.',
      'If the records are right again, choose Retry on the migration.',
    ],
    verified: 'The migration goes on, or has ended, and the next audit finds nothing.',
  },
  'two-active-moves': {
    means: 'One instance has two moves that have not ended.',
    comes: ['A record of a move was restored or written past Berth.'],
    risk: 'Both would decide where the guest lives.',
    berth: 'Starts no second move of an instance. It ends neither of these by itself.',
    you: ['See which of them the hypervisors confirm.', 'Abort the other; what it holds is given back as it ends.'],
    verified: 'One move is active, or none.',
  },
  'lease-wrong': {
    means: 'It is unclear which server drives a move.',
    comes: ['A server was stopped hard and its lease has not run out.', 'Two servers started with one name.'],
    risk: 'None for the records: a driver that lost its lease cannot write. The move may wait some seconds.',
    berth: 'Leases run out by themselves; another driver then takes the move up where it stands.',
    you: ['Audit again in a minute.', 'If it stays, see that one server only runs on this database.'],
    verified: 'The move’s fence fits its lease.',
  },
  'move-stuck': {
    means: 'A move has not got on for longer than this step ever takes, and no record holds it up.',
    comes: [
      'A hypervisor is silent, so nobody can tell whether the last act happened.',
      'The guest writes memory faster than it can be copied.',
      'It waits for a person to confirm or revert.',
    ],
    risk: 'Room stays held on both sides. The guest itself is where its timeline says.',
    berth: 'Goes on by itself as soon as the host answers, or its fate is stated. It never guesses.',
    you: [
      'Open the adviser on the move: it says which action is safe, and by what proof.',
      'If a host is dead, state that truth about it. If it is only silent, wait or have it fenced.',
      'Do what is safe. If records disagree as well, heal those findings first.',
    ],
    verified: 'The move has ended, and holds nothing more.',
  },
  'leftover-remain': {
    means:
      'A host lists for clean-up what the records contradict: an instance that lives there, or a migration that left nothing there.',
    comes: ['The list, or the record of the instance, was changed past Berth.'],
    risk: 'None while it is listed: Berth cleans nothing that it cannot prove. Cleaning it by hand could destroy the only copy.',
    berth:
      'Leaves the entry alone and takes no new claims on the host if it is quarantined. The repair strikes the entry off.',
    you: ['Make sure where the instance runs.', 'Apply the repair: only the entry goes.'],
    verified: 'The host page lists no leftovers of this instance.',
  },
  'group-broken': {
    means: 'Members of an anti-affinity group share a host.',
    comes: [
      'The group was made, or its rule changed, after the guests were placed.',
      'An evacuation had no other host.',
    ],
    risk: 'One host’s death takes them all.',
    berth: 'Lets no further member onto the host. It moves none by itself.',
    you: ['Move one of the members; explain says where it fits.'],
    verified: 'No host has more members than the rule allows.',
  },
} as const satisfies Readonly<Record<string, RunbookEntry>>
