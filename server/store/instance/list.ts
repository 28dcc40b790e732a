import type { InstanceField, InstanceSort } from '@/lists/instance'
import type { Instance, VmState } from '../../engine/change'
import type { InstanceId } from '../../engine/words/ids'
import {
  askedOrder,
  conditionsSql,
  type Fields,
  type ListPage,
  type ListQuery,
  likeText,
  orderSql,
  readPage,
} from '../database/condition'
import type { Database } from '../database/database'
import { instanceOf } from '../decode/instance'
import { INSTANCE_JSON, SHOWN_POWER } from './row'

export interface InstanceQuery extends ListQuery<InstanceField, InstanceSort> {
  /** Part of the name, or a whole id. */
  readonly q?: string | undefined
  readonly vmState?: readonly VmState[] | undefined
  readonly host?: string | undefined
  readonly zone?: readonly string[] | undefined
  readonly moving?: boolean | undefined
}

const POWER = `(select ${SHOWN_POWER} from host_survey s join host n on n.id = s.host_id
  left join guest_power g on g.host_id = s.host_id and g.instance_id = i.id where s.host_id = i.host_id)`

/** Null when the flavor has no such number: one bad row must not fail the list. */
const flavorNumber = (key: string) =>
  `case when jsonb_typeof(i.flavor -> '${key}') = 'number' then (i.flavor ->> '${key}')::numeric end`

// Sorted by what is shown, and finally by id, so that a page never repeats or skips a row.
const ORDERS: { readonly [O in InstanceSort]: string } = {
  name: 'i.name',
  vmState: 'i.vm_state',
  power: POWER,
  host: 'h.name',
  flavor: "i.flavor ->> 'name'",
  vcpus: flavorNumber('vcpus'),
  memory: flavorNumber('memoryMib'),
  project: 'i.project',
}

const IS_MIGRATING = 'exists (select 1 from migration m where m.instance_id = i.id and m.outcome is null)'

const FIELDS: Fields<InstanceField> = {
  text: ['i.name'],
  name: ['i.name'],
  state: ['i.vm_state'],
  host: ['h.name'],
  zone: ['coalesce(i.zone, h.zone)'],
  flavor: ["i.flavor ->> 'name'"],
  image: ["i.image ->> 'name'"],
  project: ['i.project'],
  group: ['(select g.name from instance_group g where g.id = i.group_id)'],
  power: [POWER],
  migrating: [`case when ${IS_MIGRATING} then 'yes' else 'no' end`],
}

const IDS = ['i.id::text']

const WHERE = `
  ($1::text is null or i.name ilike '%' || $1 || '%' or i.id::text = lower($2))
  and ($3::text[] is null or i.vm_state = any($3))
  and ($4::uuid is null or i.host_id = $4)
  and ($5::text[] is null or coalesce(i.zone, h.zone) = any($5))
  and ($6::boolean is null or $6 = ${IS_MIGRATING})`

export async function listInstances({ pool }: Database, query: InstanceQuery): Promise<ListPage<Instance>> {
  const { q, vmState, host, zone, moving } = query
  const plain = [likeText(q), q ?? null, vmState ?? null, host ?? null, zone ?? null, moving ?? null]
  const where = conditionsSql(query.where ?? [], { fields: FIELDS, ids: IDS, first: plain.length + 1 })
  const order = `${orderSql(askedOrder(query, { by: 'name', dir: 'asc' }), ORDERS)}, i.id`
  const from = `from instance i left join host h on h.id = i.host_id where ${WHERE} and ${where.sql}`
  const page = { columns: `${INSTANCE_JSON} as instance`, from, values: [...plain, ...where.values], order }
  const { rows, total } = await readPage<{ instance: Instance }>(pool, page, query)
  return { rows: rows.map(({ instance }) => instanceOf(instance)), total }
}

export async function countInstances({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ total: number }>('select count(*)::int as total from instance')
  return rows[0]?.total ?? 0
}

export async function readInstances({ pool }: Database, ids: readonly InstanceId[]): Promise<Instance[]> {
  const { rows } = await pool.query<{ instance: Instance }>({
    name: 'instances-by-id',
    text: `select ${INSTANCE_JSON} as instance from instance i where i.id = any($1::uuid[])`,
    values: [ids],
  })
  return rows.map(({ instance }) => instanceOf(instance))
}
