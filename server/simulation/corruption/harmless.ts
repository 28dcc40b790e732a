import type { Corruption } from './cases'

// What a corruption may leave without a finding, and why. Whatever is not listed here, refused or found is unexplained.

const NULLABLE = 'null is one of its values'
const EMPTY_LIST = 'an empty list is one of its values'
const FREE_TEXT = 'any text is readable: it is shown and compared, and nothing is worked out from it'
const OLD_ID = 'a record of what was: ids of things that are gone are kept on purpose'
const ANY_JSON = 'any JSON is readable: it is shown as it is'
const DEFAULT = 'its readers judge each setting: one that makes no sense is not heeded, and its default holds'
const NOT_BERTH = 'the sign-in library reads it: who has a session that cannot be read signs in again'
const OWN_FORMAT = 'the simulated hypervisor keeps its own records there; a host whose record it cannot read is silent'

/** Text that nothing is worked out from. */
const FREE_TEXTS =
  /(^|_)(name|action|fingerprint|reason|note|why|who|by|request|request_id|because|label|owner|project|user|digest|zone|hash|username|email|image|token|path|query|kind|unit|value|identifier|key|ip_address|user_agent|provider|mdev_type)$/
const HISTORY = [
  'event',
  'outbox',
  'audit_entry',
  'past_claim',
  'past_cell',
  'past_unit',
  'past_allocation',
  'finding',
  'heal_part',
  'heal_plan',
  'proposal',
  'run',
  'run_move',
  'layout_wave',
  'layout_marker',
  'migration',
  'simulator_record',
]

/** Why nobody has to say anything about it; null when somebody has to. */
export function harmless({ table, column, class: what }: Corruption): string | null {
  if (table.name.startsWith('auth_')) return NOT_BERTH
  if (table.name === 'simulator_record') return OWN_FORMAT
  if (what === 'null') return column.nullable ? NULLABLE : null
  if (what === 'empty' && (column.type.startsWith('_') || LISTS.includes(`${table.name}.${column.name}`)))
    return EMPTY_LIST
  if (what === 'dangling-key' && HISTORY.includes(table.name) && column.refersTo === null) return OLD_ID
  if ((what === 'empty' || what === 'unknown-word') && FREE_TEXTS.test(column.name) && column.refersTo === null) {
    return FREE_TEXT
  }
  if (table.name === 'setting' && column.name === 'value') return DEFAULT
  if (column.type === 'jsonb' && ANY.includes(`${table.name}.${column.name}`)) return ANY_JSON
  return null
}

const ANY = ['audit_entry.data', 'host.connection']

/** JSON columns that hold lists. */
const LISTS = ['numa_cell.pages', 'numa_cell.siblings', 'claim_cell.pins', 'pci_alias.spec', 'run_diff.lines']
