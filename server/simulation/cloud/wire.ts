import { setImmediate as nextTurn } from 'node:timers/promises'
import { CloudError, type CloudErrorKind } from '../../cloud/http/errors'
import { type Answer, answerOf, type Exchange, type Transport } from '../../cloud/http/transport'
import type { CloudState } from '../../cloud/testing/cloud-state'
import { bodyOf, reversed, tokenBody, withoutFirst } from '../../cloud/testing/replayed-bodies'
import { newRequestId, runPending, type WriteResponse, written } from '../../cloud/testing/replayed-writes'
import type { Chance } from '../chance'
import { consumersWithoutFault } from './life'

// The network between the connector and a cloud, in one process and on a simulated clock. The seed determines the order
// in which concurrent requests are handled and answered. The cloud changes in between. Responses are lost, late,
// repeated, truncated or refused.

const FAULTS = {
  ...{ reset: 2, late: 1, slow: 3, truncated: 2, repeated: 3, missing: 3, shuffled: 3 },
  ...{ 401: 2, 409: 2, 500: 2, 503: 1 },
} as const
type WireFault = keyof typeof FAULTS

/** The displayed time; the cloud's own clock may differ. */
export interface SimulatedClock {
  nowMs: number
}

interface UnderWay {
  readonly request: Exchange
  readonly sentMs: number
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
  /** The cloud's result; null: the request has not arrived yet. */
  handled: (() => Answer) | null
  /** Earliest delivery. */
  dueMs: number
}

export interface WireOptions {
  readonly state: CloudState
  readonly clock: SimulatedClock
  readonly chance: Chance
  /** Rows per page. */
  readonly mostRows: number
  /** Advances the cloud; called between events on the wire. */
  readonly live: () => void
  /** Time on the wire's clock; undefined: the instance was not deleted. */
  readonly deletedAt: (instance: string) => number | undefined
}

/** A write that reached the cloud, or will. */
interface WireWrite {
  readonly what: string
  readonly requestId: string
  /** Consumers whose correct allocations it overwrote. */
  readonly harms: readonly string[]
  /** The cloud has applied the write, or will. */
  readonly isDone: boolean
}

const ORIGIN = 'http://cloud.invalid'
const SLOWEST_TURN_MS = 300
const SLOWEST_NOVA_MS = 40_000
const DEADLINE_MS = 20_000
/** The longest delay before Nova starts a request that was answered with 5xx or a reset. */
const LATEST_MS = 90_000
/** Iterations without a request after which the work counts as deadlocked. */
const MAX_IDLE_TURNS = 10_000

export class Wire implements Transport {
  readonly #options: WireOptions
  readonly #underWay = new Set<UnderWay>()
  readonly #before = new Map<string, { readonly text: string; readonly at: number }>()
  readonly #tokens = new Set<string>()
  /** When Nova last reported the true state of an instance. */
  readonly #reportedAt = new Map<string, number>()
  #requests = 0
  /** Of a thousand requests, how many fail. */
  faultPermille = 0
  readonly writes: WireWrite[] = []

  constructor(options: WireOptions) {
    this.#options = options
  }

