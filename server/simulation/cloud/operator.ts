import type { CloudClient } from '../../cloud/client'
import type { CloudState as Replayed } from '../../cloud/testing/cloud-state'
import {
  type ActionInput,
  CLOUD_ACTION_KINDS,
  type CloudActionKind,
  RESET_STATES,
  STORAGE_MODES,
  subjectOf,
} from '../../engine/cloud/action/action'
import type { FollowedAction } from '../../engine/cloud/action/followed'
import { callOf, inputRefusal, refusalOf } from '../../engine/cloud/action/offer'
import { CLOUD_ACTIONS } from '../../engine/cloud/action/table'
import { type CloudFacts, DEFAULT_SETTINGS, factsOf } from '../../engine/cloud/facts'
import { lastWriteOf } from '../../engine/cloud/history'
import { planRepairs } from '../../engine/cloud/plan'
import type { CloudCall } from '../../engine/cloud/repair'
import type { CloudSnapshot } from '../../engine/cloud/snapshot'
import { applyCalls, type CallOutcome } from '../../watch/apply'
import { endingOf, isAhead } from '../../watch/follow'
import type { CloudState } from '../../watch/parts'
import type { Chance } from '../chance'
import type { SimulatedClock, Wire } from './wire'

// The operator at the console: requests actions and repairs from the last snapshot, while another user allows and
// forbids acting at any time.

interface PersonParts {
  readonly chance: Chance
  readonly wire: Wire
  readonly open: () => CloudClient
  readonly state: Replayed
  readonly clock: SimulatedClock
}

interface TrackedAction extends FollowedAction {
  readonly state: 'accepted' | 'unanswered'
  readonly askedAt: number
  readonly answeredAt: number
  /** Nova's request id, whether or not it was reported; null: the call did not arrive. */
  readonly request: string | null
  /** Nova did it, and the service has been as requested ever since. */
  stands: boolean
}

export class CloudOperator {
  readonly #parts: PersonParts
  readonly counts: Record<string, number> = {}
  readonly #client: CloudClient
  #followed: readonly TrackedAction[] = []

  constructor(parts: PersonParts) {
    this.#parts = parts
    this.#client = parts.open()
  }

  get followed(): readonly TrackedAction[] {
    return this.#followed
  }

  /** Ends the actions that the snapshot shows as finished. Returns a broken law, or null. */
  follow(snapshot: CloudSnapshot, begunAt: number): string | null {
    const facts = factsOf(snapshot, DEFAULT_SETTINGS)
    const open: TrackedAction[] = []
    for (const action of this.#followed) {
      const { input, sentAt, lastMigration, lastWritten, answeredAt } = action
      const row = { ...action, followed: { input, sentAt, lastMigration, lastWritten, answeredAt } }
      const { deadlineMs } = this.#client.settings
      const now = this.#parts.clock.nowMs
      if (isAhead(row, now)) {
        open.push({ ...action, askedAt: Math.min(action.askedAt, now), answeredAt: Math.min(answeredAt, now) })
        continue
      }
      const ending = endingOf(row, { facts, begunAt, now, deadlineMs })
      if (ending === null) open.push(action)
      else {
        this.#count(`${action.verb} ${ending.state}`)
        const wrong = this.#wrongEnding(action, ending.state)
        if (wrong !== null) return `${wrong}; reported: ${ending.detail}`
      }
    }
    this.#followed = open
    return null
  }

