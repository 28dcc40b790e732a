import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { migrate } from '../server/boot/migrate'
import { removeCluster, startCluster } from '../server/boot/postgres/cluster'
import type { Actor } from '../server/engine/change'
import { type Demand, demandOf, type Flavor, type Image } from '../server/engine/demand'
import type { HostSpec } from '../server/engine/host'
import type { Inventory } from '../server/engine/resources/inventory'
import type { NumaNode } from '../server/engine/topology/host'
import type { HostId, ProviderId } from '../server/engine/words/ids'
import { connectDatabase, type Database } from '../server/store/database/database'

// A PostgreSQL for the benchmark only, with production settings (durable commits), and hosts large enough that a run
// does not fill them.

const DIRECTORY = path.join(import.meta.dirname, '../.data/bench-postgres')

export const ACTOR: Actor = { who: 'bench', request: 'bench', reason: null }

export interface BenchDatabase {
  readonly database: Database
  stop(): Promise<void>
}

/** `preload`: libraries that PostgreSQL loads at start, for its statistics. */
export async function openBenchDatabase(connections: number, preload: readonly string[] = []): Promise<BenchDatabase> {
  const directory = path.join(DIRECTORY, String(process.pid))
  let cluster = await startCluster({ directory })
  const url = await cluster.ensureDatabase('bench')
  if (preload.length > 0) {
    const asking = connectDatabase({ url, connections: 1 })
    await asking.pool.query(`alter system set shared_preload_libraries = ${preload.join(', ')}`)
    await asking.close()
    await cluster.stop()
    cluster = await startCluster({ directory })
  }
  await migrate(url)
  const database = connectDatabase({ url, connections })
  return {
    database,
    stop: async () => {
      await database.close()
      await cluster.stop()
      await removeCluster(directory)
    },
  }
}

const NODES = 4
const CORES_PER_NODE = 32
const GIB_PER_NODE = 256

function nodeOf(id: number): NumaNode {
  const first = id * CORES_PER_NODE * 2
  const siblings = Array.from({ length: CORES_PER_NODE }, (_, core) => [first + core * 2, first + core * 2 + 1])
  const memoryMib = GIB_PER_NODE * 1024
  return {
    id,
    socket: id >> 1,
    sharedCpus: [],
    dedicatedCpus: siblings.flat(),
    siblings,
    pinnedCpus: [],
    sharedUsed: 0,
    memoryMib,
    memoryUsedMib: 0,
    pages: [{ sizeKib: 4, total: memoryMib * 256, used: 0, reserved: 0 }],
  }
}

function inventory(resourceClass: string, total: number): Inventory {
  const bounds = { reserved: 0, minUnit: 1, maxUnit: total, stepSize: 1 }
  return { resourceClass, total, ...bounds, allocationRatioMilli: 1000, used: 0 }
}

/** Hosts with 4 NUMA nodes and 256 CPUs for pinned instances. */
export function benchHosts(count: number, name: string): HostSpec[] {
  return Array.from({ length: count }, (_, index) => {
    const id = randomUUID() as HostId
    const label = `${name}-${String(index).padStart(4, '0')}`
    const numaNodes = Array.from({ length: NODES }, (_, cell) => nodeOf(cell))
    const root = {
      id: id as string as ProviderId,
      name: label,
      parent: null,
      generation: 0,
      inventories: [
        inventory('PCPU', NODES * CORES_PER_NODE * 2),
        inventory('MEMORY_MB', NODES * GIB_PER_NODE * 1024),
        inventory('DISK_GB', 100_000),
      ],
      traits: [],
      aggregates: [],
      sharing: false,
    }
    const cpu = { arch: 'x86_64', vendor: 'Intel', model: 'Icelake-Server', features: ['avx2'] }
    const standing = {
      status: 'up',
      scheduling: 'enabled',
      layout: 'flat',
      driver: 'simulated',
      memory: 'exact',
    } as const
    return {
      frame: { id, name: label, zone: null, cpu, ...standing },
      providers: [root],
      numaNodes,
      devices: [],
    }
  })
}

export const FLAVOR: Flavor = {
  name: 'pinned.2',
  vcpus: 2,
  memoryMib: 4096,
  diskGib: 20,
  extraSpecs: { 'hw:cpu_policy': 'dedicated', 'hw:numa_nodes': '1' },
}
export const IMAGE: Image = { name: 'debian-13', properties: {} }

export function benchDemand(): Demand {
  const answer = demandOf(FLAVOR, IMAGE)
  if (!answer.ok) throw new Error(JSON.stringify(answer.refusals))
  return answer.demand
}

/** Deletes the rows of all instances, so that a run does not pay for the rows of the previous one. */
export async function emptyFleet({ pool }: Database): Promise<void> {
  await pool.query('truncate unit_holding, claim_cell, claim, allocation, consumer, outbox, event cascade')
  await pool.query('truncate instance cascade')
  await pool.query('vacuum analyze')
}
