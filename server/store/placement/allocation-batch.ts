import type { Database } from '../database/database'
import type { ConsumerWrite } from './allocation'
import type { Writer } from './refused'

// Claims of several clients in one call of the database, `placement_allocate_all`.

/** What one client asked for: all of its consumers or none. Each holds something, and none is named twice. */
export interface BatchedClaim {
  readonly consumers: readonly ConsumerWrite[]
  readonly writer: Writer
}

const PARAMETERS = 29
const TEXT = `select refused, missed from placement_allocate_all(${Array.from({ length: PARAMETERS }, (_, at) => `$${at + 1}`)})`

/** Writes all of them, or nothing and answers which do not go together with the rest: `placement_allocate` says why. */
export async function writeBatch(database: Database, claims: readonly BatchedClaim[]): Promise<ReadonlySet<number>> {
  const needs = needsOf(claims)
  const values = [...consumerColumns(claims), ...lineColumns(claims), ...needColumns(needs), ...trailColumns(claims)]
  const { rows } = await database.pool.query<{ refused: number[]; missed: number[] }>({
    ...{ name: 'placement-allocate-all', text: TEXT, values },
  })
  const [{ refused, missed } = { refused: [], missed: [] }] = rows
  return new Set([
    ...refused.map((of) => of - 1),
    ...missed.flatMap((row) => [...(needs.rows[row - 1] as Need).inventory.claims]),
  ])
}

/** One inventory, and all that the batch wants of it. */
interface InventoryDemand {
  total: number
  /** Numbers of the claims, from 0. */
  readonly claims: Set<number>
}

interface Need {
  readonly provider: string
  readonly resourceClass: string
  readonly amount: number
  readonly inventory: InventoryDemand
}

interface Needs {
  readonly rows: readonly Need[]
  /** Provider → the claims that name it. */
  readonly named: ReadonlyMap<string, ReadonlySet<number>>
  /** Of each claim, where its consumers are among all of the batch: from 1, both ends included. */
  readonly spans: readonly (readonly [first: number, last: number])[]
}

/** Each shape of an amount once, however many claims want it: on a busy provider all are alike. */
function needsOf(claims: readonly BatchedClaim[]): Needs {
  const rows = new Map<string, Need>()
  const inventories = new Map<string, InventoryDemand>()
  const named = new Map<string, Set<number>>()
  const spans: [number, number][] = []
  let consumersBefore = 0
  for (const [of, { consumers }] of claims.entries()) {
    spans.push([consumersBefore + 1, consumersBefore + consumers.length])
    consumersBefore += consumers.length
    for (const { amounts } of consumers) {
      for (const { provider: said, resourceClass, amount } of amounts) {
        const provider = said.toLowerCase()
        added(named, provider, () => new Set()).add(of)
        const key = `${provider} ${resourceClass}`
        const inventory = added(inventories, key, () => ({ total: 0, claims: new Set() }))
        inventory.total += amount
        inventory.claims.add(of)
        added(rows, `${key} ${amount}`, () => ({ provider, resourceClass, amount, inventory }))
      }
    }
  }
  return { rows: [...rows.values()], named, spans }
}

function added<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const there = map.get(key)
  if (there !== undefined) return there
  const made = make()
  map.set(key, made)
  return made
}

// Arrays as PostgreSQL reads them. The driver would make them as well, at several times the cost.

/** Of what needs no quotes. */
const plain = (values: readonly (string | number | boolean | null)[]) =>
  `{${values.map((value) => value ?? 'null').join(',')}}`

const SPECIAL = /["\\]/
const quotedOne = (value: string) => `"${SPECIAL.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`
const quoted = (values: readonly (string | null)[]) =>
  `{${values.map((value) => (value === null ? 'null' : quotedOne(value))).join(',')}}`

function consumerColumns(claims: readonly BatchedClaim[]): unknown[] {
  const all = claims.flatMap(({ consumers }) => consumers)
  return [
    all.some(({ checked, generation }) => !checked || generation !== null),
    plain(all.map(({ id }) => id)),
    plain(claims.flatMap(({ consumers }, of) => consumers.map(() => of + 1))),
    plain(all.map(({ generation }) => generation)),
    plain(all.map(({ checked }) => checked)),
    quoted(all.map(({ project }) => project)),
    quoted(all.map(({ user }) => user)),
    quoted(all.map(({ type }) => type)),
  ]
}

function lineColumns(claims: readonly BatchedClaim[]): unknown[] {
  const lines = claims.flatMap(({ consumers }, of) =>
    consumers.flatMap(({ id, amounts }) => amounts.map((amount) => ({ id, of, ...amount }))),
  )
  return [
    plain(lines.map(({ id }) => id)),
    plain(lines.map(({ of }) => of + 1)),
    plain(lines.map(({ provider }) => provider)),
    plain(lines.map(({ resourceClass }) => resourceClass)),
    plain(lines.map(({ amount }) => amount)),
  ]
}

const NOBODY: readonly [number, number] = [1, 0]

function needColumns({ rows, named, spans }: Needs): unknown[] {
  const spanOf = ({ provider }: Need) => {
    const [only, ...others] = named.get(provider) ?? []
    return (others.length === 0 && only !== undefined && spans[only]) || NOBODY
  }
  return [
    plain(rows.map(({ provider }) => provider)),
    plain(rows.map(({ resourceClass }) => resourceClass)),
    plain(rows.map(({ amount }) => amount)),
    plain(rows.map(({ inventory }) => inventory.total)),
    plain(rows.map((row) => spanOf(row)[0])),
    plain(rows.map((row) => spanOf(row)[1])),
    plain([...named.keys()]),
    plain([...named.values()].map(({ size }) => size)),
  ]
}

function trailColumns(claims: readonly BatchedClaim[]): unknown[] {
  const whos = claims.map(({ writer }) => writer.who)
  const requests = claims.map(({ writer }) => writer.request)
  const trails = claims.map(({ consumers }) => {
    const providers = new Set(consumers.flatMap(({ amounts }) => amounts.map(({ provider }) => provider)))
    return JSON.stringify({ providers: [...providers] })
  })
  const one = requests.length === 1 ? requests[0] : null
  const owners = claims.map(({ writer }) => writer.owner)
  return [
    ...[quoted(whos), quoted(requests), quoted(trails)],
    ...[owners.map(({ kind }) => kind), owners.map(({ id }) => id), owners.map(({ name }) => name)].map(quoted),
    ...[[...new Set(whos)].join(', '), one],
  ]
}
