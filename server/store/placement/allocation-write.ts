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

/** A consumer that is written, with what was known of it. */
interface KnownConsumer {
  readonly write: ConsumerWrite
  /** Number of its claim, from 1 on. */
  readonly of: number
  readonly held: ConsumerHolding | undefined
  /** For a new one: whose allocation it takes over; for an existing one: what was relied on. */
  readonly swappedFrom: string | null
}

type Parameters = (string | null)[]

// A sixth of the CPU time of a claim was spent here. Each array literal of PostgreSQL is one string that grows in a plain
// loop, and each part adds its own to the list: the driver would make them at several times the cost, and so would a
// function for each column. A server's first thousands of claims run this before V8 has compiled it well, so it has few
// closures, and neither spreads nor destructures lists.

function parametersOf(change: AllocationChange<AllocationRequest>): Parameters {
  const consumers = knownConsumers(change)
  const parameters: Parameters = []
  addProviders(parameters, change)
  addConsumers(parameters, consumers)
  addLines(parameters, consumers, 'held')
  addLines(parameters, consumers, 'written')
  addEvent(parameters, change)
  addTrail(parameters, change)
  return parameters
}

const NO_LINES: readonly AllocationLine[] = []

/** By id. A new one without allocations is not created. */
function knownConsumers({ claims, known, swaps }: AllocationChange): KnownConsumer[] {
  const consumers: KnownConsumer[] = []
  let of = 0
  for (const claim of claims) {
    of++
    for (const write of claim.consumers) {
      const held = known.get(write.id)
      if (!held && write.amounts.length === 0) continue
      const swappedFrom = (held ? held.swappedFrom : swaps.get(write.id)) ?? null
      consumers.push({ write, of, held, swappedFrom })
    }
  }
  return consumers.length > 1 ? consumers.sort((a, b) => (a.write.id < b.write.id ? -1 : 1)) : consumers
}

function addProviders(parameters: Parameters, { providers, hosts, foreignAllowed }: AllocationChange): void {
  let named = ''
  let raised = ''
  let stock = ''
  let classes = ''
  let deltas = ''
  let least = ''
  let most = ''
  let grain = ''
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
  const ownHosts = new Set<string>()
  for (const own of hosts.values()) for (const host of own) ownHosts.add(host)
  parameters.push(literal(named), literal(raised), listOf(ownHosts), `${foreignAllowed && ownHosts.size > 0}`)
  parameters.push(literal(stock), literal(classes), literal(deltas), literal(least), literal(most), literal(grain))
}

function addConsumers(parameters: Parameters, consumers: readonly KnownConsumer[]): void {
  let ids = ''
  let ofs = ''
  let was = ''
  let holds = ''
  let projects = ''
  let users = ''
  let types = ''
  let swapped = ''
  for (const { write, of, held, swappedFrom } of consumers) {
    ids = grown(ids, write.id)
    ofs = grown(ofs, of)
    was = grown(was, held ? held.generation : null)
    holds = grown(holds, write.amounts.length > 0)
    projects = grown(projects, quoted(write.project))
    users = grown(users, quoted(write.user))
    types = grown(types, write.type === null ? null : quoted(write.type))
    swapped = grown(swapped, swappedFrom)
  }
  parameters.push(literal(ids), literal(ofs), literal(was), literal(holds))
  parameters.push(literal(projects), literal(users), literal(types), literal(swapped))
}

function addLines(parameters: Parameters, consumers: readonly KnownConsumer[], which: 'held' | 'written'): void {
  let ids = ''
  let providers = ''
  let classes = ''
  let amounts = ''
  for (const { write, held } of consumers) {
    for (const line of which === 'written' ? write.amounts : (held?.lines ?? NO_LINES)) {
      ids = grown(ids, write.id)
      providers = grown(providers, line.provider)
      classes = grown(classes, quoted(line.resourceClass))
      amounts = grown(amounts, line.amount)
    }
  }
  parameters.push(literal(ids), literal(providers), literal(classes), literal(amounts))
}

function addEvent(parameters: Parameters, { claims, providers }: AllocationChange<AllocationRequest>): void {
  const [first] = claims
  const data = { providers: providers.map(({ id }) => id), again: providers.some(({ times }) => times === 0) }
  const isAlone = claims.length === 1
  parameters.push(first?.kind ?? 'allocated', JSON.stringify(data))
  parameters.push(isAlone && first ? first.writer.who : [...new Set(claims.map(({ writer }) => writer.who))].join(', '))
  parameters.push(isAlone && first ? first.writer.request : null, null)
}

function addTrail(parameters: Parameters, change: AllocationChange<AllocationRequest>): void {
  let whos = ''
  let requests = ''
  let hosts = ''
  let trails = ''
  let kinds = ''
  let ids = ''
  let names = ''
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
  parameters.push(literal(whos), literal(requests), literal(hosts), literal(trails))
  parameters.push(literal(kinds), literal(ids), literal(names))
}

interface TrailData {
  readonly providers: readonly string[]
  /** Pairs of a giver and its taker. */
  swapped?: readonly (readonly [string | undefined, string])[]
}

function trailOf({ consumers }: AllocationRequest, { known, swaps }: AllocationChange): TrailData {
  const providers = new Set<string>()
  for (const { id, amounts } of consumers) {
    for (const { provider } of amounts) providers.add(provider)
    for (const { provider } of known.get(id)?.lines ?? NO_LINES) providers.add(provider)
  }
  const data: TrailData = { providers: [...providers] }
  const takers = swaps.size === 0 ? [] : consumers.filter(({ id }) => swaps.has(id))
  if (takers.length > 0) data.swapped = takers.map(({ id }) => [swaps.get(id), id])
  return data
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
