import {
  type Attribution,
  type Change,
  type EventBody,
  type Guards,
  type Instance,
  rootGuard,
  type VmState,
  type Write,
} from '../change'
import type { ClaimPlan } from '../claim'
import { bodyOf } from '../holdings'
import { type ClaimBody, type Host, isDead } from '../host'
import type { ClaimId, HostId, ProviderId } from '../words/ids'
import { otherSide } from '../words/side'
import { operationRow } from './operations'
import type { Migration, Progress, Side, StepRecord } from './state'

// The records that go with a transition, derived from the state before and the state after. Because they are derived
// and not listed, no transition can forget one: exchanges, claims and releases follow from what changed (L1, L2, L3).

/** The records that a transition was decided on. */
export interface TransitionRecords {
  readonly migration: Migration
  readonly instance: Instance
  readonly source: Host | null
  readonly target: Host | null
}

export interface Transition extends Attribution {
  readonly records: TransitionRecords
  readonly after: Migration
  /** The target claim; given exactly when the transition leaves `claim` forward. */
  readonly claim: { readonly id: ClaimId; readonly plan: ClaimPlan } | null
  readonly fence: number | null
  /** Most migrations in flight in the fleet; no claim makes more. */
  readonly fleetLimit?: number
}

export function changeOf(transition: Transition): Change {
  const { after, at, actor } = transition
  return {
    guards: guardsOf(transition),
    writes: [
      { do: 'put-migration', migration: after },
      ...claimWrites(transition),
      ...exchangeWrites(transition),
      ...instanceWrites(transition),
      ...endWrites(transition),
      ...stepWrites(transition),
    ],
    event: eventOf(transition),
    actor,
    at,
  }
}

const claims = (t: Transition) => t.records.migration.step === 'claim' && t.after.step === 'prepare'
const changesDirection = (t: Transition) => t.records.migration.direction !== t.after.direction
const moves = (t: Transition) => t.records.migration.home !== t.after.home
const ends = (t: Transition) => t.after.step === 'ended'

// The exchange comes first: the instance must hold nothing when it claims, or for one statement it would hold both
// sides and the migration none (L1).
function claimWrites(t: Transition): Write[] {
  if (!claims(t) || t.after.keepsClaim || t.claim === null) return []
  const { id: migration, instance, source } = t.after
  const take: Write = {
    do: 'take',
    claim: t.claim.id,
    consumer: instance,
    consumerKind: 'instance',
    instance,
    plan: t.claim.plan,
  }
  return source === null ? [take] : [{ do: 'exchange', instance, migration, keptAmounts: t.after.kept }, take]
}

function exchangeWrites(t: Transition): Write[] {
  if (!changesDirection(t) || t.after.keepsClaim) return []
  return [{ do: 'exchange', instance: t.after.instance, migration: t.after.id, keptAmounts: t.after.kept }]
}

// The instance's host, flavor and state change with the switch in the same transaction (Nova bugs 1952915, 1628606): so
// no audit can find the instance on one host with the topology of the other.
function instanceWrites(t: Transition): Write[] {
  if (!moves(t)) return []
  const { after } = t
  const forward = after.home === 'target'
  const vmState: VmState = after.wasRunning ? 'active' : 'stopped'
  return [
    {
      do: 'update-instance',
      id: after.instance,
      set: {
        host: forward ? after.target : after.source,
        flavor: forward ? after.newFlavor : after.oldFlavor,
        image: forward ? after.newImage : after.oldImage,
        vmState,
      },
    },
  ]
}

function endWrites(t: Transition): Write[] {
  if (!ends(t)) return []
  const { after } = t
  return [{ do: 'release', consumer: after.id }, ...remainsWrites(t)]
}

/** Leftovers on a dead host stay recorded until the host returns and is cleaned up (I11). */
function remainsWrites(t: Transition): Write[] {
  if (t.records.migration.step !== 'release') return []
  const side = otherSide(t.after.home)
  const host = t.records[side]
  if (host === null || host.status !== 'fenced') return []
  return [{ do: 'note-remains', host: host.id, instance: t.after.instance, migration: t.after.id, side }]
}

function stepWrites(t: Transition): Write[] {
  const { migration: before } = t.records
  const { after, at } = t
  if (before.seq === after.seq) return []
  const closed: StepRecord = {
    ...openStep(before),
    endedAt: at,
    result: resultOf(before, after),
    note: after.cause !== null && after.cause !== before.cause ? after.cause.message : null,
  }
  if (after.step === 'ended') return [{ do: 'put-step', step: closed }]
  return [
    { do: 'put-step', step: closed },
    { do: 'put-step', step: openStep(after) },
  ]
}

/** The record of the present step as it is stored before its effect. */
export function openStep(migration: Migration): StepRecord {
  const { id, seq, step, direction, stepSince } = migration
  return { migration: id, seq, step, direction, startedAt: stepSince, endedAt: null, result: null, note: null }
}

function resultOf(before: Migration, after: Migration): StepRecord['result'] {
  if (after.cause !== before.cause && after.cause?.kind === 'failed') return 'failed'
  return before.direction !== after.direction ? 'turned-back' : 'done'
}

