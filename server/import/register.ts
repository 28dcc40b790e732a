import type { BuildOrder } from '../drivers/driver'
import type { Actor, Change } from '../engine/change'
import type { DemandOptions, Flavor, PciAlias } from '../engine/demand'
import type { HostSpec } from '../engine/host'
import { adopt } from '../engine/lifecycle'
import type { HostId } from '../engine/words/ids'
import { putAliases, putFlavors, readAliases } from '../store/catalog/policy'
import { commitMany } from '../store/commit/commit'
import type { Database } from '../store/database/database'
import { renewStatistics } from '../store/database/statistics'
import { readHosts } from '../store/host/read'
import { type HostConnection, type PutHostResult, putHosts } from '../store/host/write'
import { readNames } from '../store/search/names'
import type { Workload } from './fleet-csv'
import { instanceIdOf } from './host-spec'
import { type PlacedWorkload, placeWorkloads, type UnplacedWorkload } from './placing'

// Records an imported or demo fleet: hosts, then a claim for every workload that fits. Claims are committed in batches;
// each is guarded by generations and has its own result. A repeated import changes nothing.

export interface Fleet {
  readonly hosts: readonly HostSpec[]
  readonly workloads: readonly Workload[]
  readonly aliases: readonly PciAlias[]
  readonly flavors: readonly Flavor[]
  readonly order: 'fill' | 'spread'
  /** Connections of hosts that were read from their own hypervisor. */
  readonly connections?: ReadonlyMap<HostId, HostConnection>
}

type RunningInstance = BuildOrder & { readonly running: boolean }

export interface RegisterServices {
  readonly database: Database
  /** Creates instances on the simulated hypervisors as if they had been running before. */
  readonly adoptInstances: (instances: readonly RunningInstance[]) => Promise<void>
  readonly actor: Actor
  readonly at: number
  readonly progress: (what: string, done: number, of: number) => void
}

export interface RegistrationResult {
  readonly hosts: readonly PutHostResult[]
  readonly placed: number
  /** Workloads whose names were recorded before. */
  readonly known: number
  readonly unplaced: readonly UnplacedWorkload[]
  /** Workloads whose hosts were changed by others in every round; another import places them. */
  readonly lost: readonly Workload[]
  /** Names that exist with other values. They were not changed: somebody may have made them. */
  readonly kept: { readonly aliases: readonly string[]; readonly flavors: readonly string[] }
}

const CLAIMS_AT_ONCE = 32
const ROUNDS = 5 // a running Berth may change claims meanwhile; a workload that loses the race is placed again

export async function registerFleet(fleet: Fleet, services: RegisterServices): Promise<RegistrationResult> {
  const { database, actor, at, progress } = services
  const kept = {
    aliases: await putAliases(database, fleet.aliases),
    flavors: await putFlavors(database, fleet.flavors),
  }
  const hosts = await putHosts(database, fleet.hosts, {
    actor,
    at,
    ...(fleet.connections && { connections: fleet.connections }),
    onProgress: (done) => progress('hosts', done, fleet.hosts.length),
  })
  await renewStatistics(database)
  const demand: DemandOptions = { aliases: await readAliases(database) }
  const known = await knownAmong(database, fleet.workloads)
  let left: readonly Workload[] = fleet.workloads.filter((workload) => !known.has(instanceIdOf(workload.name)))
  let unplaced: readonly UnplacedWorkload[] = []
  let placed = 0
  for (let round = 0; round < ROUNDS && left.length > 0; round++) {
    const ids = fleet.hosts.map((host) => host.frame.id)
    const placing = placeWorkloads(left, await readHosts(database, ids), {
      demand,
      order: fleet.order,
      progress: (done) => progress('places', done, left.length),
    })
    unplaced = [...unplaced, ...placing.unplaced]
    left = await claimAll(placing.placed, services)
    placed += placing.placed.length - left.length
  }
  await renewStatistics(database)
  return { hosts, placed, known: known.size, unplaced, lost: left, kept }
}

async function knownAmong(database: Database, workloads: readonly Workload[]): Promise<ReadonlySet<string>> {
  const ids = workloads.map((workload) => instanceIdOf(workload.name))
  return new Set((await readNames(database, ids)).instances.keys())
}

/** Returns the workloads whose claim lost a race. */
async function claimAll(placed: readonly PlacedWorkload[], services: RegisterServices): Promise<readonly Workload[]> {
  const lost: Workload[] = []
  let renewedAt = CLAIMS_AT_ONCE
  for (let from = 0; from < placed.length; from += CLAIMS_AT_ONCE) {
    const batch = placed.slice(from, from + CLAIMS_AT_ONCE)
    // Adopts the instances first: if the import dies in between, the next run adopts them again and writes their
    // claims.
    await services.adoptInstances(batch.map(runningInstanceOf))
    const answers = await commitMany(
      services.database,
      batch.map((one) => adoption(one, services)),
    )
    answers.forEach((answer, index) => {
      if (!answer.ok) lost.push((batch[index] as PlacedWorkload).workload)
    })
    // Whenever the tables have doubled: query plans made for small tables, including those of foreign keys, read all
    // rows to find one.
    if (from >= 2 * renewedAt) {
      await renewStatistics(services.database)
      renewedAt = from
    }
    services.progress('claims', Math.min(from + CLAIMS_AT_ONCE, placed.length), placed.length)
  }
  return lost
}

function adoption({ workload, instance, claim, plan }: PlacedWorkload, { actor, at }: RegisterServices): Change {
  const { name, flavor, image } = workload
  const row = { id: instance, name, project: 'default', flavor, image, zone: null, group: null }
  return adopt(row, { id: claim, plan }, { actor, at })
}

function runningInstanceOf({ workload, instance, plan }: PlacedWorkload): RunningInstance {
  const { flavor, image, name } = workload
  const { amounts, cells, units, host } = plan
  return { instance, name, host, flavor, image, claim: { amounts, cells, units }, fence: 0, running: true }
}
