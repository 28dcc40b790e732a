import { z } from 'zod'
import type { Corruption } from './cases'

// Corruptions that need no finding, and why. Lists each column by name, so that every new column is reviewed. A
// corruption that is not listed, refused or found is unexplained.

const SHOWN = 'only shown: nothing is worked out from this text'
const NAMED = 'a name that people give: any text is one, and rows refer to its id or keep a copy of their own'
const COMPARED = 'compared with what is read next, and then written anew'
const RULE_OFF = 'a rule for a kind of finding that no audit reports does nothing'
const LEASE = 'whoever owns a lease is asked only until it runs out; then anybody takes it'
const VENDOR = "a name of the hypervisor's or the vendor's: no list of them exists"
const ZONE = 'a zone is a name that people give: an instance of another zone is refused there, and explain says so'
const OTHERS = 'said by another client about its own consumer; Berth works nothing out from it'
const QUERY = 'a view of the console: an unknown page or filter opens as “not found” or unfiltered'

const TEXTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  aggregate: { name: NAMED },
  api_token: { name: NAMED, project: NAMED, hash: 'a token that nobody has: whoever had the old one is refused' },
  server_session: {
    owner: 'a server that does not exist: it is not seen again, and its row is removed',
    replica_failure: 'only shown, until the heartbeat of the server writes it again',
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
  host_survey: { digest: COMPARED },
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
  proposal: { reason: SHOWN, by: SHOWN, decided_by: SHOWN, decided_reason: SHOWN },
  resource_class: { name: NAMED },
  resource_provider: { name: NAMED },
  run: { replan_because: SHOWN, note: SHOWN, who: SHOWN, request: SHOWN, reason: SHOWN },
  run_diff: { because: SHOWN },
  run_move: { instance_name: SHOWN, note: SHOWN },
  saved_view: { name: NAMED, path: QUERY, query: QUERY },
  setting: { name: 'a setting that nobody reads; the default of the one it was holds', by: SHOWN },
  trait: { name: NAMED },
  unit: { mdev_type: VENDOR },
}

const SIGN_IN: Readonly<Record<string, string>> = {
  auth_account: 'the sign-in library reads it: a password that cannot be compared signs nobody in',
  auth_session: 'the sign-in library reads it: who has a session that cannot be read signs in again',
  auth_verification: 'the sign-in library reads it: what cannot be verified is not',
  auth_passkey: 'the sign-in library reads it: a key that is not the one of the device signs nobody in',
  auth_rate_limit: 'the sign-in library counts in it and writes it anew',
  auth_secret: 'cookies signed with another secret are not accepted: everybody signs in again',
  auth_two_factor:
    'the sign-in library reads it: a secret that cannot be decrypted accepts no code, and an admin resets it',
  auth_user: 'names of people; what somebody may do is a column that the database checks',
}

const NULLABLE = 'null is one of its values: nobody knows, or there is none'
const EMPTY_LIST = 'an empty list is one of its values'
const OLD_ID = 'a record of what was: ids of things that are gone are kept on purpose'
const ANY_JSON = 'any JSON is readable: it is shown as it is'
const DEFAULT = 'its readers judge each setting: one that makes no sense is not accepted, and its default holds'
const PART = 'a part that cannot be read is shown as such, locked; whoever needs it plans the repair again'
const LIBVIRT = 'checked when a libvirt driver reads it (drivers/libvirt/memory.ts), and no host of this fleet has one'
const CLOUD_POLL =
  'checked when the cloud is reached: settings that cannot be read or that the secret is not sealed with send nothing, and say so; what was read of it is read again'
const ALARM =
  'it says what was seen and sent: the next look raises again what holds, and what cannot be sent is given up with its error'
const FENCING = 'what was asked of a machine once: it is shown; whoever carries it reads the power before anything else'
const CLOUD: Readonly<Record<string, string>> = {
  ...{ cloud: CLOUD_POLL, cloud_part: CLOUD_POLL },
  cloud_action: 'what was asked for once: it is shown, and whoever follows it ends what cannot be read as failed',
  cloud_drain:
    'what a person asked for once: what it does next is worked out from what the cloud says, within its own rules',
  cloud_fence: 'an attestation counts for a host that the cloud lists, and only until that host reports',
}
const OWN_FORMAT = 'the simulated hypervisor keeps its own records there; a host whose record it cannot read is silent'

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
const SURVEYED = 'a member that no reader needs is another than it was; the next survey writes the row anew'
const ANOTHER = 'a row of another id is another row; what refers to the old id is found by its foreign key'
/** Id columns without a foreign key, because the referenced row may be deleted, with the consequence. */
const KEYS: Readonly<Record<string, string>> = {
  'consumer.owner_id': OTHERS,
  'consumer.swapped_from': 'whose allocation it took over may hold nothing by now: both are only shown to a person',
  'guest_power.instance_id':
    'the power of an instance that is not there: nobody reads it, the next survey writes all rows of the host',
  'host_remain.instance_id': 'leftovers of an instance that was deleted: it is asked to clean up what is not there',
  'host_remain.migration_id':
    'leftovers of a migration that was forgotten: they are proven again before anything is cleaned',
  'run_diff.run_id': 'a change to a plan that is not there is shown nowhere',
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
    why: 'an event that raised nothing; servers that are behind read every host again that an event names',
  },
  'flavor.extra_specs': {
    is: isEmpty,
    why: 'a flavor without extra specs; instances keep the flavor that they were built with',
  },
  'host_survey.guests': {
    is: isOfLegalDomains,
    why: 'guests without power, as they were stored before it was observed, or without a migration, as most are',
  },
  'inventory.allocation_ratio': {
    is: (value) => Number(value) > 0,
    why: 'any finite ratio is one that Placement takes',
  },
  'pci_alias.spec': {
    is: isOfTexts,
    why: 'fewer conditions are a wider alias; an instance keeps what it was built with',
  },
  'migration.cause': {
    is: isCauseWithoutRefusals,
    why: 'a cause without refusals: no host was asked, or nothing of what they said is shown',
  },
  'migration.progress': { is: () => true, why: 'the last progress that was reported; the next poll writes it whole' },
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
  'past_cell.cell': 'a member that is left out reads as none; what was held then is only shown',
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
