import { z } from 'zod'
import type { Corruption } from './cases'

// Corruptions that need no finding, and why. Lists each column by name, so that every new column is reviewed. A
// corruption that is not listed, refused or found is unexplained.

const SHOWN = 'only shown: no decision reads this text'
const NAMED = 'a name chosen by a user: any text is valid, and other rows refer to the id or keep their own copy'
const COMPARED = 'compared with the next reading, and then rewritten'
const RULE_OFF = 'a rule for an unknown kind of finding has no effect'
const LEASE = 'the owner of a lease matters only until it expires; then any server acquires it'
const VENDOR = 'a name from the hypervisor or the vendor: there is no list of valid ones'
const ZONE =
  'a zone is a name chosen by a user: the host refuses instances of other zones, and explain gives that reason'
const OTHERS = 'set by another client for its own consumer; Berth decides nothing by it'
const PROPOSER = 'the other of the two, name or account, still tells who must not approve the request'
const QUERY = 'a saved view of the console: an unknown page opens as “not found”, an unknown filter is ignored'

const TEXTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  aggregate: { name: NAMED },
  api_token: { name: NAMED, project: NAMED, hash: 'no token has this hash, so the old token is refused' },
  server_session: {
    owner: 'a server that does not exist: it sends no heartbeat, and its row is removed',
    replica_failure: 'only shown, until the next heartbeat of the server rewrites it',
  },
  consumer: {
    project: OTHERS,
    user: OTHERS,
    owner_id: OTHERS,
    owner_name: OTHERS,
    written_request: OTHERS,
    type: OTHERS,
  },
  event: { kind: SHOWN, who: SHOWN, request: SHOWN, reason: SHOWN },
  finding: { fingerprint: COMPARED, kind: COMPARED, unit: COMPARED },
  flavor: { name: NAMED },
  guest_power: { reason: VENDOR },
  heal_plan: { made_by: SHOWN, reason: SHOWN },
  heal_rule: { kind: RULE_OFF, by: SHOWN },
  host: { name: NAMED, reason: SHOWN, zone: ZONE, digest: COMPARED },
  host_survey: { digest: COMPARED, silence: SHOWN },
  instance: { name: NAMED, project: NAMED, zone: ZONE },
  instance_group: { name: NAMED },
  layout_marker: { why: SHOWN, by: SHOWN },
  layout_wave: { by: SHOWN, reason: SHOWN, why: SHOWN },
  lease: { name: LEASE, owner: LEASE, error: SHOWN },
  migration: { instance_name: SHOWN, lease_owner: LEASE },
  migration_step: { note: SHOWN },
  outbox: { kind: SHOWN, who: SHOWN, request: SHOWN, reason: SHOWN },
  past_allocation: { resource_class: SHOWN },
  past_claim: { instance_name: SHOWN },
  past_unit: { request_id: SHOWN },
  pci_alias: { name: NAMED },
  proposal: { reason: SHOWN, by: PROPOSER, by_id: PROPOSER, decided_by: SHOWN, decided_reason: SHOWN },
  resource_class: { name: NAMED },
  resource_provider: { name: NAMED },
  run: { replan_because: SHOWN, note: SHOWN, who: SHOWN, request: SHOWN, reason: SHOWN },
  run_diff: { because: SHOWN },
  run_move: { instance_name: SHOWN, note: SHOWN },
  saved_view: { name: NAMED, path: QUERY, query: QUERY },
  setting: { name: 'no code reads a setting of this name; the original setting has its default', by: SHOWN },
  trait: { name: NAMED },
  unit: { mdev_type: VENDOR },
}

