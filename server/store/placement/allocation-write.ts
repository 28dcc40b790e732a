import pg from 'pg'
import type {
  AllocationChange,
  AllocationClaim,
  AllocationLine,
  ConsumerHolding,
  ConsumerWrite,
  ProviderChange,
} from '../../engine/ledger/allocations'
import type { RaisedGenerations } from '../../engine/ledger/raised'
import type { Database } from '../database/database'
import { callForJson } from '../database/json-call'
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
  const call = { name: 'apply-allocations', text: TEXT, values: parametersOf(change) }
  return (await callForJson<RaisedGenerations>(connection, call)) ?? {}
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

// A sixth of the CPU time of a claim was spent here, so each array literal of PostgreSQL is one string that grows in a
// plain loop. The driver would make them at several times the cost, and so would a function for each column.

function parametersOf(change: AllocationChange<AllocationRequest>): (string | null)[] {
  const consumers = numberedConsumers(change)
  const hosts = new Set<string>()
  for (const own of change.hosts.values()) for (const host of own) hosts.add(host)
  const [named = '', times = '', ...stocks] = providerColumns(change.providers)
  return [
    ...[named, times, listOf(hosts), `${change.foreignAllowed && hosts.size > 0}`, ...stocks],
    ...consumerColumns(consumers),
    ...lineColumns(consumers, ({ held }) => held?.lines ?? NO_LINES),
    ...lineColumns(consumers, ({ amounts }) => amounts),
    ...eventColumns(change),
    ...trailColumns(change),
  ]
}

const NO_LINES: readonly AllocationLine[] = []

/** By id. A new one without allocations is not created. */
function numberedConsumers({ claims, known, swaps }: AllocationChange): NumberedConsumer[] {
  const consumers: NumberedConsumer[] = []
  for (const [at, claim] of claims.entries()) {
    for (const each of claim.consumers) {
      const held = known.get(each.id)
      if (!held && each.amounts.length === 0) continue
      const swappedFrom = (held ? held.swappedFrom : swaps.get(each.id)) ?? null
      consumers.push({ ...each, of: at + 1, held, swappedFrom })
    }
  }
  return consumers.length > 1 ? consumers.sort((a, b) => (a.id < b.id ? -1 : 1)) : consumers
}

function providerColumns(providers: readonly ProviderChange[]): string[] {
  let [named, raised, stock, classes, deltas, least, most, grain] = ['', '', '', '', '', '', '', '']
  for (const { id, times, stocks } of providers) {
    named = grown(named, id)
    raised = grown(raised, times)
    for (const each of stocks) {
      stock = grown(stock, each.provider)
      classes = grown(classes, quoted(each.resourceClass))
      deltas = grown(deltas, each.delta)
      least = grown(least, each.least)
      most = grown(most, each.most)
      grain = grown(grain, each.grain)
    }
  }
  return [named, raised, stock, classes, deltas, least, most, grain].map(literal)
}

function consumerColumns(consumers: readonly NumberedConsumer[]): string[] {
  let [ids, ofs, was, holds, projects, users, types, swapped] = ['', '', '', '', '', '', '', '']
  for (const { id, of, held, amounts, project, user, type, swappedFrom } of consumers) {
    ids = grown(ids, id)
    ofs = grown(ofs, of)
    was = grown(was, held ? held.generation : null)
    holds = grown(holds, amounts.length > 0)
    projects = grown(projects, quoted(project))
    users = grown(users, quoted(user))
    types = grown(types, type === null ? null : quoted(type))
    swapped = grown(swapped, swappedFrom)
  }
  return [ids, ofs, was, holds, projects, users, types, swapped].map(literal)
}

function lineColumns(
  consumers: readonly NumberedConsumer[],
  linesOf: (consumer: NumberedConsumer) => readonly AllocationLine[],
): string[] {
  let [ids, providers, classes, amounts] = ['', '', '', '']
  for (const consumer of consumers) {
    for (const { provider, resourceClass, amount } of linesOf(consumer)) {
      ids = grown(ids, consumer.id)
      providers = grown(providers, provider)
      classes = grown(classes, quoted(resourceClass))
      amounts = grown(amounts, amount)
    }
  }
  return [ids, providers, classes, amounts].map(literal)
}

function eventColumns({ claims, providers }: AllocationChange<AllocationRequest>): (string | null)[] {
  const who = new Set(claims.map(({ writer }) => writer.who))
  return [
    claims[0]?.kind ?? 'allocated',
    JSON.stringify({ providers: providers.map(({ id }) => id), again: providers.some(({ times }) => times === 0) }),
    [...who].join(', '),
    ...[claims.length === 1 ? (claims[0]?.writer.request ?? null) : null, null],
  ]
}

function trailColumns(change: AllocationChange<AllocationRequest>): string[] {
  let [whos, requests, hosts, trails, kinds, ids, names] = ['', '', '', '', '', '', '']
  for (const claim of change.claims) {
    const { who, request, owner } = claim.writer
    whos = grown(whos, quoted(who))
    requests = grown(requests, quoted(request))
    hosts = grown(hosts, quoted(listOf(change.hosts.get(claim) ?? [])))
    // The outer call quotes the element: JSON text has no control characters, so only quotes and backslashes are
    // escaped, as an array literal requires.
    trails = grown(trails, JSON.stringify(JSON.stringify(trailOf(claim, change))))
    kinds = grown(kinds, quoted(owner.kind))
    ids = grown(ids, quoted(owner.id))
    names = grown(names, quoted(owner.name))
  }
  return [whos, requests, hosts, trails, kinds, ids, names].map(literal)
}

function trailOf({ consumers }: AllocationRequest, { known, swaps }: AllocationChange) {
  const providers = new Set<string>()
  for (const { id, amounts } of consumers) {
    for (const { provider } of amounts) providers.add(provider)
    for (const { provider } of known.get(id)?.lines ?? NO_LINES) providers.add(provider)
  }
  const swapped = swaps.size === 0 ? [] : consumers.flatMap(({ id }) => (swaps.has(id) ? [[swaps.get(id), id]] : []))
  return { providers: [...providers], ...(swapped.length > 0 ? { swapped } : {}) }
}

/** The list with one more element. */
const grown = (list: string, value: string | number | boolean | null): string =>
  list === '' ? `${value}` : `${list},${value}`

const literal = (list: string): string => `{${list}}`

function listOf(ids: Iterable<string>): string {
  let list = ''
  for (const id of ids) list = grown(list, id)
  return literal(list)
}

/** An element that may have any character. */
const quoted = (text: string): string => `"${SPECIAL.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`

const SPECIAL = /["\\]/