  readonly counts = () => ({ requests: this.#requests, failed: 0, busyMs: 0 })
  readonly close = async () => {}

  readonly exchange = (request: Exchange): Promise<Answer> => {
    this.#requests++
    const sentMs = this.#options.clock.nowMs
    return new Promise((resolve, reject) => {
      this.#underWay.add({ request, sentMs, resolve, reject, handled: null, dueMs: sentMs })
    })
  }

  /** Delivers requests until the work is done. */
  async during<T>(work: Promise<T>): Promise<T> {
    let isOver = false
    const ended = work.finally(() => {
      isOver = true
    })
    ended.catch(() => {})
    for (let idle = 0; !isOver; ) {
      await nextTurn()
      idle = this.#underWay.size === 0 ? idle + 1 : 0
      if (idle > MAX_IDLE_TURNS) throw new Error('no request is pending, and the work does not end')
      if (this.#underWay.size > 0) this.#turn()
    }
    return ended
  }

  /** Advances the shared clock. */
  pass(ms: number): void {
    this.#options.clock.nowMs += ms
    this.#options.state.clockMs += ms
    runPending(this.#options.state)
  }

  #turn(): void {
    const { chance, clock, live } = this.#options
    this.pass(chance.below(SLOWEST_TURN_MS))
    live()
    const ready = [...this.#underWay].filter(({ dueMs }) => dueMs <= clock.nowMs)
    const first = Math.min(...[...this.#underWay].map(({ dueMs }) => dueMs))
    if (ready.length === 0) this.pass(first - clock.nowMs)
    const one = chance.pick(ready.length > 0 ? ready : [...this.#underWay].filter(({ dueMs }) => dueMs === first))
    if (one === undefined) return
    if (one.handled === null) one.handled = this.#handle(one)
    else this.#deliver(one, one.handled)
  }

  #deliver(one: UnderWay, handled: () => Answer): void {
    this.#underWay.delete(one)
    const { request, sentMs } = one
    try {
      if (this.#options.clock.nowMs - sentMs >= request.deadlineMs)
        throw failure(request, 'timed-out', `no answer within ${request.deadlineMs / 1000} s`)
      one.resolve(handled())
    } catch (error) {
      one.reject(error as Error)
    }
  }

  /** The cloud receives the request and computes its response. */
  #handle(one: UnderWay): () => Answer {
    const { chance, clock } = this.#options
    const { request, sentMs } = one
    const fault = chance.permille(this.faultPermille) ? chance.weighted(FAULTS) : null
    if (fault === 'slow') one.dueMs = clock.nowMs + chance.below(request.deadlineMs)
    if (fault === 'late') one.dueMs = sentMs + request.deadlineMs
    const isWrite = request.call.method !== 'GET' && request.call.service !== 'identity'
    const got = isWrite ? this.#answerWrite(request, fault) : this.#answer(request, fault)
    if (fault === 'reset') return () => raise(failure(request, 'unreachable', 'not reached: ECONNRESET'))
    // Some web servers date an answer when they begin to send it, which is after its rows were read.
    const isDatedLate = fault !== 'repeated' && chance.below(4) === 0
    if (isDatedLate) return () => answerOf(request, { ...got, headers: { ...got.headers, ...this.#date() } })
    return () => answerOf(request, got)
  }

  #isSignedIn(headers: Exchange['headers'], fault: WireFault | null): boolean {
    const token = headers['x-auth-token'] ?? ''
    if (fault === '401') this.#tokens.delete(token)
    return this.#tokens.has(token)
  }

  /**
   * After a 5xx response or a reset connection, Nova may have applied the request, may apply it later, or may never
   * have received it.
   */
  #answerWrite(request: Exchange, fault: WireFault | null): WireResponse {
    const { chance } = this.#options
    if (!this.#isSignedIn(request.headers, fault)) return this.#x(401)
    if (fault === '409') return this.#x(409)
    if (fault !== 'reset' && !isStatus(fault)) return this.#write(request)
    const came = chance.pick(WRITE_TIMINGS[request.call.service === 'compute' ? 'compute' : 'placement'])
    if (came === 'at-once') this.#write(request)
    if (came === 'later') this.#writeLater(request)
    return this.#x(Number(fault) || 500)
  }

  #write({ url, call, body = '' }: Exchange): WireResponse {
    const { state, chance } = this.#options
    const path = url.slice(ORIGIN.length)
    const right = call.path === '/allocations' ? consumersWithoutFault(state, Object.keys(JSON.parse(body))) : []
    const guarded = right.filter((id) => !this.#wasDeletedSinceReported(id))
    const { requestId, ...answer } = written(state, { url: path, sent: body, takesMs: chance.below(SLOWEST_NOVA_MS) })
    const isDone = answer.status < 300
    this.writes.push({ what: `${call.method} ${path}`, requestId, harms: isDone ? guarded : [], isDone })
    return this.#answered(requestId, answer)
  }

  /** A Placement call cannot depend on Nova's state: a deletion in between is found later. */
  #wasDeletedSinceReported(instance: string): boolean {
    const deletedAt = this.#options.deletedAt(instance)
    const reportedAt = this.#reportedAt.get(instance)
    return deletedAt !== undefined && reportedAt !== undefined && deletedAt > reportedAt
  }

  #answered(requestId: string, { status, body }: Pick<WriteResponse, 'status' | 'body'>): WireResponse {
    const got = this.#got(status, body === undefined ? '' : JSON.stringify(body))
    return { ...got, headers: { ...got.headers, 'x-openstack-request-id': requestId } }
  }

  #writeLater({ url, call, body = '' }: Exchange): void {
    const { state, chance } = this.#options
    const [requestId, takesMs] = [newRequestId(state), chance.below(SLOWEST_NOVA_MS)]
    const path = url.slice(ORIGIN.length)
    this.writes.push({ what: `${call.method} ${path}`, requestId, harms: [], isDone: true })
    const run = () => void written(state, { url: path, sent: body, takesMs, requestId })
    state.pending.push({ at: state.clockMs + chance.below(LATEST_MS), requestId, run })
  }

  #answer({ url, call, headers }: Exchange, fault: WireFault | null): WireResponse {
    const { state, mostRows } = this.#options
    const path = url.slice(ORIGIN.length)
    if (call.path === '/auth/tokens') return this.#signIn()
    if (!this.#isSignedIn(headers, fault)) return this.#x(401)
    if (isStatus(fault)) return this.#x(Number(fault))
    const old = fault === 'repeated' ? this.#before.get(path) : undefined
    if (old) return this.#got(200, old.text, old.at)
    const now = bodyOf(state, path, { base: ORIGIN, mostRows })
    const [, instance] = /\/servers\/([0-9a-f-]{36})$/.exec(path) ?? []
    if (instance !== undefined) this.#reportedAt.set(instance, this.#options.clock.nowMs)
    if (now === null) return this.#x(404)
    const text = JSON.stringify(fault === 'shuffled' ? reversed(now) : fault === 'missing' ? withoutFirst(now) : now)
    this.#before.set(path, { text, at: state.clockMs })
    return this.#got(200, fault === 'truncated' ? text.slice(0, text.length / 2) : text)
  }

  #signIn(): WireResponse {
    const token = this.#options.state.newId()
    this.#tokens.add(token)
    const got = this.#got(201, JSON.stringify({ token: tokenBody(this.#options.state, ORIGIN) }))
    return { ...got, headers: { ...got.headers, 'x-subject-token': token } }
  }

  readonly #date = (at = this.#options.state.clockMs) => ({ date: new Date(at).toUTCString() })
  readonly #got = (status: number, text: string, at?: number): WireResponse => ({
    status,
    text,
    headers: this.#date(at),
  })
  readonly #x = (status: number): WireResponse =>
    this.#got(status, JSON.stringify({ computeFault: { code: status, message: 'injected fault' } }))
}

interface WireResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const isStatus = (fault: WireFault | null): boolean => fault !== null && /^\d/.test(String(fault))
/** Generations guard Placement, and Placement does not queue requests for later. */
const WRITE_TIMINGS = { compute: ['never', 'at-once', 'later'], placement: ['never', 'at-once'] } as const

const failure = ({ call }: Exchange, kind: CloudErrorKind, what: string) => new CloudError(call, { kind, what })
const raise = (error: Error): never => {
  throw error
}

export const wireSettings = { origin: ORIGIN, deadlineMs: DEADLINE_MS } as const
