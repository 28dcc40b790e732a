import type { Demand, Group } from './demand'
import { type GroupGuard, groupRefusal, guardOfGroup, isStrict } from './group'
import { holdersOf, UNNAMED } from './holders'
import type { ClaimBody, Host, HostFrame } from './host'
import { type LiveInstance, liveChanges, liveDemand, liveRefusals } from './live'
import { type Placement, placeOn, UNPLACED } from './placing'
import { guardOf, type ProviderGuard } from './resources/guard'
import type { Amount } from './resources/inventory'
import { missingTraitRefusals, refusalsExceptTraits, sharersOf, traitsMissing } from './resources/trait'
import { textOf } from './rows'
import {
  type MigrationStorage,
  type StorageAnswer,
  type StorageUsed,
  storageOn,
  withoutKeptAmounts,
} from './storage/storage'
import { devicesOffNode } from './topology/device/off-node'
import { type PreparedHost, preparedOf } from './topology/numa'
import type { HostId, InstanceId } from './words/ids'
import type { Refusal } from './words/refusal'
import { isReadable, unreadableRefusals } from './words/unreadable'

// Demand + host → a plan or every refusal. The only decision path (I7): claims, the explain matrix, the scheduler,
// drain plans and the audit's "would it fit" all use it.

export type { LiveInstance } from './live'

const decided: unique symbol = Symbol('decided')

/** A checked claim. Only `decide` creates one and the store accepts nothing else, so no unchecked amount is written. */
export interface ClaimPlan extends ClaimBody {
  readonly [decided]: true
  readonly host: HostId
  /** Allocations at shared storage that the instance already holds and keeps; not among `amounts`. */
  readonly keptAmounts: readonly Amount[]
  /** How a live migration treats the disk; null for every other operation. */
  readonly storage: StorageUsed | null
  readonly guards: readonly ProviderGuard[]
  readonly group: GroupGuard | null
}

/** Runtime check where types do not reach: the symbol is not exported, and neither JSON nor a copy carries it. */
export const isDecided = (plan: ClaimBody): plan is ClaimPlan => decided in plan

/** A query about a shape, without an instance. */
export const ANONYMOUS_QUESTION = { instance: null, group: null, live: null, excludedHost: null } as const

export interface Question {
  readonly demand: Demand
  readonly host: Host
  /** The requesting instance, whose own leftovers on the host count; null for a shape without an instance. */
  readonly instance: InstanceId | null
  readonly group: Group | null
  /** Set when the instance migrates while running. */
  readonly live: LiveInstance | null
  /** The host the instance leaves when it must not be the target. */
  readonly excludedHost: HostId | null
  /** Driver of the host that the instance leaves: a host of another kind cannot take it. Absent when it leaves none. */
  readonly driver?: HostFrame['driver'] | undefined
  /**
   * The instance's allocations at shared storage, and the disk mode of a live migration; absent when it has no source.
   */
  readonly storage?: MigrationStorage | null
  /** `prepareHost(host.numaNodes, host.devices)`, when the caller decides often on the same snapshot and keeps it. */
  readonly prepared?: PreparedHost
  /**
   * Verdict only: the same result, but a refusal has only the first reasons found and names no holders. Collecting
   * every reason and every holder is most of the cost of a refusal.
   */
  readonly verdictOnly?: true
}

export type Verdict =
  | { readonly ok: true; readonly plan: ClaimPlan; readonly warnings: readonly Refusal[] }
  | { readonly ok: false; readonly refusals: readonly Refusal[] }

export type Decide = (question: Question) => Verdict

/**
 * Whether this demand fits on this host now. Pure and deterministic. A resize on its own host needs room for old and
 * new side by side, because both are held until it is confirmed (I4); the refusal then names the instance itself.
 */
