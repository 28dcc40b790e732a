import { type ClaimPlan, explain, type Question } from './claim'
import type { Group } from './demand'
import { membersOn } from './group'
import { anonymousHolding, withHolding } from './holdings'
import type { Host } from './host'
import { memoize } from './memoize'
import { capacityOf, type Provider } from './resources/inventory'
import type { NumaNode } from './topology/host'
import type { HostId } from './words/ids'
import type { HostRefusals, Refusal } from './words/refusal'
import { MEMORY_MB, PCPU, VCPU } from './words/units'

// Ranks the hosts that fit, when no host was requested. Deterministic: a replayed seed chooses the same, whatever the
// order in which hosts were read.

export const POLICIES = ['spread', 'pack', 'least-fragmentation'] as const
export type Policy = (typeof POLICIES)[number]

/** Default, unless an operator has set another. */
export const DEFAULT_POLICY: Policy = 'spread'

export interface ChooseOptions {
  readonly policy: Policy
  /** Hosts that refused or lost a race already. */
  readonly without?: ReadonlySet<HostId> | readonly HostId[]
}

export interface RankedHost {
  readonly host: Host
  readonly plan: ClaimPlan
  readonly warnings: readonly Refusal[]
  /** The basis of the order, for display. */
  readonly standing: RankFacts
  /** `standing` under the policy: compared entry by entry, smaller first. */
  readonly rank: readonly number[]
}

/** The host as it would be with the instance, in the numbers that rank it. */
export interface RankFacts {
  /** Members of the instance's soft group that are there; null without such a group. */
  readonly members: number | null
  /** Thousandths held of CPUs or of memory, whichever is fuller. */
  readonly fullMilli: number
  /** Claims, including the instance's. */
  readonly claims: number
  /** Cores, NUMA nodes and cards that the instance would newly leave partly used; null unless ranked by. */
  readonly broken: number | null
}

export interface Choice {
  /** Best first. */
  readonly plans: readonly RankedHost[]
  readonly refusals: readonly (HostRefusals & { readonly host: HostId })[]
}

export function choose(
  question: Omit<Question, 'host' | 'prepared'>,
  hosts: readonly Host[],
  options: ChooseOptions,
): Choice {
  const without = new Set(options.without ?? [])
  const plans: RankedHost[] = []
  const refusals: Choice['refusals'][number][] = []
  const asked = hosts.filter((host) => !without.has(host.id))
  for (const { host, verdict } of explain(question, asked)) {
    if (!verdict.ok) {
      refusals.push({ host: host.id, refusals: verdict.refusals })
      continue
    }
    const { plan, warnings } = verdict
    const standing = standingOf(question.group, { host, plan }, options.policy)
    plans.push({ host, plan, warnings, standing, rank: ranked(question.group, standing, options.policy) })
  }
  plans.sort(byRank)
  return { plans, refusals }
}

/**
 * Hosts in the order of `choose`, including those that do not fit: for a caller that needs only the first that fits. If
 * amounts alone determine an instance's rank, hosts are decided lazily; otherwise all are.
 */
export function inRankOrder(
  question: Omit<Question, 'host' | 'prepared'>,
  hosts: readonly Host[],
  { policy }: Pick<ChooseOptions, 'policy'>,
): readonly Host[] {
  if (policy === 'least-fragmentation') return choose(question, hosts, { policy }).plans.map(({ host }) => host)
  const taken = [[VCPU, PCPU], [MEMORY_MB]].map((classes) =>
    classes.reduce((sum, each) => sum + (question.demand.amounts[each] ?? 0), 0),
  )
  const { group } = question
  const standing = (host: Host): RankFacts => ({
    members: membersIn(group, host),
    fullMilli: fullness(host, taken),
    claims: host.holdings.length + 1,
    broken: null,
  })
  const entries = hosts.map((host) => ({ host, rank: ranked(group, standing(host), policy) }))
  return entries.sort(byRank).map(({ host }) => host)
}

/** Rank of a host that fits, for callers that decide hosts one by one. */
export function rankOf(
  group: Group | null,
  fits: Pick<RankedHost, 'host' | 'plan'>,
  policy: Policy,
): readonly number[] {
  return ranked(group, standingOf(group, fits, policy), policy)
}

