import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import type { Change } from '../server/engine/change'
import { decide } from '../server/engine/claim'
import { withHolding } from '../server/engine/holdings'
import type { Host } from '../server/engine/host'
import { startBuild } from '../server/engine/lifecycle'
import type { ClaimId, InstanceId } from '../server/engine/words/ids'
import { Projection } from '../server/fleet/projection'
import { commitMany } from '../server/store/commit/commit'
import type { Database } from '../server/store/database/database'
import { EventFeed } from '../server/store/event/feed'
import { readHosts } from '../server/store/host/read'
import { putHosts } from '../server/store/host/write'
import { ACTOR, benchDemand, benchHosts, FLAVOR, IMAGE, openBenchDatabase } from './bench-fleet'

// How long a server takes to load the fleet: 500 hosts with 20 000 instances on 40 000 CPUs. Then one host again.

export interface BenchRow {
  readonly name: string
  readonly ms: number
}

const HOSTS = 500
const INSTANCES = 20_000
const BATCH = 50

export async function benchProjection(): Promise<BenchRow[]> {
  const { database, stop } = await openBenchDatabase(8)
  const rows: BenchRow[] = []
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now()
    const answer = await work()
    rows.push({ name, ms: performance.now() - begun })
    return answer
  }
  try {
    const specs = benchHosts(HOSTS, 'load')
    await timed(`add ${HOSTS} hosts of 256 CPUs`, () => putHosts(database, specs, { actor: ACTOR, at: Date.now() }))
    await timed(`decide and commit ${INSTANCES} instances, 1 client in batches of ${BATCH}`, () => fill(database))
    await database.pool.query('vacuum analyze')
    const onFailure = (error: unknown) => {
      throw error
    }
    const feed = await EventFeed.open(database, { onFailure })
    const open = () => Projection.open({ database, feed, onFailure })
    const projection = await timed('load the fleet', open)
    const held = projection.hosts().reduce((sum, { holdings }) => sum + holdings.length, 0)
    if (held !== INSTANCES) throw new Error(`${held} claims, not ${INSTANCES}`)
    const [first] = projection.hosts()
    await timed('read one host again', () => projection.refresh(first ? [first.id] : []))
    await projection.stop()
    await feed.stop()
    return rows
  } finally {
    await stop()
  }
}

export async function fill(database: Database): Promise<void> {
  const demand = benchDemand()
  for (let host of await readHosts(database)) {
    let changes: Change[] = []
    for (let n = 0; n < INSTANCES / HOSTS; n++) {
      const verdict = decide({ demand, host, instance: null, group: null, live: null, excludedHost: null })
      if (!verdict.ok) throw new Error('the host is full')
      const id = randomUUID() as InstanceId
      const claim = { id: randomUUID() as ClaimId, plan: verdict.plan }
      const instance = {
        id,
        name: `instance-${n}`,
        project: 'bench',
        flavor: FLAVOR,
        image: IMAGE,
        zone: null,
        group: null,
      }
      changes.push(startBuild(instance, claim, { actor: ACTOR, at: Date.now() }))
      host = raised(
        withHolding(host, { claim: claim.id, consumer: id, consumerKind: 'instance', instance: id, body: claim.plan }),
      )
      if (changes.length === BATCH) changes = await flush(database, changes)
    }
    await flush(database, changes)
  }
}

async function flush(database: Database, changes: readonly Change[]): Promise<Change[]> {
  const answers = await commitMany(database, changes)
  for (const answer of answers) if (!answer.ok) throw new Error(JSON.stringify(answer.conflict))
  return []
}

function raised(host: Host): Host {
  const providers = host.providers.map((each) => ({ ...each, generation: each.generation + 1 }))
  return { ...host, providers }
}

function printRows(rows: readonly BenchRow[]): void {
  for (const { name, ms } of rows) console.log(`${name.padEnd(64)}${ms.toFixed(0).padStart(8)} ms`)
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  printRows(await benchProjection())
}
