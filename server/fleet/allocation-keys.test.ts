import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { type ConsumerWrite, decideAllocations } from '../engine/ledger/allocations'
import { connectDatabase } from '../store/database/database'
import { type AllocationRequest, applyAllocations, applyUnlessRaced } from '../store/placement/allocation-write'
import { writeInventories } from '../store/placement/inventory'
import { createProvider } from '../store/placement/provider'
import { FleetRecords } from './allocation-records'
import { ProviderForest } from './candidates-forest'

// `apply_allocations` does not pass the triggers that enforce the keys of an allocation, because it holds the rows that it
// refers to: also against a database client that removes or renames these rows at the same time.

const WRITER = { who: 'tester', request: 'r-1', owner: { kind: 'token', id: 't-1', name: 'tester' } } as const

const database = onFreshDatabase(connectDatabase)

interface HolderIds {
  readonly provider: string
  readonly consumer: string
}

const INTRUSIONS: readonly ((of: HolderIds) => string)[] = [
  ({ provider }) => `delete from inventory where provider_id = '${provider}'`,
  ({ provider }) => `update inventory set resource_class = 'DISK_GB' where provider_id = '${provider}'`,
  ({ consumer }) => `delete from consumer where id = '${consumer}'`,
  ({ consumer }) => `update consumer set id = '${randomUUID()}' where id = '${consumer}'`,
  ({ consumer }) => `with gone as (delete from allocation where consumer_id = '${consumer}')
    delete from consumer where id = '${consumer}'`,
]

const holding = ({ provider, consumer }: HolderIds, amount: number, generation: number | null): ConsumerWrite => ({
  ...{ id: consumer, generation, checked: true, project: 'p', user: 'u', type: null },
  amounts: amount === 0 ? [] : [{ provider, resourceClass: 'MEMORY_MB', amount }],
})

async function decided(consumer: ConsumerWrite) {
  const records = new FleetRecords(database, new ProviderForest(database))
  const claim: AllocationRequest = { kind: 'allocated', consumers: [consumer], writer: WRITER }
  await records.caughtUp([claim])
  return decideAllocations(records, [claim]).change
}

async function made(): Promise<HolderIds> {
  const [provider, consumer] = [randomUUID(), randomUUID()]
  await createProvider(database, { provider, name: provider, parent: null }, WRITER)
  const row = { resourceClass: 'MEMORY_MB', total: 99, reserved: 0, minUnit: 1, maxUnit: 99, stepSize: 1, ratio: 1 }
  await writeInventories(database, { provider, generation: 0, how: 'set', inventories: [row] }, WRITER)
  return { provider, consumer }
}

async function inTransaction(run: (client: pg.PoolClient) => Promise<unknown>, meanwhile: () => Promise<unknown>) {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    const failed = await run(client).then(
      () => false,
      () => true,
    )
    const later = meanwhile().catch(() => null)
    await Promise.race([later, new Promise((done) => setTimeout(done, 20))])
    await client.query(failed ? 'rollback' : 'commit')
    await later
  } finally {
    client.release()
  }
}

test('an allocation keeps its consumer and its inventory, whatever a database client writes meanwhile', async () => {
  const run = async (intrusion: (of: HolderIds) => string, amounts: readonly [number, number], isFirst: boolean) => {
    const place = await made()
    const [before, after] = amounts
    if (before > 0) await applyUnlessRaced(database, await decided(holding(place, before, null)))
    const change = await decided(holding(place, after, before > 0 ? 1 : null))
    const write = (client: Pick<pg.Pool, 'query'>) => applyAllocations(client, change)
    const intrude = (client: Pick<pg.Pool, 'query'>) => client.query(intrusion(place))
    await (isFirst
      ? inTransaction(intrude, () => write(database.pool))
      : inTransaction(write, () => intrude(database.pool)))
    const { rows } = await database.pool.query(
      `select a.* from allocation a left join consumer c on c.id = a.consumer_id left join inventory i using (provider_id, resource_class)
       where c.id is null or i.provider_id is null or i.used <> a.amount`,
    )
    expect(rows, intrusion(place)).toEqual([])
  }
  const amount = fc.nat({ max: 2 })
  const cases = fc.tuple(fc.constantFrom(...INTRUSIONS), fc.tuple(amount, amount), fc.boolean())
  await fc.assert(
    fc.asyncProperty(cases, ([intrusion, amounts, isFirst]) => run(intrusion, amounts, isFirst)),
    { numRuns: 80 },
  )
}, 120_000)
