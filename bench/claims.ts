import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import type { Change } from '../server/engine/change'
import { decide } from '../server/engine/claim'
import type { Host } from '../server/engine/host'
import { startBuild } from '../server/engine/lifecycle'
import type { ClaimId, HostId, InstanceId } from '../server/engine/words/ids'
import { Projection } from '../server/fleet/projection'
import { commitBatch } from '../server/store/commit/commit'
import { makeCommitQueue } from '../server/store/commit/queue'
import type { Database } from '../server/store/database/database'
import { EventFeed } from '../server/store/event/feed'
import { startRelay } from '../server/store/event/relay'
import { putHosts } from '../server/store/host/write'
import { bareRow, commitBare, readUnitIds } from './bare-client'
import { ACTOR, benchDemand, benchHosts, emptyFleet, FLAVOR, IMAGE, openBenchDatabase } from './bench-fleet'

// Claims per second through the engine (decide on the projection, commit with every guard, relay running) against a
// bare client that writes the same rows in one prepared statement. Rounds alternate in one run on one server, so that
// other load on the machine affects both.

export interface BenchRow {
  readonly name: string
  readonly enginePerS: number
  readonly barePerS: number
  readonly ratio: number
  /** Decisions repeated because another claim came first. */
  readonly retries: number
}

const HOSTS = 100
const CLAIMS_A_ROUND = 3000
const ROUNDS = 3
const CASES = [
  { name: '1 client, 100 hosts', clients: 1, hosts: HOSTS },
  { name: '8 clients, 100 hosts', clients: 8, hosts: HOSTS },
  { name: '32 clients, 100 hosts', clients: 32, hosts: HOSTS },
  { name: '32 clients, 24 hosts', clients: 32, hosts: 24 },
]
type Case = (typeof CASES)[number]

export interface ClaimsOptions {
  readonly rounds: number
  readonly claimsARound: number
}

export async function benchClaims(
  options: ClaimsOptions = { rounds: ROUNDS, claimsARound: CLAIMS_A_ROUND },
): Promise<BenchRow[]> {
  const { database, stop } = await openBenchDatabase(40)
  try {
    await putHosts(database, benchHosts(HOSTS, 'bench'), { actor: ACTOR, at: Date.now() })
    const unitIds = await readUnitIds(database)
    const rows: BenchRow[] = []
    for (const each of CASES) rows.push(await benchCase(database, { ...each, ...options }, unitIds))
    return rows
  } finally {
    await stop()
  }
}

async function benchCase(
  database: Database,
  each: Case & ClaimsOptions,
  unitIds: ReadonlyMap<string, string>,
): Promise<BenchRow> {
  const engine: number[] = []
  const bare: number[] = []
  let retries = 0
  for (let round = 0; round < each.rounds; round++) {
    await emptyFleet(database)
    const run = await engineRound(database, each)
    engine.push(run.perS)
    retries += run.retries
    await emptyFleet(database)
    const rows = run.changes.map((change) => bareRow(change, unitIds))
    bare.push(await timed(rows.length, () => inParallel(each.clients, rows, (row) => commitBare(database, row))))
  }
  const [enginePerS, barePerS] = [median(engine), median(bare)]
  return { name: each.name, enginePerS, barePerS, ratio: enginePerS / barePerS, retries }
}

interface EngineRound {
  readonly perS: number
  readonly retries: number
  readonly changes: readonly Change[]
}

async function engineRound(
  database: Database,
  { clients, hosts: hostCount, claimsARound }: Case & ClaimsOptions,
): Promise<EngineRound> {
  const onFailure = (error: unknown) => {
    throw error
  }
  const relay = startRelay(database, onFailure)
  const feed = await EventFeed.open(database, { onFailure })
  const projection = await Projection.open({ database, feed, onFailure })
  const queue = makeCommitQueue({ commitBatch: (changes) => commitBatch(database, changes) })
  const hosts = projection.hosts().slice(0, hostCount)
  const demand = benchDemand()
  const changes: Change[] = []
  let retries = 0
  const claimOn = async (id: HostId) => {
    for (;;) {
      const host = projection.ahead(id) as Host
      const prepared = projection.prepared(id)
      const asked = { instance: null, group: null, live: null, excludedHost: null }
      const verdict = decide({ demand, host, ...asked, ...(prepared && { prepared }) })
      if (!verdict.ok) throw new Error(`the host is full: ${JSON.stringify(verdict.refusals)}`)
      const instance = { id: randomUUID() as InstanceId, name: 'bench', project: 'bench', flavor: FLAVOR, image: IMAGE }
      const claim = { id: randomUUID() as ClaimId, plan: verdict.plan }
      const change = startBuild({ ...instance, zone: null, group: null }, claim, { actor: ACTOR, at: Date.now() })
      const committed = await projection.commit(change, queue.commit)
      if (committed.ok) return void changes.push(change)
      retries++
    }
  }
  const turns = Array.from({ length: claimsARound }, (_, n) => (hosts[(n * 7) % hosts.length] as Host).id)
  const perS = await timed(turns.length, () => inParallel(clients, turns, claimOn))
  await projection.stop()
  await feed.stop()
  await relay.stop()
  return { perS, retries, changes }
}

async function inParallel<T>(clients: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  const client = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: clients }, client))
}

async function timed(count: number, work: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await work()
  return (count * 1000) / (performance.now() - begun)
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number

function printRows(rows: readonly BenchRow[]): void {
  console.log(`${'case'.padEnd(26)}engine/s    bare/s   ratio  retries`)
  for (const { name, enginePerS, barePerS, ratio, retries } of rows) {
    const figures = [enginePerS.toFixed(0).padStart(8), barePerS.toFixed(0).padStart(10), ratio.toFixed(2).padStart(8)]
    console.log(`${name.padEnd(26)}${figures.join('')}${String(retries).padStart(9)}`)
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  printRows(await benchClaims())
}
