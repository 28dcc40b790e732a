import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import type { BuildOrder } from '../drivers/driver'
import { driverContract } from '../drivers/driver.contract'
import { simulatedFleet } from '../drivers/simulated/driver'
import { tableState } from '../drivers/simulated/table-state'
import type { HostId, InstanceId, MigrationId } from '../engine/words/ids'
import { connectDatabase } from '../store/database/database'
import { simulatorTable } from '../store/simulator/simulator'

// The simulated fleet in its real table: it fulfils the driver contract there too, several servers see the same hosts,
// and the state outlives each server.

const START = 1_800_000_000_000
const database = onFreshDatabase(connectDatabase)

const hostId = () => randomUUID() as HostId
const server = (now: () => number) => simulatedFleet({ state: tableState(simulatorTable(database)), now, speed: 1 })

const newInstance = (host: HostId): BuildOrder => ({
  instance: randomUUID() as InstanceId,
  name: 'web-1',
  host,
  flavor: { name: 'm1', vcpus: 2, memoryMib: 4096, diskGib: 1, extraSpecs: {} },
  image: { name: 'debian', properties: {} },
  claim: { amounts: [], cells: [], units: [] },
  fence: 1,
})

driverContract('simulated, in its table', async () => {
  let now = START
  const driver = server(() => now)
  return {
    driver,
    hosts: [hostId(), hostId()],
    newInstance: (host) => newInstance(host),
    disks: async (host) => (await driver.survey(host))?.length ?? 0,
    newMigration: () => randomUUID() as MigrationId,
    pass: async () => {
      now += 1_000
    },
    close: async () => {},
  }
})

describe('several servers', () => {
  test('share one fleet, and a fault planned by one affects the other', async () => {
    const [one, other] = [server(() => START), server(() => START)]
    const order = newInstance(hostId())
    await one.build(order)
    expect(await other.survey(order.host)).toMatchObject([{ instance: order.instance, observedState: 'running' }])
    await one.setFault(order.host, { do: 'plan', fault: { on: 'destroy', nth: 1, goes: 'fail' } })
    expect((await other.destroy({ ...order, fence: 2 })).did).toBe('failed')
    expect((await other.destroy({ ...order, fence: 2 })).did).toBe('done')
  })

  test('lose no update when they write one record at once', async () => {
    const fleets = Array.from({ length: 4 }, () => server(() => START))
    const order = newInstance(hostId())
    const rates = Array.from({ length: 20 }, (_, index) => index + 1)
    await Promise.all(rates.map((rate) => fleets[rate % 4]!.setDirtyRate(order.instance, rate)))
    const { instance: read } = await tableState(simulatorTable(database)).readScene(order.instance, [])
    expect(read.version).toBe(20)
    expect(read.record.dirty.map((rate) => rate.bytesPerS).sort((a, b) => a - b)).toEqual(rates)
  })

  test('take over a fleet that was imported in bulk', async () => {
    const host = hostId()
    const instances = Array.from({ length: 1500 }, () => ({ ...newInstance(host), running: true }))
    await server(() => START).adopt(instances)
    expect(await server(() => START).survey(host)).toHaveLength(1500)
  })
})
