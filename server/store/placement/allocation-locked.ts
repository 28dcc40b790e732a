import pg from 'pg'
import {
  type AllocationRecords,
  type AllocationRefusal,
  type ConsumerWrite,
  decideAllocations,
  type ProviderChange,
} from '../../engine/ledger/allocations'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { CONSUMER_CHANGED, type LockedRecords, lockRecords } from './allocation-records'
import { type AllocationRequest, applyAllocations, RETRYABLE_SQLSTATES } from './allocation-write'
import { type InventoryRow, inventoryJson } from './inventory'
import { type PlacementRefusal, refusedBy, type WriteResult, type Writer } from './refused'

// Claims decided under row locks: those that lost too many races, and reshapes, which change inventories and their
// allocations together.

export interface Shape {
  readonly provider: string
  readonly generation: number
  readonly inventories: readonly InventoryRow[]
}

export interface LockedAllocations {
  readonly kind?: AllocationRequest['kind']
  readonly consumers: readonly ConsumerWrite[]
  readonly shapes: readonly Shape[] | null
}

const TRIES = 10

/** All consumers or none of them; with shapes, a reshape. */
export async function writeAllocations(
  database: Database,
  { kind = 'allocated', consumers, shapes }: LockedAllocations,
  writer: Writer,
): Promise<WriteResult<null>> {
  const request: AllocationRequest = { kind: shapes ? 'reshaped' : kind, consumers, writer }
  for (let attempt = 1; ; attempt++) {
    try {
      await inTransaction(database, (client) => write(client, request, shapes ?? []))
      return { ok: true, value: null }
    } catch (error) {
      if (error instanceof RefusedUnderLock) return { ok: false, refused: error.refused }
      const refused = refusedBy(error)
      if (refused) return { ok: false, refused }
      if (!isRaced(error) || attempt === TRIES) throw error
    }
  }
}

/** Ends the transaction with nothing written. */
class RefusedUnderLock extends Error {
  readonly refused: PlacementRefusal

  constructor(refused: PlacementRefusal) {
    super(refused.kind)
    this.refused = refused
  }
}

const isRaced = (error: unknown) =>
  error instanceof pg.DatabaseError
    ? RETRYABLE_SQLSTATES.includes(error.code)
    : error instanceof Error && error.message === CONSUMER_CHANGED

async function write(client: pg.PoolClient, request: AllocationRequest, shapes: readonly Shape[]): Promise<void> {
  const lines = request.consumers.flatMap(({ amounts }) => amounts)
  const records = await lockRecords(client, {
    providers: [...lines, ...shapes].map(({ provider }) => provider),
    consumers: request.consumers.map(({ id }) => id),
    classes: [...lines, ...shapes.flatMap(({ inventories }) => inventories)].map((each) => each.resourceClass),
  })
  if (request.kind === 'released' && !request.consumers.some(({ id }) => records.holding(id)?.lines.length)) {
    throw new RefusedUnderLock({ kind: 'nothing-held' })
  }
  const misshaped = shapeRefusal(records, shapes)
  if (misshaped) throw new RefusedUnderLock(misshaped)
  for (const { provider, inventories } of shapes) records.put(provider, stocksOf(records, provider, inventories))
  const { change, refused } = decideAllocations(records, [request])
  const [why] = refused.values()
  if (why) throw new RefusedUnderLock(why)
  for (const { provider, inventories } of shapes) {
    await client.query('select placement_put_inventories($1, $2)', [
      provider,
      JSON.stringify(inventories.map(inventoryJson)),
    ])
  }
  await applyAllocations(client, { ...change, ...reshaped(records, request, { change, shapes }) })
  if (shapes.length > 0) await client.query('select placement_finish_reshape($1)', [shapesJson(shapes)])
}

const shapesJson = (shapes: readonly Shape[]) =>
  JSON.stringify(
    shapes.map(({ provider, inventories }) => [provider, inventories.map(({ resourceClass }) => resourceClass)]),
  )

type ShapeRefusal =
  | AllocationRefusal
  | { readonly kind: 'no-shape-provider'; readonly provider: string }
  | { readonly kind: 'shape-generation'; readonly provider: string; readonly found: number; readonly given: number }

/**
 * Checks every provider before any resource class, as Placement does, so that of two errors both report the same one.
 */
function shapeRefusal(records: AllocationRecords, shapes: readonly Shape[]): ShapeRefusal | null {
  for (const { provider, generation: given } of shapes) {
    const found = records.provider(provider)?.generation
    if (found === undefined) return { kind: 'no-shape-provider', provider }
    if (found !== given) return { kind: 'shape-generation', provider, found, given }
  }
  const inventories = shapes.flatMap((shape) => shape.inventories)
  const unknown = inventories.find(({ resourceClass }) => !records.hasClass(resourceClass))
  return unknown ? { kind: 'no-class', class: unknown.resourceClass } : null
}

function stocksOf(records: LockedRecords, provider: string, inventories: readonly InventoryRow[]) {
  const held = records.provider(provider)?.stocks
  return new Map(
    inventories.map(({ resourceClass, ...stock }) => {
      return [resourceClass, { ...stock, used: held?.get(resourceClass)?.used ?? 0 }]
    }),
  )
}

type AllocationDecision = ReturnType<typeof decideAllocations<AllocationRequest>>['change']

/** Clients expect Placement's generations: one step for the interim inventories, one for the final ones. */
function reshaped(
  records: AllocationRecords,
  request: AllocationRequest,
  { change, shapes }: { readonly change: AllocationDecision; readonly shapes: readonly Shape[] },
): Pick<AllocationDecision, 'providers' | 'hosts'> {
  if (shapes.length === 0) return change
  const providers = new Map<string, ProviderChange>(change.providers.map((each) => [each.id, each]))
  const raise = (id: string, times: number) => {
    const there = providers.get(id)
    providers.set(id, { id, stocks: [], ...there, times: (there?.times ?? 0) + times })
  }
  const hosts = new Set(change.hosts.get(request))
  for (const { provider, inventories } of shapes) {
    raise(provider, inventories.length === 0 ? 1 : 2)
    const root = records.provider(provider)?.root
    if (root === undefined || !records.hosts.has(root) || hosts.has(root)) continue
    hosts.add(root)
    if (root !== provider) raise(root, 1)
  }
  const sorted = [...providers.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  return { providers: sorted, hosts: new Map([[request, [...hosts]]]) }
}