const SIGN_IN: Readonly<Record<string, string>> = {
  auth_account: 'the sign-in library reads it: an unreadable password hash refuses the sign-in',
  auth_session: 'the sign-in library reads it: the user of an unreadable session signs in again',
  auth_verification: 'the sign-in library reads it: an unreadable row verifies nothing',
  auth_passkey: 'the sign-in library reads it: a key that does not match the device refuses the sign-in',
  auth_rate_limit: 'the sign-in library counts in it and rewrites it',
  auth_secret: 'cookies signed with another secret are not accepted: all users sign in again',
  auth_two_factor:
    'the sign-in library reads it: a secret that cannot be decrypted accepts no code, and an admin resets it',
  auth_user: 'names of users; the database checks the column with their role',
}

const NULLABLE = 'null is a legal value: unknown, or none'
const EMPTY_LIST = 'an empty list is a legal value'
const OLD_ID = 'history: ids of deleted objects are kept on purpose'
const ANY_JSON = 'any JSON is readable: it is shown unchanged'
const DEFAULT = 'its readers validate each setting: an invalid one is ignored, and the default applies'
const PART = 'an unreadable part is shown as locked; the repair is planned again'
const LIBVIRT =
  'checked when a libvirt driver reads it (drivers/libvirt/domain-record.ts), and no host of this fleet has one'
const CLOUD_POLL =
  'checked when the cloud is polled: with unreadable settings, or a secret that was not sealed with them, Berth sends nothing and reports it; parts are read again'
const ALARM =
  'a record of what was raised and sent: the next check raises an alarm that still applies, and an unreadable delivery fails with its error'
const FENCING = 'a past request to a BMC: it is shown, and a server that continues it reads the power state first'
const CLOUD: Readonly<Record<string, string>> = {
  ...{ cloud: CLOUD_POLL, cloud_part: CLOUD_POLL },
  cloud_action: 'a past request: it is shown, and an unreadable one ends as failed',
  cloud_drain: 'a past request: its next action is decided from the state of the cloud, by the usual rules',
  cloud_fence: 'an attestation counts for a host that the cloud lists, and only until that host reports',
}
const OWN_FORMAT =
  'the simulated hypervisor keeps its own records there; a host with an unreadable record does not answer'

/** History tables: their ids may refer to deleted rows. */
const HISTORY = [
  ...['event', 'outbox', 'audit_entry', 'past_claim', 'past_cell', 'past_unit', 'past_allocation', 'finding'],
  ...['heal_part', 'heal_plan', 'proposal', 'run', 'run_move', 'layout_wave', 'layout_marker', 'migration'],
]
const EMPTY_LISTS = [
  'numa_cell.pages',
  'numa_cell.siblings',
  'claim_cell.pins',
  'pci_alias.spec',
  'run_diff.lines',
  'heal_plan.foreseen',
  'heal_plan.found',
]
const SURVEYED = 'a member that no reader needs; the next survey rewrites the row'
const ANOTHER = 'a row with another id is another row; foreign keys find references to the old id'
/** Id columns without a foreign key, because the referenced row may be deleted, with the consequence. */
const KEYS: Readonly<Record<string, string>> = {
  'consumer.owner_id': OTHERS,
  'consumer.swapped_from': 'the consumer whose allocation it took over may have none by now; both are only shown',
  'guest_power.instance_id':
    'the power state of an instance that does not exist is not read, and the next survey rewrites all rows of the host',
  'host_remain.instance_id': 'leftovers of a deleted instance: the clean-up finds nothing on the host',
  'host_remain.migration_id': 'leftovers of an unknown migration: they are proved again before anything is removed',
  'run_diff.run_id': 'a change to a plan that does not exist is not shown',
}
const isEmpty = (value: string | null) => value === '{}'
const isOfTexts = (value: string | null) => {
  const spec: unknown = JSON.parse(value ?? 'null')
  return Array.isArray(spec) && spec.every((each) => z.record(z.string(), z.string()).safeParse(each).success)
}

const CAUSE = z.strictObject({ kind: z.string(), step: z.string(), message: z.string() })
const isCauseWithoutRefusals = (value: string | null) => CAUSE.safeParse(JSON.parse(value ?? 'null')).success

