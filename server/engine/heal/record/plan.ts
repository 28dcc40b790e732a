import type { Finding } from '../../audit/finding'
import type { BrokenRecord } from '../../audit/snapshot'
import { NO_GUARDS } from '../../change'
import type { Line } from '../../rows'
import type { ConsumerId, HostId, InstanceId } from '../../words/ids'
import type { RawValue } from '../../words/unreadable'
import type { HealContext } from '../context'
import type { DraftResult } from '../draft'
import { derived } from './derive'
import { ruleOf } from './rules'

// An unreadable record is repaired column by column: from other rows if they determine it, else to a value that is
// right in any case. An unknown value is left, with a sentence. All bad columns of a row go together, because the
// database checks the whole row when one of them is written.

const UNKNOWN = {
  ok: false,
  why: 'The row has changed since it was read. Audit again; if it persists, correct the named column with a database client.',
} as const

export function recordDraft(context: HealContext, { where, host, instance }: Finding): DraftResult {
  const records = (context.snapshot.records ?? []).filter((each) => `${each.table} ${each.key}` === where.record)
  if (records.length === 0) return UNKNOWN
  const repairs: RecordRepair[] = []
  for (const record of records) {
    const answer = repairOf(context, record)
    if ('whyNot' in answer) return { ok: false, why: answer.whyNot }
    repairs.push(answer)
  }
  const instances = instance === null ? [] : [instance]
  const made = repairs.flatMap((each) => ('consumer' in each ? [each] : []))
  const lines = made.length > 0 ? made.slice(0, 1).map(consumerLine) : [recordLine(repairs, host)]
  return { ok: true, lines, instances, guards: NO_GUARDS }
}

type RecordRepair = { readonly record: BrokenRecord; readonly why: string } & (
  | { readonly set: Readonly<Record<string, RawValue>> }
  | { readonly remove: true }
  | { readonly consumer: ConsumerId; readonly type: string }
)

function repairOf(context: HealContext, record: BrokenRecord): RecordRepair | { readonly whyNot: string } {
  const { table, column, raw } = record
  const known = derived(context, record)
  if ('whyNot' in known) return known
  if (known.value !== undefined) return { record, set: { [column]: known.value }, why: DERIVED }
  if (raw.onDelete !== null) return ofDangling(context, record)
  const now = context.snapshot.now ?? 0
  const rule = ruleOf({ table, column, nullable: raw.nullable.includes(column), now })
  if ('tell' in rule) return { whyNot: rule.tell }
  if ('remove' in rule) return { record, remove: true, why: rule.why }
  return { record, set: { [column]: rule.set }, why: rule.why }
}

const DERIVED = 'The value follows from other rows and from the hypervisors.'

/** The row that it refers to is missing: does what the schema would have done at its deletion. */
function ofDangling(context: HealContext, record: BrokenRecord): RecordRepair | { readonly whyNot: string } {
  const { table, column, raw } = record
  if (raw.onDelete === 'cascade')
    return { record, remove: true, why: 'It should have been deleted with the row that it refers to.' }
  if (raw.onDelete === 'set-null')
    return { record, set: { [column]: null }, why: 'The row that it refers to no longer exists.' }
  if (column === 'consumer_id') {
    const consumer = raw.columns.consumer_id as ConsumerId
    return {
      record,
      consumer,
      type: typeOf(context, consumer),
      why: 'Its claim exists, but its consumer does not.',
    }
  }
  const isLoose = table === 'unit_holding' || (table === 'allocation' && column.includes('provider_id'))
  if (isLoose) return { record, remove: true, why: 'The resource that it names is no longer on any host.' }
  if (raw.nullable.includes(column) && table === 'instance' && column !== 'host_id')
    return { record, set: { [column]: null }, why: 'The row that it refers to no longer exists.' }
  if (table === 'claim' && column === 'instance_id')
    return {
      whyNot:
        'The row of the instance is missing. Restore it from a backup, or stop the domain on its host; then the claim is released.',
    }
  return {
    whyNot: `The row that ${table}.${column} refers to is missing. Restore it from a backup, or correct the column with a database client.`,
  }
}

const typeOf = ({ records }: HealContext, consumer: ConsumerId): string =>
  records.instances.has(consumer as string as InstanceId) ? 'INSTANCE' : 'MIGRATION'

function consumerLine(repair: RecordRepair): Line {
  if (!('consumer' in repair)) throw new Error('No consumer is to be created.')
  const { consumer, type, why } = repair
  return { row: 'consumer', key: { id: consumer }, before: null, after: { type }, host: null, why }
}

function recordLine(repairs: readonly RecordRepair[], host: HostId | null): Line {
  const [first] = repairs
  if (first === undefined) throw new Error('Nothing is to be repaired.')
  const { table, raw } = first.record
  const removes = repairs.find((each) => 'remove' in each)
  const before = Object.assign({}, ...repairs.map(({ record }) => record.raw.columns)) as Line['before']
  const after = removes ? null : Object.assign({}, ...repairs.map((each) => ('set' in each ? each.set : {})))
  const why = [...new Set((removes ? [removes] : repairs).map((each) => each.why))].join(' ')
  const key = { table, id: raw.key }
  return { row: 'record', key, before, after, host, why } as Line
}