function standingOf(group: Group | null, { host, plan }: Pick<RankedHost, 'host' | 'plan'>, policy: Policy): RankFacts {
  const then = withHolding(host, anonymousHolding(plan))
  return {
    members: membersIn(group, host),
    fullMilli: fullness(then),
    claims: then.holdings.length,
    broken: policy === 'least-fragmentation' ? broken(then) - broken(host) : null,
  }
}

/** Best first; never equal for two hosts. */
export function byRank(a: Pick<RankedHost, 'host' | 'rank'>, b: Pick<RankedHost, 'host' | 'rank'>): number {
  for (const [index, value] of a.rank.entries()) {
    const difference = value - (b.rank[index] ?? 0)
    if (difference !== 0) return difference
  }
  if (a.host.name !== b.host.name) return a.host.name < b.host.name ? -1 : 1
  return a.host.id < b.host.id ? -1 : 1
}

const membersIn = (group: Group | null, host: Host) => (group && isSoft(group) ? membersOn(group, host) : null)

const isSoft = ({ policy }: Group) => policy === 'soft-affinity' || policy === 'soft-anti-affinity'

// A soft group takes precedence over the policy, so that it is kept wherever possible.
function ranked(group: Group | null, standing: RankFacts, policy: Policy): readonly number[] {
  const members = standing.members ?? 0
  return [...(group?.policy === 'soft-affinity' ? [-members] : [members]), ...RANKS[policy](standing)]
}

const RANKS: { readonly [K in Policy]: (standing: RankFacts) => readonly number[] } = {
  spread: ({ fullMilli, claims }) => [fullMilli, claims],
  pack: ({ fullMilli, claims }) => [-fullMilli, -claims],
  'least-fragmentation': ({ broken, fullMilli, claims }) => [broken ?? 0, -fullMilli, -claims],
}

// Whole thousandths of the fuller of CPUs and memory, because the one that runs out first limits what fits.
function fullness(host: Host, more: readonly number[] = []): number {
  let most = 0
  for (const [index, { used, capacity }] of roomOf(host.providers).entries()) {
    if (capacity > 0) most = Math.max(most, Math.floor(((used + (more[index] ?? 0)) * 1000) / capacity))
  }
  return most
}

// Summed once per state of a host: a fleet is ranked for every migration, and few hosts change in between.
const roomOf = memoize((providers: Host['providers']) =>
  [[VCPU, PCPU], [MEMORY_MB]].map((classes) => {
    let used = 0
    let capacity = 0
    for (const inventory of providers.flatMap(ownInventories)) {
      if (!classes.includes(inventory.resourceClass)) continue
      used += inventory.used
      capacity += capacityOf(inventory)
    }
    return { used, capacity }
  }),
)

const ownInventories = (provider: Provider) => (provider.sharing ? [] : provider.inventories)

/** Partly used parts: NUMA nodes in use with free room, cores with a free thread, cards with some functions taken. */
function broken(host: Host): number {
  const nodes = host.numaNodes.filter((node) => isBegun(node)).length
  const cores = host.numaNodes.reduce((sum, node) => sum + halfCores(node), 0)
  return nodes + cores + begunCards(host)
}

function isBegun(node: NumaNode): boolean {
  const free = node.dedicatedCpus.length - node.pinnedCpus.length
  return (node.pinnedCpus.length > 0 && free > 0) || (node.memoryUsedMib > 0 && node.memoryUsedMib < node.memoryMib)
}

function halfCores(node: NumaNode): number {
  const pinned = new Set(node.pinnedCpus)
  return node.siblings.filter((core) => core.some((cpu) => pinned.has(cpu)) && !core.every((cpu) => pinned.has(cpu)))
    .length
}

function begunCards(host: Host): number {
  const parts = new Map<string, { free: number; taken: number }>()
  for (const device of host.devices) {
    if (device.parent === null) continue
    const card = parts.get(device.parent) ?? { free: 0, taken: 0 }
    if (device.free) card.free++
    else card.taken++
    parts.set(device.parent, card)
  }
  return [...parts.values()].filter((card) => card.free > 0 && card.taken > 0).length
}
