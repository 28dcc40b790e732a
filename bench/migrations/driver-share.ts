import { randomUUID } from 'node:crypto'
import type { DriverOperation } from '../../server/drivers/driver'
import { simulatedFleet } from '../../server/drivers/simulated/driver'
import { memoryState } from '../../server/drivers/simulated/state'
import type { HostId, InstanceId, MigrationId } from '../../server/engine/words/ids'
import { FLAVOR, IMAGE } from '../bench-fleet'

// The cost of the simulated hypervisors alone: the driver operations of live migrations, one after the other.

const MIGRATIONS = 500

/** CPU time of the driver operations of one migration, in a fleet of this many instances. */
export async function driverCpuMs(instances: number): Promise<number> {
  let now = Date.now()
  const driver = simulatedFleet({ state: memoryState(), now: () => now, speed: 1_000_000 })
  const [source, target] = [randomUUID() as HostId, randomUUID() as HostId]
  const claim = { amounts: [], cells: [], units: [] }
  const ids = Array.from({ length: Math.max(instances, MIGRATIONS) }, () => randomUUID() as InstanceId)
  await driver.adopt(
    ids.map((instance) => ({ instance, name: '', host: source, flavor: FLAVOR, image: IMAGE, running: true, claim })),
  )
  const before = process.cpuUsage()
  for (const instance of ids.slice(0, MIGRATIONS)) {
    const driverOperation: DriverOperation = {
      ...{ migration: randomUUID() as MigrationId, fence: 1, instanceFence: 1, operation: 'live-migrate', instance },
      ...{ name: '', source, target, wasRunning: true, storage: 'shared', reach: { source: true, target: true } },
      flavor: { source: FLAVOR, target: FLAVOR },
      image: { source: IMAGE, target: IMAGE },
      claim: { source: claim, target: claim },
    }
    await driver.prepare(driverOperation)
    await driver.transfer(driverOperation)
    now += 1_000
    const { did } = await driver.transfer(driverOperation)
    if (did !== 'done') throw new Error(`A transfer of the benchmark answered ${did}.`)
    await driver.locate(driverOperation)
    await driver.runAt(driverOperation, 'target')
    await driver.locate(driverOperation)
    await driver.clean(driverOperation, 'source')
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / MIGRATIONS
}
