import type { RawValue } from '../../words/unreadable'

// What a column that cannot be read is set to where nothing else is known. Only values that are right whatever stood
// there: what is derived from other rows is in `derive.ts`, and what nobody knows stays, with a sentence.

export type RecordRule =
  | { readonly set: RawValue; readonly why: string }
  | { readonly remove: true; readonly why: string }
  /** Nobody knows what stood there; what a person has to do. */
  | { readonly tell: string }

const SEALED = /^(auth_|_prisma|api_token|audit_entry)/

/** Tables that say who somebody is and who did what: no repair writes them. */
export const isSealed = (table: string): boolean => SEALED.test(table)

const remove = (why: string): RecordRule => ({ remove: true, why })
const set = (value: RawValue, why: string): RecordRule => ({ set: value, why })
const tell = (sentence: string): RecordRule => ({ tell: sentence })

const REWRITTEN = 'Nothing rests on this row: whoever needs it writes it anew.'
const UNWISHED = 'Nobody knows what was requested, so nothing is; it can be requested again.'
const UNKNOWN_TIME = 'Nobody knows when, so the time of the repair stands for it.'
const PAST =
  'A record of what was, and nothing is decided by it. Restore the row from a backup, or delete it with a database client.'
const HARDWARE =
  'Only the host itself knows this. Restore the row from a backup, or set the named column with a database client; until then nothing is claimed on the host.'

/** Rows that are made again by themselves, and rows of drafts. */
const TRANSIENT: Readonly<Record<string, RecordRule>> = {
  lease: remove(REWRITTEN),
  host_survey: remove('The next survey writes this row anew.'),
  guest_power: remove('The next survey writes this row anew.'),
  conductor_shift: remove('A server that lives writes this row anew.'),
  finding: remove('The next audit writes what it finds anew.'),
  heal_rule: remove('Without the row the rule is off, as at first.'),
  setting: remove('Without the row its default holds.'),
  saved_view: remove('A view that cannot be opened; save it again.'),
  layout_marker: remove('The next dry run works out anew how far the host is.'),
  standing_audit: remove('The next audit writes this row anew.'),
  host_remain: tell(
    'Look on the host whether something of the instance is left, then delete the row with a database client.',
  ),
}

const COLUMNS: Readonly<Record<string, RecordRule>> = {
  'host.truth': set('down', 'Nobody knows how the host is; as down it is not touched. Mark it as up if it is.'),
  'host.admission': set('disabled', 'Nobody knows whether it may take claims; disabled until somebody enables it.'),
  'host.memory': set('exact', 'The stricter of the two ways to account for memory.'),
  'host.name': tell('Only people know its name. Set the column with a database client.'),
  'instance.group_id': set(null, 'No server group of this id exists.'),
  'instance.power_request': set(null, UNWISHED),
  'migration.wish': set(null, UNWISHED),
  'migration.waiting': set(null, 'The conductor finds out anew what it waits for.'),
  'migration.progress': set(null, 'The hypervisor is asked anew how far it is.'),
  'migration.cause': set(null, 'Nobody knows why; the timeline of its steps still says what happened.'),
  'migration.tried': set([], 'Hosts that were tried before may be tried once more.'),
  'migration.confirm_window_ms': set(null, 'Without a window it waits for a person.'),
  'instance.name': tell('Only people know its name. Set the column with a database client.'),
  'proposal.state': tell(PAST),
}

const TABLES: Readonly<Record<string, RecordRule>> = {
  numa_cell: tell(HARDWARE),
  unit: tell(HARDWARE),
  host: tell(HARDWARE),
  inventory: tell(HARDWARE),
  resource_provider: tell(HARDWARE),
  flavor: tell('Save the flavor again in the catalogue.'),
  pci_alias: tell('Save the PCI alias again in the catalogue.'),
  ...Object.fromEntries(
    ['event', 'outbox', 'past_claim', 'past_cell', 'past_unit', 'past_allocation', 'run_diff', 'migration_step'].map(
      (table) => [table, tell(PAST)],
    ),
  ),
}

const UNSAID = tell(
  'Set the named column right with a database client, or restore the row from a backup, then audit again.',
)
const COUNTERS = /(^|_)(generation|fence|version|attempt)$/
const TIMES = /(_at|_since|^since|^at|_until|^until|^day)$/
const NO_HISTORY = ['claim', 'allocation', 'claim_cell', 'unit_holding', 'instance', 'migration', 'host', 'consumer']

export interface ColumnAsked {
  readonly table: string
  /** Several, separated by a comma, where a check speaks of all of them together. */
  readonly column: string
  readonly nullable: boolean
  /** ms since the epoch. */
  readonly now: number
}

export function ruleOf({ table, column, nullable, now }: ColumnAsked): RecordRule {
  if (isSealed(table)) return tell('Who signs in and who did what is never rewritten. Restore the row from a backup.')
  const known = COLUMNS[`${table}.${column}`] ?? TRANSIENT[table]
  if (known !== undefined) return known
  // Which of several columns is the wrong one, nobody knows.
  if (column.includes(',')) return TABLES[table] ?? UNSAID
  if (COUNTERS.test(column))
    return set(String(now), 'A number above any that was ever given, so that nobody takes old rows for new.')
  if (TIMES.test(column) && nullable) return set(null, 'Nobody knows when.')
  if (TIMES.test(column) && NO_HISTORY.includes(table)) return set(new Date(now).toISOString(), UNKNOWN_TIME)
  return TABLES[table] ?? UNSAID
}