export function decide(question: Question): Verdict {
  const { host, group } = question
  // The placeholder for an unreadable record says nothing about capacity.
  if (!isReadable(host)) return { ok: false, refusals: unreadableRefusals(host) }
  const storage = storageOn(host, question.demand, question.storage)
  const demand = withoutKeptAmounts(question.demand, storage.keptAmounts)
  const byGroup = group && groupRefusal(group, host)
  const strict = group !== null && isStrict(group)
  const refusals = [
    ...schedulingRefusals(question),
    ...refusalsExceptTraits(host, demand.constraints),
    ...storage.refusals,
  ]
  if (byGroup && strict) refusals.push(byGroup)
  if (question.verdictOnly && refusals.length > 0) return { ok: false, refusals }
  const wantedTraits = traitsMissing(host, demand.constraints.requiredTraits)
  const placement = placed({ ...question, demand }, wantedTraits, refusals)
  const given = [...placement.amounts, ...storage.keptAmounts]
  const givers = host.providers.filter((each) => given.some((amount) => amount.provider === each.id))
  refusals.push(...missingTraitRefusals(wantedTraits, givers))
  if (refusals.length > 0) return { ok: false, refusals }
  const warnings = [...(byGroup && !strict ? [byGroup] : []), ...devicesOffNode(demand.devices, host, placement)]
  return { ok: true, plan: planFrom(question, placement, storage), warnings }
}

function schedulingRefusals({ host, instance, excludedHost, driver }: Question): Refusal[] {
  const refusals: Refusal[] = []
  const refuse = (kind: 'host-not-up' | 'host-disabled' | 'host-quarantined', need: string, have: string) =>
    refusals.push({ kind, where: {}, need, have })
  if (host.status !== 'up') refuse('host-not-up', 'a host that is up', host.status)
  if (host.scheduling === 'disabled') refuse('host-disabled', 'a host that accepts claims', 'disabled')
  if (host.scheduling === 'quarantined') refuse('host-quarantined', 'a host that is cleaned up', 'quarantined')
  if (instance !== null && host.leftovers.includes(instance)) {
    const have = 'leftovers of this instance are still here'
    refusals.push({ kind: 'host-has-remains', where: {}, need: 'a host without leftovers', have })
  }
  if (host.id === excludedHost) {
    refusals.push({ kind: 'host-is-source', where: {}, need: 'another host', have: host.name })
  }
  if (driver !== undefined && host.driver !== driver) {
    refusals.push({ kind: 'other-hypervisor', where: {}, need: driver, have: host.driver })
  }
  return refusals
}

function placed(question: Question, wantedTraits: readonly string[], refusals: Refusal[]): Placement {
  const { demand, host, live, prepared, verdictOnly } = question
  const ask = {
    host,
    prepared,
    wantedTraits,
    holders: verdictOnly ? UNNAMED : holdersOf(host),
    verdictOnly,
  }
  if (live === null) {
    const placement = placeOn({ ...ask, demand })
    refusals.push(...placement.refusals)
    return placement
  }
  refusals.push(...liveRefusals(live, host))
  if (verdictOnly && refusals.length > 0) return UNPLACED
  const narrow = placeOn({ ...ask, demand: liveDemand(demand, live) })
  refusals.push(...narrow.refusals)
  if (narrow.refusals.length > 0 && !verdictOnly) {
    // The shape would fit if the instance were stopped: then the reason is what a running domain cannot change.
    const free = placeOn({ ...ask, demand })
    if (free.refusals.length === 0) refusals.push(...liveChanges(live, free.cells, free.devices))
  }
  return narrow
}

function planFrom({ host, group }: Question, { amounts, cells, units }: Placement, storage: StorageAnswer): ClaimPlan {
  const root = host.providers[0]!
  const sharers = sharersOf(host).filter((each) => amounts.some((amount) => amount.provider === each.id))
  const guards = [root, ...sharers].map(guardOf)
  const { keptAmounts, used } = storage
  return {
    [decided]: true,
    host: host.id,
    amounts,
    cells,
    units,
    keptAmounts,
    storage: used,
    guards,
    group: group && guardOfGroup(group),
  }
}

export interface HostVerdict {
  readonly host: Host
  readonly verdict: Verdict
}

/** The explain matrix: `decide` for every host, nothing else. Preparing the hosts again would take half of the time. */
export function explain(question: Omit<Question, 'host' | 'prepared'>, hosts: readonly Host[]): readonly HostVerdict[] {
  return hosts.map((host) => ({ host, verdict: decide({ ...question, host, prepared: preparedOf(host) }) }))
}

/** True when both demand the same, so that a rebuild in place keeps its claim and nothing is claimed or released. */
export function sameDemand(a: Demand, b: Demand): boolean {
  return textOf(a) === textOf(b)
}