  /** Returns a broken law, or null. */
  async act(state: CloudState): Promise<string | null> {
    const { chance } = this.#parts
    if (chance.below(3) > 0) return null
    const facts = factsOf(state.snapshot, DEFAULT_SETTINGS)
    if (chance.below(3) > 0) return this.#actionOn(facts)
    const plan = planRepairs({ findings: state.findings, snapshot: state.snapshot })
    const calls = plan.steps.map(({ call }) => call)
    return (await this.#send(state.snapshot, calls)).broken
  }

  async #actionOn(facts: CloudFacts): Promise<string | null> {
    const asked = this.#choose(facts)
    if (asked === null) return null
    const { verb, subject: id, call, input, lastMigration, lastWritten } = asked
    const askedAt = this.#parts.clock.nowMs
    const before = this.#parts.wire.writes.length
    const { outcomes, broken } = await this.#send(facts.snapshot, [call])
    const [outcome] = outcomes
    const request = this.#parts.wire.writes[before]?.requestId ?? null
    this.#count(`${verb} ${outcome?.did}`)
    if (outcome?.did === 'sent' || outcome?.did === 'unknown') {
      const sentAt = outcome.at ?? facts.snapshot.now
      const state = outcome.did === 'sent' ? 'accepted' : 'unanswered'
      this.#followed = [
        ...this.#followed,
        {
          ...{ verb, subject: id, input, sentAt, lastMigration, lastWritten, state, askedAt, request },
          answeredAt: this.#parts.clock.nowMs,
          stands: state === 'accepted' && this.#isAsRequested({ verb, subject: id }),
        },
      ]
    }
    return broken
  }

  #choose(facts: CloudFacts) {
    const { chance } = this.#parts
    const verb = chance.pick(CLOUD_ACTION_KINDS.filter((each) => !EXCLUDED_VERBS.has(each)))
    if (verb === undefined) return null
    const { about } = CLOUD_ACTIONS[verb]
    const ids = { instance: facts.servers, migration: facts.migrations, host: facts.services }[about]
    const offered = [...ids.keys()].flatMap((id) => {
      const subject = subjectOf(facts, about, id)
      return subject && refusalOf(verb, subject) === null ? [{ id, subject }] : []
    })
    const chosen = chance.pick(offered)
    if (chosen === undefined) return null
    const { id, subject } = chosen
    const input = this.#inputFor(facts)
    if (inputRefusal(verb, subject, input) !== null) return null
    const newest = about === 'instance' ? facts.migrationsOf.get(id)?.[0] : subject.migration
    const before = { lastMigration: newest?.id ?? 0, lastWritten: subject.server && lastWriteOf(subject.server) }
    return { ...{ verb, subject: id, call: callOf(verb, subject, input), input }, ...before }
  }

  #inputFor(facts: CloudFacts): ActionInput {
    const { chance } = this.#parts
    return {
      host: chance.below(2) === 0 ? null : (chance.pick([...facts.services.keys()]) ?? null),
      storage: chance.pick(STORAGE_MODES) ?? 'auto',
      flavor: chance.below(2) === 0 ? 'f1' : 'f2',
      state: chance.pick(RESET_STATES) ?? 'active',
      reason: 'requested by the simulation',
    }
  }

  /** Sends the calls as the console does. Before each call, acting is allowed or forbidden at random. */
  async #send(
    snapshot: CloudSnapshot,
    calls: readonly CloudCall[],
  ): Promise<{ readonly outcomes: readonly CallOutcome[]; readonly broken: string | null }> {
    const { chance, wire } = this.#parts
    let allowed = 0
    let begun = wire.writes.length
    let contradicted: string | null = null
    const before = wire.writes.length
    const outcomes = await applyCalls({
      ...{ snapshot, calls },
      deadHosts: async () => new Map(),
      domains: async () => new Map(),
      begin: async () => {
        if (chance.below(3) === 0) return 'acting is not allowed'
        allowed++
        return null
      },
      note: async (_, outcome) => {
        this.#count(`call ${outcome.did}`)
        const isDone = wire.writes.slice(begun).some((each) => each.isDone)
        begun = wire.writes.length
        if (isDone && ['refused', 'not-sent'].includes(outcome.did))
          contradicted = `${outcome.call.does}: ${outcome.did}`
      },
      access: { client: this.#client, transport: wire, wait: async (ms) => wire.pass(ms) },
    })
    const written = wire.writes.slice(before)
    const harmed = written.find(({ harms }) => harms.length > 0)
    const broken = harmed
      ? `${harmed.what} overwrote correct allocations: ${harmed.harms.join(', ')}`
      : written.length > allowed
        ? `${written.length} calls reached the cloud, ${allowed} were allowed`
        : contradicted && `the cloud carried out a call that was reported as refused or not sent: ${contradicted}`
    return { outcomes, broken }
  }

  /** Called after every change of the cloud. */
  noteUndone(): void {
    for (const action of this.#followed) action.stands &&= this.#isAsRequested(action)
  }

  #isAsRequested({ verb, subject }: Pick<TrackedAction, 'verb' | 'subject'>): boolean {
    const status = STATUS_AFTER[verb]
    return status !== undefined && this.#parts.state.services.get(subject)?.status === status
  }

  #wrongEnding({ verb, subject, request, stands }: TrackedAction, ending: 'done' | 'failed'): string | null {
    const { state } = this.#parts
    if (ending === 'failed' && stands) return `${verb} of ${subject} was reported as failed, but was done`
    const working = request !== null && state.pending.some(({ requestId }) => requestId === request)
    return working ? `${verb} of ${subject} was reported as ${ending} while Nova was working on it` : null
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1
  }
}

const STATUS_AFTER: { readonly [Verb in CloudActionKind]?: string } = { enable: 'enabled', disable: 'disabled' }

/** Not requested: an evacuation needs an attested host, and a reset overwrites the true state. */
const EXCLUDED_VERBS: ReadonlySet<CloudActionKind> = new Set(['evacuate', 'reset-state', 'force-down', 'force-up'])
