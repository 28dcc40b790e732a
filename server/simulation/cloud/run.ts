import { setImmediate as nextTurn } from 'node:timers/promises'
import { CloudClient } from '../../cloud/client'
import { CloudError } from '../../cloud/http/errors'
import { boot, type CloudState, emptyCloud } from '../../cloud/testing/cloud-state'
import { settingsOf } from '../../cloud/testing/replayed-cloud'
import { runPending } from '../../cloud/testing/replayed-writes'
import type { CloudFinding } from '../../engine/cloud/finding'
import type { CloudSnapshot } from '../../engine/cloud/snapshot'
import { CloudPoll } from '../../watch/cloud-poll'
import type { CloudState as WatchedState } from '../../watch/parts'
import { Chance } from '../chance'
import { applyRandomEvent, faultsIn, isNotDeleted } from './life'
import { CloudOperator } from './operator'
import { Wire, wireSettings } from './wire'

// One seed is one run of a cloud that Berth watches: the real client, mirror, audit, plans and action tracking, over a
// network with injected faults. Laws: every finding is true; no call is sent without permission; no action is
// reported as finished while Nova works on it; no completed action on a service is reported as failed; once the cloud
// is idle, the mirror matches it and every fault is found.

export interface CloudRun {
  readonly seed: number
  readonly polls: number
  readonly requests: number
  readonly events: Readonly<Record<string, number>>
  readonly findings: Readonly<Record<string, number>>
  readonly actions: Readonly<Record<string, number>>
  readonly broken: { readonly law: string; readonly what: string } | null
}

const BEGUN_AT = Date.UTC(2026, 10, 25, 12)
const DAY_MS = 86_400_000
const FAULTY_PERMILLE = 120
const MAX_POLLS = 8
/** A poll beside an action begins up to this many events on the wire later: most actions take fewer. */
const MAX_DELAY_TURNS = 40
/** Polls at rest; together they last longer than records must be unchanged before a finding counts. */
const STEADY_POLLS = 6
/** Of a thousand events on the wire, how many change the cloud. */
const LIVELY_PERMILLE = 25

class LawViolationError extends Error {
  constructor(
    readonly law: string,
    what: string,
  ) {
    super(what)
  }
}

export async function runCloud(seed: number, trace: (line: string) => void = () => {}): Promise<CloudRun> {
  const run = new Run(new Chance(seed), trace)
  let broken: CloudRun['broken'] = null
  try {
    await run.live()
    await run.rest()
  } catch (error) {
    if (!(error instanceof LawViolationError)) throw new Error(`seed ${seed}`, { cause: error })
    broken = { law: error.law, what: error.message }
  }
  return { seed, ...run.counted(), broken }
}

/** A smaller one is taken for a slow answer. */
const LEAST_STEP_MS = 60_000
/** The clock soon passes again the times of records that were written before it was set back by this much. */
const SHORT_STEP_MS = 30 * 60_000

class Run {
  readonly #chance: Chance
  readonly #trace: (line: string) => void
  readonly #state: CloudState
  readonly #clock = { nowMs: 1_000_000 }
  readonly #wire: Wire
  readonly #open: (steadySince: number | null) => CloudClient
  #poller: CloudPoll
  readonly #person: CloudOperator
  readonly #events: Record<string, number> = {}
  readonly #findings: Record<string, number> = {}
  /** `kind object`, and when it was last wrong. */
  readonly #wrongAt = new Map<string, number>()
  readonly #deletedAt = new Map<string, number>()
  #polls = 0
  /** As the last poll stored it. */
  #steadySince: number | null = null
  #isResting = false
  /** The last poll that the operator has seen. */
  #shown: WatchedState | null = null
  #actsMeanwhile = false

