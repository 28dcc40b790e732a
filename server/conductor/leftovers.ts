import type { Answer } from '../drivers/driver'
import type { Change, Instance, Write } from '../engine/change'
import type { Host } from '../engine/host'
import type { Side } from '../engine/migration/state'
import type { SideState } from '../engine/migration/switch-decision'
import type { LeftoverRow, LeftoverRowRecords } from '../engine/proof/leftover-row'
import type { HostId, InstanceId, MigrationId } from '../engine/words/ids'
import { isReadable } from '../engine/words/unreadable'
import { cancelAfter } from '../store/time/with-timeout'
import { driverOperationOf } from './driver-operation'
import type { Effect, MigrationView, TickResult } from './effects'
import { type ConductorContext, OPERATION_TIMEOUTS_MS, runOperation } from './run'

// Cleans up a returned host: leftovers of migrations and deletions during its absence are removed before it takes
// claims again (I11). A leftover is removed from the list only after its driver reported done, so a crash loses none.
// One server at a time cleans up a host, because a stale list could wipe what a new migration has just brought there.

export interface LeftoverState {
  readonly instance: InstanceId
  /** Null when the instance was deleted meanwhile. */
  readonly migration: MigrationId | null
  readonly side: Side
}

export interface CleanupParts {
  readonly context: ConductorContext
  readonly owner: string
  leftoversOf(host: HostId): Promise<readonly LeftoverState[]>
  /** The records about a leftover, for the proof that it may be cleaned up. */
  recordsOf(remain: LeftoverRow): Promise<Omit<LeftoverRowRecords, 'observed'>>
  /**
   * Leases the host for this server, or extends the lease; null while another has it. The fencing token shows whether
   * it changed hands.
   */
  lease(host: HostId): Promise<{ readonly fence: number } | null>
}

const SURVEY_LIMIT_MS = 10_000
const { clean: CLEAN_MS, destroy: DESTROY_MS, power: POWER_MS } = OPERATION_TIMEOUTS_MS

/** Longer than two surveys and the operation for one leftover may take, so that no other server begins meanwhile. */
export const CLEANING_MS = 2 * SURVEY_LIMIT_MS + Math.max(CLEAN_MS, DESTROY_MS, POWER_MS) + 5_000

const HOST_RECHECK_MS = 5_000 // maximum delay until a returned host is noticed

/** Cleans up what it can, and enables the host once nothing is left. */
export async function cleanLeftovers(id: HostId, cleaning: CleanupParts): Promise<TickResult> {
  const { records } = cleaning.context
  const taken = await cleaning.lease(id)
  if (taken === null) return later(cleaning)
  let skipped = false
  for (const remain of await cleaning.leftoversOf(id)) {
    if (cleaning.context.stopping() || (await cleaning.lease(id))?.fence !== taken.fence) return later(cleaning)
    const answer = (await isProved(id, remain, cleaning)) ? await clean(id, remain, cleaning) : null
    // What the host refuses to remove must not keep everything after it, which may still run.
    if (answer === null || answer.did === 'failed') {
      skipped = true
      continue
    }
    if (answer.did !== 'done') return later(cleaning)
    if (!(await clearLeftover(id, remain, cleaning))) return later(cleaning)
  }
  if (skipped) return later(cleaning)
  const host = await records.host({ host: id })
  if (host?.status !== 'up' || host.scheduling !== 'quarantined') return { nextAt: null }
  // It may have been down and back since the list was read. Leftovers noted from now on raise the host's generation.
  if ((await cleaning.leftoversOf(id)).length > 0) return later(cleaning)
  const committed = await commit(cleaning, host, {
    writes: [{ do: 'set-host', id, set: { scheduling: 'enabled' } }],
    kind: 'host.cleaned',
    instance: null,
  })
  return committed ? { nextAt: null } : later(cleaning)
}

async function later({ context }: CleanupParts): Promise<TickResult> {
  return { nextAt: (await context.records.now({})) + HOST_RECHECK_MS }
}