const LISTS = { amounts: z.array(z.unknown()), cells: z.array(z.unknown()), units: z.array(z.unknown()) }
const OBSERVED_STATE = z.enum(['running', 'stopped', 'left', 'shell'])
const DOMAIN = { instance: z.string(), observedState: OBSERVED_STATE, claim: z.looseObject(LISTS).nullable() }
const POWER = z.object({ state: z.string(), reason: z.string().nullable() })
const LEGAL_DOMAINS = z.array(
  z.union([
    z.strictObject({ ...DOMAIN, migration: z.string().nullable() }),
    z.strictObject({ ...DOMAIN, migration: z.null(), power: POWER }),
  ]),
)
const isOfLegalDomains = (value: string | null) => LEGAL_DOMAINS.safeParse(JSON.parse(value ?? 'null')).success

/** Values that are legal in these columns, although the row had another value. */
const LEGAL: Readonly<Record<string, { is(value: string | null): boolean; readonly why: string }>> = {
  'event.raised': {
    is: isEmpty,
    why: 'an event that raised no generation; servers that lag read every host that an event names again',
  },
  'flavor.extra_specs': {
    is: isEmpty,
    why: 'a flavor without extra specs; instances keep a copy of the flavor from their build',
  },
  'host_survey.guests': {
    is: isOfLegalDomains,
    why: 'domains without a power state, as in surveys from before it was observed, or without a migration, as most are',
  },
  'inventory.allocation_ratio': {
    is: (value) => Number(value) > 0,
    why: 'Placement accepts any finite ratio',
  },
  'pci_alias.spec': {
    is: isOfTexts,
    why: 'an alias with fewer conditions matches more devices; an instance keeps the alias from its build',
  },
  'migration.cause': {
    is: isCauseWithoutRefusals,
    why: 'a cause without refusals: no host was checked, or no refusal is shown',
  },
  'migration.progress': { is: () => true, why: 'the last reported progress; the next poll rewrites it' },
}

/** JSON columns in which any member may have any value that the database accepts. */
const JSONS: Readonly<Record<string, string>> = {
  'event.data': ANY_JSON,
  'outbox.data': ANY_JSON,
  'host.connection': ANY_JSON,
  'run_move.why': ANY_JSON,
  'host_survey.devices': SURVEYED,
  'host_survey.earlier_guests': SURVEYED,
  'host_survey.earlier_devices': SURVEYED,
  'past_cell.cell': 'a missing member reads as none; past claims are only shown',
}

/** Why no finding is required; null if one is. */
export function harmless({ table, column, class: what, value }: Corruption): string | null {
  const name = `${table.name}.${column.name}`
  if (SIGN_IN[table.name] !== undefined) return SIGN_IN[table.name] ?? null
  if (table.name === 'simulator_record') return OWN_FORMAT
  if (table.name === 'domain_record') return LIBVIRT
  if (table.name.startsWith('alarm')) return ALARM
  if (table.name === 'fencing') return FENCING
  if (CLOUD[table.name] !== undefined) return CLOUD[table.name] ?? null
  if (what === 'null') return column.nullable ? NULLABLE : null
  if (what === 'empty' && (column.type.startsWith('_') || EMPTY_LISTS.includes(name))) return EMPTY_LIST
  if (what === 'dangling-key' && HISTORY.includes(table.name) && column.refersTo === null) return OLD_ID
  if ((what === 'empty' || what === 'unknown-word') && column.refersTo === null) {
    const why = TEXTS[table.name]?.[column.name]
    if (why !== undefined) return why
  }
  if (what === 'dangling-key' && column.isKey && column.refersTo === null && column.name === 'id') return ANOTHER
  if (what === 'dangling-key' && KEYS[name] !== undefined) return KEYS[name] ?? null
  const legal = LEGAL[name]
  if (legal && ['empty', 'inside-json', '2^62'].includes(what) && legal.is(value)) return legal.why
  if (name === 'heal_part.part') return PART
  if (name === 'setting.value') return DEFAULT
  return column.type === 'jsonb' ? (JSONS[name] ?? null) : null
}
