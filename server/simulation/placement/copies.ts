import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FreshDatabase } from '../../boot/test-database'
import { Chance } from '../chance'
import type { LawViolation } from '../laws'
import { killed, makeProcesses, startServing } from '../processes'
import { type ClientContext, type MutableHistory, runClient } from './clients'
import type { EndState } from './history'
import { brokenLaws } from './laws'
import { CLASS, consumerBody, holdingOf, type Reply, send } from './wire'

// Several copies of the Placement API on one database. Many clients write through all of them at once, and one copy is
// killed (SIGKILL) in the middle and replaced. Then the history of the clients is judged. The random choices are
// seeded, the interleaving of requests is not, so a seed identifies a workload rather than a whole run.

export interface CopiesOptions {
  freshDatabase(): Promise<FreshDatabase>
  readonly from: number
  readonly seeds: number
  readonly clients: number
  /** Actions of each client. */
  readonly rounds: number
  readonly progress: (report: CopiesReport) => void
}

export interface CopiesReport {
  readonly seed: number
  readonly requests: number
  /** Writes by outcome. */
  readonly writes: Readonly<Record<string, number>>
  /** Reads that were judged. */
  readonly reads: number
  readonly elapsedMs: number
  readonly broken: readonly LawViolation[]
}

const COPIES = 4
const SHARED = 3
const SHARED_ROOM = 12
const WIDE_ROOM = 1_000
const CONTESTED = 2
const REQUESTS_A_ROUND = 2 // roughly: places the kill in the middle of the run

export async function runCopies(options: CopiesOptions): Promise<readonly CopiesReport[]> {
  const failures: string[] = []
  const copies = await makeCopies((what) => failures.push(what))
  const reports: CopiesReport[] = []
  try {
    for (let seed = options.from; seed < options.from + options.seeds; seed++) {
      const report = await runSeed(seed, { options, copies, failures })
      reports.push(report)
      options.progress(report)
    }
    return reports
  } finally {
    await copies.stop()
  }
}

interface Room {
  readonly options: CopiesOptions
  readonly copies: Copies
  /** Requests that ended in a server error, as reported by copies, and copies that exited without being killed. */
  readonly failures: string[]
}

async function runSeed(seed: number, { options, copies, failures }: Room): Promise<CopiesReport> {
  const fresh = await options.freshDatabase()
  const orders = { databaseUrl: fresh.url }
  const startedMs = performance.now()
  const running = await Promise.all(Array.from({ length: COPIES }, () => copies.start(orders)))
  try {
    const providers = await makeProviders(running[0]!.url, options.clients)
    const record: MutableHistory = { writes: [], reads: [], uses: [], guarded: [], candidates: [] }
    const killer = killerOf(running, { start: () => copies.start(orders), chance: new Chance(seed) })
    const killAt = Math.floor((options.clients * options.rounds * REQUESTS_A_ROUND) / 2)
    let requests = 0
    const serving = () => {
      requests += 1
      if (requests === killAt) killer.kill()
      return running.map(({ url }) => url)
    }
    const contextOf = (client: number): ClientContext => ({
      ...providers,
      chance: new Chance(seed * 1_000 + client),
      record,
      copies: serving,
    })
    await Promise.all(
      providers.alone.map((alone, client) => runClient(contextOf(client), alone, (round) => round < options.rounds)),
    )
    await killer.done()
    const ends = await Promise.all(running.map(({ url }) => endAt(url, { providers, record })))
    const broken = brokenLaws({ ...record, capacity: providers.capacity, ends })
    const faults = failures.splice(0).map((what) => ({ law: 'no request ends in a server error', what }))
    return {
      seed,
      requests,
      ...counted(record),
      elapsedMs: performance.now() - startedMs,
      broken: [...broken, ...faults],
    }
  } finally {
    await Promise.all(running.map((copy) => copy.kill()))
    await fresh.drop()
  }
}

export function counted({
  writes,
  guarded,
  reads,
  uses,
  candidates,
}: MutableHistory): Pick<CopiesReport, 'writes' | 'reads'> {
  const sums: Record<string, number> = { done: 0, full: 0, raced: 0, lost: 0 }
  for (const { outcome } of [...writes, ...guarded]) sums[outcome] = (sums[outcome] ?? 0) + 1
  return { writes: sums, reads: reads.length + uses.length + candidates.length }
}

interface Killer {
  kill(): void
  /** Resolves when the dead copy has been replaced. */
  done(): Promise<void>
}

/** Clients send requests to the victim until it has exited, as clients do that have not noticed. */
function killerOf(running: Copy[], { start, chance }: { start(): Promise<Copy>; chance: Chance }): Killer {
  let replaced: Promise<void> | null = null
  return {
    kill: () => {
      const victim = chance.below(running.length)
      replaced = (async () => {
        await running[victim]!.kill()
        running.splice(victim, 1)
        running.push(await start())
      })()
    },
    done: async () => {
      if (replaced === null) throw new Error('the run ended before a copy was killed')
      await replaced
    },
  }
}

