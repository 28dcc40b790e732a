import { randomUUID } from 'node:crypto'
import type { HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import type { BuildOrder, DriverOperation } from '../driver'
import type { DriverFixture } from '../fixture.contract'
import type { Hardware } from './devices'
import { type SimulatedFleet, simulatedFleet } from './driver'
import { memoryState } from './state'

// Two simulated hosts in memory, a clock that the test advances, and an instance to migrate between them.

export const A = randomUUID() as HostId
export const B = randomUUID() as HostId
export const SECOND = 1_000
export const MIB = 1024 * 1024
const START = 1_800_000_000_000

export interface TwoHosts extends DriverFixture {
  readonly driver: SimulatedFleet
  advance(ms: number): void
}

export function makeTwoHosts({ speed = 1, hardware }: { speed?: number; hardware?: Hardware } = {}): TwoHosts {
  let now = START
  const driver = simulatedFleet({ state: memoryState(), now: () => now, speed, hardware: () => hardware ?? null })
  const advance = (ms: number) => {
    now += ms
  }
  return {
    driver,
    hosts: [A, B],
    newInstance: (host) => newInstance(host),
    disks: async (host) => (await driver.survey(host))?.length ?? 0,
    newMigration: () => randomUUID() as MigrationId,
    advance,
    pass: async () => advance(SECOND),
    close: async () => {},
  }
}

export function newInstance(host: HostId): BuildOrder {
  return {
    instance: randomUUID() as InstanceId,
    name: 'web-1',
    host,
    flavor: { name: 'm1', vcpus: 2, memoryMib: 4096, diskGib: 10, extraSpecs: {} },
    image: { name: 'debian', properties: {} },
    claim: { amounts: [], cells: [], units: [] },
    fence: 1,
  }
}

export async function moving(fixture: TwoHosts, change: Partial<DriverOperation> = {}): Promise<DriverOperation> {
  const order = newInstance(A)
  await fixture.driver.build(order)
  return { ...driverOperationOf(order), ...change }
}

function driverOperationOf(order: BuildOrder): DriverOperation {
  const { instance, name, flavor, image, claim } = order
  return {
    migration: randomUUID() as MigrationId,
    fence: 1,
    instanceFence: 1,
    operation: 'live-migrate',
    instance,
    name,
    source: A,
    target: B,
    flavor: { source: flavor, target: flavor },
    image: { source: image, target: image },
    claim: { source: claim, target: claim },
    wasRunning: true,
    storage: 'shared',
    reach: { source: true, target: true },
  }
}