  constructor(chance: Chance, trace: (line: string) => void) {
    this.#chance = chance
    this.#trace = trace
    this.#state = emptyCloud(3, BEGUN_AT - DAY_MS, idsOf(chance))
    for (let at = 0; at < 5; at++) boot(this.#state, this.#state.providers[at % 3]?.name ?? '')
    this.#state.clockMs = BEGUN_AT
    const live = () => this.#liveOn()
    const deletedAt = (instance: string) => this.#deletedAt.get(instance)
    const parts = { state: this.#state, clock: this.#clock, chance, live, deletedAt }
    this.#wire = new Wire({ ...parts, mostRows: 2 + chance.below(6) })
    const settings = settingsOf(wireSettings.origin, wireSettings.deadlineMs)
    const options = {
      ...{ requestsPerSecond: 1_000_000, retries: 2, retryAfterMs: 0, monotonicMs: () => this.#clock.nowMs },
    }
    const open = (steadySince: number | null = null) =>
      new CloudClient(settings, { ...options, steadySince }, this.#wire)
    this.#open = open
    this.#poller = new CloudPoll(open())
    this.#person = new CloudOperator({ chance, wire: this.#wire, open, state: this.#state, clock: this.#clock })
  }

  counted() {
    return {
      ...{ polls: this.#polls, requests: this.#wire.counts().requests, events: this.#events },
      ...{ findings: this.#findings, actions: this.#person.counts },
    }
  }

  async live(): Promise<void> {
    for (let left = 2 + this.#chance.below(MAX_POLLS); left > 0; left--) {
      this.#wire.faultPermille = this.#chance.below(3) === 0 ? 0 : this.#chance.below(FAULTY_PERMILLE)
      await this.#lookOnce()
      for (let moves = this.#chance.below(4); moves > 0; moves--) this.#happen()
      this.#wire.pass(this.#chance.below(2 * this.#poller.delayMs))
      this.#noteWrong()
    }
  }

  /** Everything that Nova accepted completes, nothing new starts, and every response arrives. */
  async rest(): Promise<void> {
    this.#isResting = true
    this.#wire.faultPermille = 0
    // Late requests start after the first pass and complete after the second.
    for (let passes = 0; passes < 2; passes++) this.#wire.pass(150_000)
    runPending(this.#state)
    this.#noteWrong()
    let state = null
    for (let polls = 0; polls < 8; polls++) {
      state = (await this.#lookOnce()) ?? state
      // Allocations released without Nova's knowledge show once each provider has been read.
      if (polls === 3 && state) this.#expectSame(state.snapshot)
      this.#wire.pass(40_000)
    }
    if (state === null) throw new LawViolationError('rest', 'a cloud that answers every request was not read')
    this.#expectSame(state.snapshot)
    this.#expectFound('complete', state.findings)
    // Findings must stay open at the polling interval of an idle cloud, too.
    for (let polls = 0; polls < STEADY_POLLS; polls++) {
      this.#wire.pass(this.#poller.delayMs)
      this.#expectFound('steady', (await this.#lookOnce())?.findings ?? [])
    }
    const mostMs = this.#chance.below(4) === 0 ? DAY_MS : SHORT_STEP_MS
    this.#state.clockMs += (this.#chance.below(2) === 0 ? -1 : 1) * (LEAST_STEP_MS + this.#chance.below(mostMs))
    await this.#expectCounted('a clock step')
    this.#poller = new CloudPoll(this.#open(this.#steadySince), this.#poller.counts() ?? undefined)
    await this.#expectCounted('a restart')
    const open = this.#person.followed[0]
    if (open) throw new LawViolationError('followed', `${open.verb} of ${open.subject} is tracked for ever`)
  }

  /** There is nothing to compare the next poll with, but what was found before is not gone. */
  async #expectCounted(after: string): Promise<void> {
    const wrong = [...faultsIn(this.#state)].length
    for (let polls = 0; polls < 4 * STEADY_POLLS; polls++) {
      this.#wire.pass(this.#poller.delayMs)
      await this.#lookOnce()
      const { critical = 0, warning = 0, info = 0 } = this.#poller.counts() ?? {}
      if (critical + warning + info !== wrong)
        throw new LawViolationError('counted', `${critical + warning + info} counted of ${wrong} after ${after}`)
    }
  }

  #liveOn(): void {
    if (!this.#isResting && this.#chance.permille(LIVELY_PERMILLE)) this.#happen()
    this.#noteWrong()
    this.#person.noteUndone()
  }

  #happen(): void {
    const event = applyRandomEvent({ state: this.#state, chance: this.#chance })
    this.#trace(`${this.#clock.nowMs} ${event}`)
    this.#events[event] = (this.#events[event] ?? 0) + 1
    for (const row of this.#state.servers)
      if (!isNotDeleted(row) && !this.#deletedAt.has(row.id)) this.#deletedAt.set(row.id, this.#clock.nowMs)
    this.#noteWrong()
  }

  #noteWrong(): void {
    for (const each of faultsIn(this.#state)) this.#wrongAt.set(each, this.#clock.nowMs)
  }

  async #lookOnce() {
    this.#polls++
    let begunAt = this.#clock.nowMs
    const poll = async () => {
      if (this.#actsMeanwhile)
        for (let turns = this.#chance.below(MAX_DELAY_TURNS); turns > 0; turns--) await nextTurn()
      begunAt = this.#clock.nowMs
      return this.#poller.poll().then(() => true, unlessCloudError)
    }
    const [, read] = await this.#wire.during(Promise.all([this.#actMeanwhile(), poll()]))
    if (!read || this.#poller.failure !== null) {
      this.#trace(`${this.#clock.nowMs} not read: ${this.#poller.failure}`)
      return null
    }
    const followed = new Set(this.#person.followed.map(({ subject }) => subject))
    const beside = { deadHosts: async () => new Map(), domains: async () => new Map(), followed }
    const state = await this.#wire.during(this.#poller.audited(beside))
    this.#trace(`${this.#clock.nowMs} read; ${state.findings.length} findings`)
    const aheadMs = this.#state.clockMs - this.#clock.nowMs
    for (const { kind, object, cause, evidence } of state.findings) {
      // A repeated response keeps its original time.
      const readAt = Math.min(begunAt, ...evidence.map(({ at }) => at - aheadMs))
      const wrongAt = this.#wrongAt.get(`${kind} ${object.id}`)
      if (wrongAt === undefined || wrongAt < readAt)
        throw new LawViolationError(
          'true',
          `${kind} ${object.name}: ${cause} (${JSON.stringify(this.#history(object.id))})`,
        )
      this.#findings[kind] = (this.#findings[kind] ?? 0) + 1
    }
    this.#steadySince = state.snapshot.steadySince ?? null
    const wrong = this.#person.follow(state.snapshot, begunAt)
    if (wrong !== null) throw new LawViolationError('followed', wrong)
    if (!this.#isResting) {
      this.#shown = state
      if (!this.#actsMeanwhile) await this.#wire.during(this.#act())
    }
    return state
  }

  /** A poll that begins meanwhile may read Nova before or after the call. */
  async #actMeanwhile(): Promise<void> {
    this.#actsMeanwhile = !this.#isResting && this.#chance.below(2) === 0
    if (this.#actsMeanwhile) await this.#act()
  }

  async #act(): Promise<void> {
    const broken = this.#shown && (await this.#person.act(this.#shown))
    if (broken !== null) throw new LawViolationError('may-act', broken)
  }

  #history(id: string) {
    const { servers, migrations, providers } = this.#state
    return {
      servers: servers.filter((row) => row.id === id),
      migrations: migrations.filter((row) => row.uuid === id || row.instance_uuid === id),
      held: providers.filter(({ allocations }) => allocations.has(id)).map(({ name }) => name),
    }
  }

  #expectFound(law: string, findings: readonly CloudFinding[]): void {
    const found = findings.map(({ kind, object }) => `${kind} ${object.id}`).sort()
    const wrong = [...faultsIn(this.#state)].sort()
    if (found.join() !== wrong.join())
      throw new LawViolationError(
        law,
        `found ${found.join(', ') || 'nothing'}; actual faults: ${wrong.join(', ') || 'none'}`,
      )
  }

  #expectSame(snapshot: CloudSnapshot): void {
    const [shown, is] = [JSON.stringify(shownIn(snapshot)), JSON.stringify(shownOf(this.#state))]
    if (shown !== is) throw new LawViolationError('mirror', `mirror ${shown}; cloud ${is}`)
  }
}

const unlessCloudError = (error: unknown): false => {
  if (error instanceof CloudError) return false
  throw error
}

function idsOf(chance: Chance): () => string {
  const hex = (digits: number) => Array.from({ length: digits }, () => chance.below(16).toString(16)).join('')
  return () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`
}

type KeyedRows = readonly (readonly [string, ...unknown[]])[]
const sorted = (rows: KeyedRows): KeyedRows => [...rows].sort(([one], [other]) => (one < other ? -1 : 1))

const shownOf = ({ servers, migrations, providers, services }: CloudState) => ({
  servers: sorted(
    servers
      .filter(isNotDeleted)
      .map((row) => [row.id, row.status, row['OS-EXT-SRV-ATTR:host'], row['OS-EXT-STS:task_state']]),
  ),
  migrations: sorted(migrations.map((row) => [row.uuid, row.status, row.dest_compute])),
  services: sorted(
    [...services].map(([host, { status, forced_down, isAlive }]) => [host, status, isAlive && !forced_down]),
  ),
  providers: sorted(
    providers.map(({ uuid, generation, allocations }) => [uuid, generation, [...allocations.keys()].sort()]),
  ),
})

function shownIn({ servers, migrations, providers, services }: CloudSnapshot) {
  if (!servers.isRead || !migrations.isRead || !providers.isRead || !services.isRead) return null
  return {
    servers: sorted(servers.value.map(({ id, status, host, taskState }) => [id, status, host, taskState])),
    migrations: sorted(migrations.value.map(({ uuid, status, targetHost }) => [uuid, status, targetHost])),
    services: sorted(services.value.map(({ host, status, state }) => [host, status, state === 'up'])),
    providers: sorted(
      providers.value.map(({ id, generation, allocations }) => [
        ...([id, generation, allocations.isRead && [...allocations.value.keys()].sort()] as const),
      ]),
    ),
  }
}
