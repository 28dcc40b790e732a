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
    ...[plain(providers.map(({ id }) => id)), plain(providers.map(({ times }) => times))],
    ...[plain(hosts), change.foreignAllowed && hosts.length > 0],
    ...[plain(stocks.map((each) => each.provider)), quoted(stocks.map((each) => each.resourceClass))],
    plain(stocks.map(({ delta }) => delta)),
    ...[plain(stocks.map(({ least }) => least)), plain(stocks.map(({ most }) => most))],
    plain(stocks.map(({ grain }) => grain)),
    ...consumerColumns(consumers),
    ...lineColumns(consumers.flatMap(({ id, held }) => (held?.lines ?? []).map((line) => [id, line] as const))),
    ...lineColumns(consumers.flatMap(({ id, amounts }) => amounts.map((line) => [id, line] as const))),
    ...eventColumns(change),
    ...trailColumns(change),
  ]
}

const consumerColumns = (consumers: readonly NumberedConsumer[]): unknown[] => [
  ...[plain(consumers.map(({ id }) => id)), plain(consumers.map(({ of }) => of))],
  plain(consumers.map(({ held }) => held?.generation ?? null)),
  plain(consumers.map(({ amounts }) => amounts.length > 0)),
  ...[quoted(consumers.map(({ project }) => project)), quoted(consumers.map(({ user }) => user))],
  ...[quoted(consumers.map(({ type }) => type)), plain(consumers.map(({ swappedFrom }) => swappedFrom))],
]

const lineColumns = (lines: readonly (readonly [consumer: string, line: AllocationLine])[]): unknown[] => [
  ...[plain(lines.map(([consumer]) => consumer)), plain(lines.map(([, { provider }]) => provider))],
  ...[quoted(lines.map(([, { resourceClass }]) => resourceClass)), plain(lines.map(([, { amount }]) => amount))],
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
  const owners = claims.map(({ writer }) => writer.owner)
  return [
    ...[quoted(claims.map(({ writer }) => writer.who)), quoted(claims.map(({ writer }) => writer.request))],
    quoted(claims.map((claim) => plain(hosts.get(claim) ?? []))),
    quoted(
      claims.map(({ consumers }) => {
        const swapped = consumers.flatMap(({ id }) => (swaps.has(id) ? [[swaps.get(id), id]] : []))
        return JSON.stringify({ providers: providersOf(consumers, known), ...(swapped.length > 0 ? { swapped } : {}) })
      }),
    ),
    ...[owners.map(({ kind }) => kind), owners.map(({ id }) => id), owners.map(({ name }) => name)].map(quoted),
  ]
}

function providersOf(consumers: readonly ConsumerWrite[], known: AllocationChange['known']): string[] {
  const all = consumers.flatMap(({ id, amounts }) => [...amounts, ...(known.get(id)?.lines ?? [])])
  return [...new Set(all.map(({ provider }) => provider))]
}

// PostgreSQL array literals. The driver would make them too, at several times the cost.

/** For values that need no quotes. */
const plain = (values: readonly (string | number | boolean | null)[]) =>
  `{${values.map((value) => value ?? 'null').join(',')}}`

const SPECIAL = /["\\]/
const quotedOne = (value: string) => `"${SPECIAL.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`
const quoted = (values: readonly (string | null)[]) =>
  `{${values.map((value) => (value === null ? 'null' : quotedOne(value))).join(',')}}`
