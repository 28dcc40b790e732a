import type pg from 'pg'
import type { AllocationLine, AllocationRecords, ConsumerHolding } from '../../engine/ledger/allocations'
import type { ForestProvider } from '../../engine/resources/forest'
import { readTreesOf } from './forest-read'

// The records on which claims are decided, read from the tables.

type Queryable = Pick<pg.Pool, 'query'>

export interface ReadConsumer {
  readonly id: string
  /** Null when there is no such consumer. */
  readonly holding: ConsumerHolding | null
  /** An instance or a migration of Berth's own. */
  readonly isDriven: boolean
}

interface ConsumerRow {
  readonly id: string
  readonly generation: string | null
  readonly type: string
  readonly driven: boolean
  readonly swapped_from: string | null
  readonly lines: readonly (readonly [provider: string, resourceClass: string, amount: number])[] | null
}

/** One result per id. */
export async function readHoldings(connection: Queryable, ids: readonly string[]): Promise<ReadConsumer[]> {
  if (ids.length === 0) return []
  const { rows } = await connection.query<ConsumerRow>({
    name: 'allocation-consumers',
    text: `select w.id, c.generation, c.type, c.swapped_from,
        exists (select 1 from claim k where k.consumer_id = w.id) or exists (select 1 from instance i where i.id = w.id)
          or exists (select 1 from migration m where m.id = w.id) as driven,
        (select json_agg(json_build_array(a.provider_id, a.resource_class, a.amount))
          from allocation a where a.consumer_id = w.id) as lines
      from unnest($1::uuid[]) w (id) left join consumer c on c.id = w.id`,
    values: [ids],
  })
  return rows.map((row) => ({ id: row.id, isDriven: row.driven, holding: holdingOf(row) }))
}

function holdingOf({ generation, type, swapped_from: swappedFrom, lines }: ConsumerRow): ConsumerHolding | null {
  if (generation === null) return null
  return { generation: Number(generation), type, swappedFrom, lines: (lines ?? []).map(lineOf) }
}

const lineOf = ([provider, resourceClass, amount]: NonNullable<ConsumerRow['lines']>[number]): AllocationLine => ({
  ...{ provider, resourceClass, amount },
})

/** The names that are resource classes. */
export async function readClasses(connection: Queryable, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await connection.query<{ name: string }>({
    ...{ name: 'allocation-classes', text: 'select name from resource_class where name = any($1::text[])' },
    values: [names],
  })
  return new Set(rows.map(({ name }) => name))
}

export interface RecordsFilter {
  readonly providers: readonly string[]
  readonly consumers: readonly string[]
  readonly classes: readonly string[]
}

/** Reads and locks everything requested, so that it does not change until the transaction ends. */
export async function lockRecords(client: pg.PoolClient, ask: RecordsFilter): Promise<LockedRecords> {
  const before = await readHoldings(client, ask.consumers)
  const locked = new Set([...ask.providers, ...providersOf(before)])
  await client.query('select placement_lock($1::uuid[])', [[...locked]])
  await client.query('select 1 from consumer where id = any($1::uuid[]) order by id for update', [ask.consumers])
  const consumers = await readHoldings(client, ask.consumers)
  if (providersOf(consumers).some((id) => !locked.has(id))) throw new Error(CONSUMER_CHANGED)
  const trees = await readTreesOf(client, [...locked])
  const { rows } = await client.query<{ allowed: boolean }>(
    `select exists (select 1 from setting where name = 'foreign-instances' and value = '"allow"') as allowed`,
  )
  return new LockedRecords({
    ...{ trees, consumers, classes: await readClasses(client, ask.classes) },
    foreignAllowed: rows[0]?.allowed ?? false,
  })
}

/** A consumer got an allocation between the read and the locks. */
export const CONSUMER_CHANGED = 'the consumer changed meanwhile'

const providersOf = (consumers: readonly ReadConsumer[]) =>
  consumers.flatMap(({ holding }) => holding?.lines.map(({ provider }) => provider) ?? [])

interface RecordRows {
  readonly trees: readonly ForestProvider[]
  readonly consumers: readonly ReadConsumer[]
  readonly classes: ReadonlySet<string>
  readonly foreignAllowed: boolean
}

export class LockedRecords implements AllocationRecords {
  readonly #providers: Map<string, ForestProvider>
  readonly #consumers: ReadonlyMap<string, ReadConsumer>
  readonly #classes: ReadonlySet<string>
  readonly hosts: ReadonlySet<string>
  readonly foreignAllowed: boolean

  constructor({ trees, consumers, classes, foreignAllowed }: RecordRows) {
    this.#providers = new Map(trees.map((provider) => [provider.id, provider]))
    this.#consumers = new Map(consumers.map((consumer) => [consumer.id, consumer]))
    this.#classes = classes
    this.hosts = new Set(trees.flatMap(({ id, isHost }) => (isHost ? [id] : [])))
    this.foreignAllowed = foreignAllowed
  }

  provider = (id: string) => this.#providers.get(id)
  hasClass = (name: string) => this.#classes.has(name)
  holding = (consumer: string) => this.#consumers.get(consumer)?.holding ?? undefined
  isDriven = (consumer: string) => this.#consumers.get(consumer)?.isDriven ?? false

  /** As if the provider had these inventories in addition to its own. */
  put(id: string, stocks: ForestProvider['stocks']): void {
    const provider = this.#providers.get(id)
    if (provider) this.#providers.set(id, { ...provider, stocks: new Map([...provider.stocks, ...stocks]) })
  }
}