export interface ClientFixture {
  readonly shared: readonly string[]
  readonly wide: string
  readonly counter: string
  /** One for each client. */
  readonly alone: readonly string[]
  readonly contested: readonly string[]
  readonly capacity: ReadonlyMap<string, number>
  /** Initial generations of the provider and the consumers that all clients write. */
  readonly generations: ReadonlyMap<string, number>
}

const COUNT_FROM = 1
const [TRIES, AGAIN_MS] = [60, 500]

export async function makeProviders(url: string, clients: number): Promise<ClientFixture> {
  const capacity = new Map<string, number>()
  const provider = (total: number) =>
    made(async (uuid) => {
      await must(send(url, 'POST /resource_providers', { name: uuid, uuid }))
      await must(send(url, `POST /resource_providers/${uuid}/inventories`, { resource_class: CLASS, total }))
      capacity.set(uuid, total)
    })
  const several = async (count: number, total: number) => {
    const all: string[] = []
    while (all.length < count) all.push(await provider(total))
    return all
  }
  const shared = await several(SHARED, SHARED_ROOM)
  const [wide, counter] = [await provider(WIDE_ROOM), await provider(COUNT_FROM)]
  const alone = await several(clients, 1)
  const contested: string[] = []
  while (contested.length < CONTESTED) {
    const body = consumerBody({ provider: wide, amount: 1 }, null)
    contested.push(await made((uuid) => must(send(url, `PUT /allocations/${uuid}`, body))))
  }
  const generations = new Map([[counter, await generationOf(url, counter)]])
  for (const thing of contested) generations.set(thing, (await consumerAt(url, thing)).consumer_generation)
  return { shared, wide, counter, alone, contested, capacity, generations }
}

class NoResponseError extends Error {}

async function must(reply: Promise<Reply>): Promise<Reply['json']> {
  const { status, json } = await reply
  const what = `setup or final check failed: ${status} ${JSON.stringify(json)}`
  if (status === null) throw new NoResponseError(what)
  if (status >= 300) throw new Error(what)
  return json
}

/** Without a response it is unknown whether the object exists, so each retry makes another one. */
const made = (make: (uuid: string) => Promise<unknown>): Promise<string> =>
  untilAnswered(async () => {
    const uuid = randomUUID()
    await make(uuid)
    return uuid
  })

const see = (url: string, path: string): Promise<Reply['json']> => untilAnswered(() => must(send(url, `GET ${path}`)))

/** Retries: a copy that lost its database connection answers again within seconds. */
async function untilAnswered<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NoResponseError) || tries === TRIES) throw error
      await pause(AGAIN_MS)
    }
  }
}

const consumerAt = (url: string, consumer: string) => see(url, `/allocations/${consumer}`)
const generationOf = async (url: string, provider: string): Promise<number> =>
  (await see(url, `/resource_providers/${provider}`)).generation

export async function endAt(
  url: string,
  { providers, record }: { providers: ClientFixture; record: MutableHistory },
): Promise<EndState> {
  const consumers = new Set(record.writes.map(({ consumer }) => consumer))
  const holdings = new Map(
    await Promise.all([...consumers].map(async (each) => [each, holdingOf(await consumerAt(url, each))] as const)),
  )
  const used = new Map<string, number>()
  for (const provider of [...providers.shared, ...providers.alone]) {
    const { usages } = await see(url, `/resource_providers/${provider}/usages`)
    used.set(provider, usages[CLASS] ?? 0)
  }
  return { copy: url, holdings, used, things: await thingsAt(url, providers) }
}

async function thingsAt(url: string, { counter, contested, generations }: ClientFixture): Promise<EndState['things']> {
  const things: [string, { from: number; to: number; counted: number | null }][] = []
  for (const thing of contested) {
    const { consumer_generation: to } = await consumerAt(url, thing)
    things.push([thing, { from: generations.get(thing)!, to, counted: null }])
  }
  const { total } = await see(url, `/resource_providers/${counter}/inventories/${CLASS}`)
  const to = await generationOf(url, counter)
  things.push([counter, { from: generations.get(counter)!, to, counted: total - COUNT_FROM }])
  return new Map(things)
}

// Processes that serve the Placement API, each on its own port.

export interface CopyOrders {
  readonly databaseUrl: string
}

export interface ServingPort {
  readonly port: number
}

interface Copy {
  readonly url: string
  /** SIGKILL; resolves when it has exited. */
  kill(): Promise<void>
}

interface Copies {
  /** Resolves when it serves. */
  start(orders: CopyOrders): Promise<Copy>
  stop(): Promise<void>
}

const SOURCE = path.join(import.meta.dirname, 'copy.ts')

/** Calls `onFailure` for requests that ended in a server error and copies that exited without being killed. */
async function makeCopies(onFailure: (what: string) => void): Promise<Copies> {
  const processes = await makeProcesses(SOURCE)
  return {
    start: async (orders) => {
      const { child, serving } = await startServing<ServingPort>(processes, { name: 'copy', orders, onFailure })
      return { url: `http://127.0.0.1:${serving.port}`, kill: () => killed(child) }
    },
    stop: processes.stop,
  }
}