function guardsOf(t: Transition): Guards {
  const { migration, instance } = t.records
  return {
    providers: providerGuards(t),
    instance: { id: instance.id, generation: instance.generation },
    migration: { id: migration.id, generation: migration.generation, fence: t.fence },
    group: groupGuard(t),
    ...(claims(t) && t.fleetLimit !== undefined && { fleetLimit: t.fleetLimit }),
  }
}

/** A soft policy needs no guard: no policy changes while the group has members, and this instance is one. */
function groupGuard({ claim }: Transition): Guards['group'] {
  const group = claim?.plan.group ?? null
  return group?.generation === null ? null : group
}

// In `claim` the source's generation is guarded: its outgoing migrations were counted at that generation, and every
// claim raises it. A dead host is always guarded: the change must not commit if it has returned since. Otherwise
// exchanges and releases only shift or free capacity, and rely on nothing.
function providerGuards(t: Transition): Guards['providers'] {
  const { source, target } = t.records
  const own: readonly Guard[] = claims(t) ? (t.claim?.plan.guards ?? []) : []
  const touched = changesDirection(t) || ends(t)
  const others = [source, target].flatMap((host): readonly Guard[] => {
    const root = rootGuard(host)
    if (host !== null && (isDead(host.status) || claims(t))) return root
    return touched ? root.map(({ provider }) => ({ provider, generation: null })) : []
  })
  const guards = new Map<ProviderId, Guard>()
  for (const guard of [...own, ...others]) if (!guards.has(guard.provider)) guards.set(guard.provider, guard)
  return [...guards.values()]
}

type Guard = Guards['providers'][number]

function eventOf(t: Transition): EventBody {
  const { records, after } = t
  const kind = eventKind(records.migration, after)
  return {
    kind,
    hosts: hostsOf(after),
    instance: after.instance,
    migration: after.id,
    data: {
      operation: after.operation,
      step: after.step,
      direction: after.direction,
      waiting: after.waiting,
      outcome: after.outcome,
      ...(TELLS_PROGRESS.includes(kind) ? { progress: after.progress } : {}),
      ...(claims(t) ? { sides: sidesOf(t) } : {}),
    },
    quiet: !isNews(kind, records.migration, after),
  }
}

export const hostsOf = ({ source, target }: Migration): readonly HostId[] =>
  [...new Set([source, target])].filter((host) => host !== null)

const TELLS_PROGRESS = ['migration.progressed', 'migration.transferred']

// Clients wait for changes of claims or of the instance's host, for the reason of any wait, and for the end. Other
// steps write no event, because the next one follows within a moment.
function isNews(kind: string, before: Migration, after: Migration): boolean {
  if (before.waiting !== null) return true
  if (kind === 'migration.prepared') return false
  if (kind === 'migration.transferred') return operationRow(after.operation).transfer !== 'memory'
  if (kind !== 'migration.progressed') return true
  const same = (['requestedAction', 'forced', 'handedOver'] as const).every((key) => before[key] === after[key])
  return !same || isReportNews(before, after)
}

const REPORT_INTERVAL_MS = 5_000 // longest interval, for a moving progress bar
const REPORT_AT_MS = [0, 500, REPORT_INTERVAL_MS] // one early report after the start, then one per interval
const REPORT_STEP = 20 // or when another twentieth has been sent

function isReportNews({ progress: before, stepSince }: Migration, { progress: now }: Migration): boolean {
  if (now === null || before === null) return false
  const intervalOf = ({ at }: Progress) => {
    const elapsedMs = at - stepSince
    const early = REPORT_AT_MS.filter((each) => each <= elapsedMs).length
    return early + Math.max(0, Math.floor(elapsedMs / REPORT_INTERVAL_MS))
  }
  const part = ({ totalBytes, remainingBytes }: Progress) =>
    totalBytes === 0 ? 0 : Math.floor(((totalBytes - remainingBytes) * REPORT_STEP) / totalBytes)
  return intervalOf(before) !== intervalOf(now) || part(before) !== part(now) || before.iteration !== now.iteration
}

/** The claims of both sides from the claim on: their rows go when the migration ends, but are displayed later. */
function sidesOf({ records, after, claim }: Transition): Readonly<Record<Side, ClaimBody | null>> {
  const source = records.source?.holdings.find((holding) => holding.consumer === after.instance)?.body ?? null
  if (after.keepsClaim) return { source, target: source }
  return { source, target: claim && bodyOf(claim.plan) }
}

function eventKind(before: Migration, after: Migration): string {
  if (before.direction !== after.direction)
    return after.direction === 'source' ? 'migration.turned-back' : 'migration.went-on'
  if (before.seq === after.seq) return after.waiting === null ? 'migration.progressed' : 'migration.waiting'
  switch (after.step) {
    case 'prepare':
      return 'migration.claimed'
    case 'transfer':
      return 'migration.prepared'
    case 'switch':
      return 'migration.transferred'
    case 'verify':
      return 'migration.switched'
    case 'release':
      return operationRow(after.operation).verify && before.step === 'verify'
        ? 'migration.confirmed'
        : 'migration.switched'
    default:
      return after.step === 'ended' ? 'migration.ended' : 'migration.accepted'
  }
}
