import pg from 'pg'
import type {
  AllocationChange,
  AllocationClaim,
  AllocationLine,
  ConsumerHolding,
  ConsumerWrite,
} from '../../engine/ledger/allocations'
import type { RaisedGenerations } from '../../engine/ledger/raised'
import type { Database } from '../database/database'
import type { Writer } from './refused'

// A decided change of allocations as `apply_allocations` takes it: one call, one round trip.

export interface AllocationRequest extends AllocationClaim {
  readonly writer: Writer
}

/** The decision's preconditions no longer hold: nothing was written, and a retry is safe. */
export const RETRYABLE_SQLSTATES: readonly (string | undefined)[] = ['BL001', '23505', '23503', '40P01', '40001']

const PARAMETERS = 38
const TEXT = `select apply_allocations(${Array.from({ length: PARAMETERS }, (_, at) => `$${at + 1}`)}) as raised`

/** Throws a database error of `RETRYABLE_SQLSTATES` when it was decided on stale data. */
export async function applyAllocations(
  connection: Pick<pg.Pool, 'query'>,
  change: AllocationChange<AllocationRequest>,
): Promise<RaisedGenerations> {
  const { rows } = await connection.query<{ raised: RaisedGenerations }>({
    ...{ name: 'apply-allocations', text: TEXT, values: parametersOf(change) },
  })
  return rows[0]?.raised ?? {}
}

/**
 * Null when it was decided on stale data, and nothing was written. Any other failure may have come after the commit.
 */
export async function applyUnlessRaced(
  { pool }: Database,
  change: AllocationChange<AllocationRequest>,
): Promise<RaisedGenerations | null> {
  try {
    return await applyAllocations(pool, change)
  } catch (error) {
    if (error instanceof pg.DatabaseError && RETRYABLE_SQLSTATES.includes(error.code)) return null
    throw error
  }
}

interface NumberedConsumer extends ConsumerWrite {
  /** Number of its claim, from 1 on. */
  readonly of: number
  readonly held: ConsumerHolding | undefined
  /** For a new one: whose allocation it takes over; for an existing one: what was relied on. */
  readonly swappedFrom: string | null
}

function parametersOf(change: AllocationChange<AllocationRequest>): unknown[] {
  const { claims, providers, known, swaps } = change
  const consumers = claims.flatMap(({ consumers: own }, at) =>
    own.flatMap((each): NumberedConsumer[] => {
      const held = known.get(each.id)
      // A new one without allocations is not created.
      const swappedFrom = (held ? held.swappedFrom : swaps.get(each.id)) ?? null
      return held || each.amounts.length > 0 ? [{ ...each, of: at + 1, held, swappedFrom }] : []
    }),
  )
  if (consumers.length > 1) consumers.sort((a, b) => (a.id < b.id ? -1 : 1))
  const hosts = [...new Set([...change.hosts.values()].flat())]
  const stocks = providers.flatMap((provider) => provider.stocks)
  return [
    ...[plain(providers, ({ id }) => id), plain(providers, ({ times }) => times)],
    ...[plain(hosts, (host) => host), change.foreignAllowed && hosts.length > 0],
    ...[plain(stocks, (each) => each.provider), quoted(stocks, (each) => each.resourceClass)],
    plain(stocks, ({ delta }) => delta),
    ...[plain(stocks, ({ least }) => least), plain(stocks, ({ most }) => most)],
    plain(stocks, ({ grain }) => grain),
    ...consumerColumns(consumers),
    ...lineColumns(consumers.flatMap(({ id, held }) => (held?.lines ?? []).map((line) => [id, line] as const))),
    ...lineColumns(consumers.flatMap(({ id, amounts }) => amounts.map((line) => [id, line] as const))),
    ...eventColumns(change),
    ...trailColumns(change),
  ]
}

const consumerColumns = (consumers: readonly NumberedConsumer[]): unknown[] => [
  ...[plain(consumers, ({ id }) => id), plain(consumers, ({ of }) => of)],
  plain(consumers, ({ held }) => held?.generation ?? null),
  plain(consumers, ({ amounts }) => amounts.length > 0),
  ...[quoted(consumers, ({ project }) => project), quoted(consumers, ({ user }) => user)],
  ...[quoted(consumers, ({ type }) => type), plain(consumers, ({ swappedFrom }) => swappedFrom)],
]

const lineColumns = (lines: readonly (readonly [consumer: string, line: AllocationLine])[]): unknown[] => [
  ...[plain(lines, ([consumer]) => consumer), plain(lines, ([, { provider }]) => provider)],
  ...[quoted(lines, ([, { resourceClass }]) => resourceClass), plain(lines, ([, { amount }]) => amount)],
]

function eventColumns({ claims, providers }: AllocationChange<AllocationRequest>): unknown[] {
  const writers = claims.map(({ writer }) => writer)
  return [
    claims[0]?.kind ?? 'allocated',
    JSON.stringify({ providers: providers.map(({ id }) => id), again: providers.some(({ times }) => times === 0) }),
    [...new Set(writers.map(({ who }) => who))].join(', '),
    ...[writers.length === 1 ? writers[0]?.request : null, null],
  ]
}

function trailColumns({ claims, hosts, known, swaps }: AllocationChange<AllocationRequest>): unknown[] {
  const trail = ({ consumers }: AllocationRequest) => {
    const swapped = consumers.flatMap(({ id }) => (swaps.has(id) ? [[swaps.get(id), id]] : []))
    return JSON.stringify({ providers: providersOf(consumers, known), ...(swapped.length > 0 ? { swapped } : {}) })
  }
  return [
    ...[quoted(claims, ({ writer }) => writer.who), quoted(claims, ({ writer }) => writer.request)],
    quoted(claims, (claim) => plain(hosts.get(claim) ?? [], (host) => host)),
    quoted(claims, trail),
    ...[quoted(claims, ({ writer }) => writer.owner.kind), quoted(claims, ({ writer }) => writer.owner.id)],
    quoted(claims, ({ writer }) => writer.owner.name),
  ]
}

function providersOf(consumers: readonly ConsumerWrite[], known: AllocationChange['known']): string[] {
  const all = consumers.flatMap(({ id, amounts }) => [...amounts, ...(known.get(id)?.lines ?? [])])
  return [...new Set(all.map(({ provider }) => provider))]
}

// PostgreSQL array literals. The driver would make them too, at several times the cost.

/** For values that need no quotes. */
function plain<Row>(rows: readonly Row[], read: (row: Row) => string | number | boolean | null): string {
  let list = ''
  for (const row of rows) list += `${list === '' ? '' : ','}${read(row)}`
  return `{${list}}`
}

function quoted<Row>(rows: readonly Row[], read: (row: Row) => string | null): string {
  return plain(rows, (row) => {
    const value = read(row)
    return value === null ? null : `"${SPECIAL.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`
  })
}

const SPECIAL = /["\\]/