// A leftover that the records or hypervisors contradict is skipped, and the host stays closed: the audit reports it,
// and only a repair of the list enables the host again.
async function isProved(host: HostId, remain: LeftoverState, { context, recordsOf }: CleanupParts): Promise<boolean> {
  const records = await recordsOf({ ...remain, host })
  const prove = (observed: LeftoverRowRecords['observed']) =>
    context.records.proof({ of: { is: 'leftover', records: { ...records, observed } } })
  if ((await prove(null)) !== null) return false
  const home = records.instance?.host ?? null
  if (home === null) return true
  const [here, there] = await Promise.all([host, home].map((each) => standingAt(each, remain.instance, context)))
  return here !== undefined && there !== undefined && (await prove({ here, home: there })) === null
}

async function standingAt(host: HostId, instance: InstanceId, context: ConductorContext): Promise<SideState> {
  const driver = await context.driverOf([host])
  const domains = await cancelAfter(SURVEY_LIMIT_MS, (signal) => driver.survey(host, signal)).catch(() => null)
  if (domains === null) return 'silent'
  const copies = domains.filter((domain) => domain.instance === instance)
  return (
    copies.find(({ observedState }) => observedState === 'running')?.observedState ??
    copies[0]?.observedState ??
    'absent'
  )
}

/** Null: it was stopped, and is removed in the next round. */
async function clean(host: HostId, remain: LeftoverState, { context }: CleanupParts): Promise<Answer | null> {
  // Fence of an ended instance: later than all its operations, and earlier than those of one adopted under its id since.
  const now = await context.records.now({})
  const view = remain.migration === null ? null : await context.records.view({ migration: remain.migration })
  const known = view === null ? await context.records.instance({ instance: remain.instance }) : null
  const rests = [view?.migration ?? null, view?.instance ?? null, known?.instance ?? null]
  if (!rests.every(isReadable)) return { did: 'no-answer', why: 'a record that it depends on cannot be read' }
  const fence = known?.instance.generation ?? now
  if (view === null) return (await runOperation(destroyAll(host, remain, fence), context)) as Answer
  // No driver removes the only copy that runs. But a shelved instance is to run nowhere: a late request started it here.
  if (view.instance.host === null && (await standingAt(host, remain.instance, context)) === 'running') {
    await runOperation(stopAt(host, view.instance, now), context)
    return null
  }
  return (await runOperation(cleanSide(view, remain.side), context)) as Answer
}

const stopAt = (host: HostId, { id, generation }: Instance, at: number) =>
  ({
    name: 'power',
    ask: { order: { instance: id, host, fence: generation, action: 'stop', at, hard: true } },
  }) satisfies Effect

/** The instance is gone, or runs elsewhere: nothing of it may stay here. */
const destroyAll = (host: HostId, { instance }: LeftoverState, fence: number) =>
  ({ name: 'destroy', ask: { order: { instance, host, fence } } }) satisfies Effect

function cleanSide(view: MigrationView, side: Side) {
  const reach = { source: side === 'source', target: side === 'target' }
  return { name: 'clean', ask: { driverOperation: driverOperationOf(view, reach), side } } as const satisfies Effect
}

async function clearLeftover(
  id: HostId,
  { instance, migration }: LeftoverState,
  cleaning: CleanupParts,
): Promise<boolean> {
  const host = await cleaning.context.records.host({ host: id })
  if (host?.status !== 'up') return false
  return commit(cleaning, host, {
    writes: [{ do: 'clear-remains', host: id, instance, migration }],
    kind: 'host.remain-cleaned',
    instance,
  })
}

interface Step {
  readonly writes: readonly Write[]
  readonly kind: string
  readonly instance: InstanceId | null
}

/** Guarded by the host's generation: a status set meanwhile must not be overwritten. */
async function commit({ context, owner }: CleanupParts, host: Host, step: Step): Promise<boolean> {
  const root = host.providers[0]
  const change: Change = {
    guards: {
      providers: root ? [{ provider: root.id, generation: root.generation }] : [],
      instance: null,
      migration: null,
      group: null,
    },
    writes: step.writes,
    event: { kind: step.kind, hosts: [host.id], instance: step.instance, migration: null, data: {} },
    actor: { who: `conductor ${owner}`, request: null, reason: null },
    at: await context.records.now({}),
  }
  return (await context.records.commit({ change })).ok
}
