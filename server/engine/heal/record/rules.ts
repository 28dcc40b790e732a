import type { RawValue } from '../../words/unreadable'

// The value of an unreadable column when nothing else is known. Only values that are right in any case: values derived
// from other rows are in `derive.ts`, and unknown ones stay, with a sentence.

export type RecordRule =
  | { readonly set: RawValue; readonly why: string }
  | { readonly remove: true; readonly why: string }
  /** The value is unknown; what the operator has to do. */
  | { readonly tell: string }

const SEALED = /^(auth_|_prisma|api_token|audit_entry)/

/** Tables of identities and the audit log: no repair writes them. */
export const isSealed = (table: string): boolean => SEALED.test(table)

const remove = (why: string): RecordRule => ({ remove: true, why })
const set = (value: RawValue, why: string): RecordRule => ({ set: value, why })
const tell = (sentence: string): RecordRule => ({ tell: sentence })

const REWRITTEN = 'Nothing depends on this row; it is written again when needed.'
const NOT_REQUESTED = 'The request is unknown, so it is dropped. It can be requested again.'
const UNKNOWN_TIME = 'The time is unknown; the time of the repair is used.'
const PAST =
  'A history record that no decision uses. Restore the row from a backup, or delete it with a database client.'
const HARDWARE =
  'Only the host itself knows this. Restore the row from a backup, or set the named column with a database client; until then nothing is claimed on the host.'

/** Rows that are recreated automatically, and rows of drafts. */
const TRANSIENT: Readonly<Record<string, RecordRule>> = {
  lease: remove(REWRITTEN),
  host_survey: remove('The next survey writes this row again.'),
  guest_power: remove('The next survey writes this row again.'),
  server_session: remove('A running server writes this row again.'),
  finding: remove('The next audit writes its findings again.'),
  heal_rule: remove('Without the row the rule is off, which is the default.'),
  setting: remove('Without the row its default applies.'),
  saved_view: remove('The view cannot be opened; save it again.'),
  layout_marker: remove('The next dry run determines the state of the host again.'),
  standing_audit: remove('The next audit writes this row again.'),
  host_remain: tell('Check the host for leftovers of the instance, then delete the row with a database client.'),
}

const COLUMNS: Readonly<Record<string, RecordRule>> = {
  'host.status': set(
    'down',
    'The status of the host is unknown. It is set to down, so that Berth does not use the host; mark it as up if it is up.',
  ),
  'host.scheduling': set(
    'disabled',
    'Whether it may accept claims is unknown; it stays disabled until an operator enables it.',
  ),
  'host.memory': set('exact', 'The stricter of the two memory policies.'),
  'host.name': tell('The name cannot be derived. Set the column with a database client.'),
  'instance.group_id': set(null, 'No server group has this id.'),
  'instance.power_request': set(null, NOT_REQUESTED),
  'migration.requested_action': set(null, NOT_REQUESTED),
  'migration.waiting': set(null, 'The conductor determines again what it waits for.'),
  'migration.progress': set(null, 'The progress is read from the hypervisor again.'),
  'migration.cause': set(null, 'The cause is unknown; the timeline still shows what happened.'),
  'migration.tried': set([], 'Hosts that were tried before may be tried again.'),
  'migration.confirm_window_ms': set(null, 'Without a confirm window it waits for confirm or revert.'),
  'instance.name': tell('The name cannot be derived. Set the column with a database client.'),
  'proposal.state': tell(PAST),
}

const TABLES: Readonly<Record<string, RecordRule>> = {
  numa_cell: tell(HARDWARE),
  unit: tell(HARDWARE),
  host: tell(HARDWARE),
  inventory: tell(HARDWARE),
  resource_provider: tell(HARDWARE),
  flavor: tell('Save the flavor again in the catalog.'),
  pci_alias: tell('Save the PCI alias again in the catalog.'),
  ...Object.fromEntries(
    ['event', 'outbox', 'past_claim', 'past_cell', 'past_unit', 'past_allocation', 'run_diff', 'migration_step'].map(
      (table) => [table, tell(PAST)],
    ),
  ),
}

const DEFAULT_RULE = tell(
  'Correct the named column with a database client, or restore the row from a backup, then audit again.',
)
const COUNTERS = /(^|_)(generation|fence|version|attempt)$/
const TIMES = /(_at|_since|^since|^at|_until|^until|^day)$/
const NO_HISTORY = ['claim', 'allocation', 'claim_cell', 'unit_holding', 'instance', 'migration', 'host', 'consumer']

export interface ColumnFacts {
  readonly table: string
  /** Several, separated by a comma, where a check covers all of them together. */
  readonly column: string
  readonly nullable: boolean
  /** ms since the epoch. */
  readonly now: number
}

export function ruleOf({ table, column, nullable, now }: ColumnFacts): RecordRule {
  if (isSealed(table)) return tell('Accounts and the audit log are never rewritten. Restore the row from a backup.')
  const known = COLUMNS[`${table}.${column}`] ?? TRANSIENT[table]
  if (known !== undefined) return known
  // It is unknown which of several columns is wrong.
  if (column.includes(',')) return TABLES[table] ?? DEFAULT_RULE
  if (COUNTERS.test(column))
    return set(String(now), 'A number above any that was used, so that old rows are not taken for new ones.')
  if (TIMES.test(column) && nullable) return set(null, 'The time is unknown.')
  if (TIMES.test(column) && NO_HISTORY.includes(table)) return set(new Date(now).toISOString(), UNKNOWN_TIME)
  return TABLES[table] ?? DEFAULT_RULE
}
