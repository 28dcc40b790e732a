import type { UnitName } from '../../words/units'
import type { PreparedHost } from '../prepared'
import { affinityAllows, affinityRank, type ChosenNodes } from './affinity'
import { matchSlots, type SlotMatch, type SlotProblem } from './match-slots'
import type { DevicePool } from './pools'
import type { Slot } from './slots'

// Assigns all requests of an instance to the pools of a host together, by a matching. A PF and its VFs cannot both be
// given, so each card where a matching uses both is decided by branching.

/** Maximum number of search steps. Real hosts need tens; a request that needs more is absurd and is refused. */
export interface Budget {
  left: number
}

export type Assignment =
  | { readonly outcome: 'given'; readonly given: Int32Array }
  | { readonly outcome: 'short'; readonly contested: readonly number[] }
  | { readonly outcome: 'exhausted' }

export interface AssignQuestion {
  readonly host: PreparedHost
  readonly slots: readonly Slot[]
  readonly chosen: ChosenNodes
  readonly budget: Budget
}

export function assignUnits({ host, slots, chosen, budget }: AssignQuestion): Assignment {
  const where = { chosen, host }
  const options = slots.map((slot) => {
    const allowed = slot.pools.filter((index) => affinityAllows(slot.deviceRequest.policy, host.pools[index]!, where))
    return allowed.length < 2 ? allowed : bestFirst(allowed, host.pools, chosen)
  })
  const needs = slots.map((slot) => slot.need)
  const supply = host.pools.map((pool) => pool.devices.length)
  return solve({ problem: { needs, options, supply }, pools: host.pools, budget })
}

// Near before far; then the least wasteful: a plain unit before a whole card, a split card before a whole one, the
// smallest pool first; then by name.
function bestFirst(allowed: readonly number[], pools: readonly DevicePool[], chosen: ChosenNodes): readonly number[] {
  const rank = (pool: DevicePool) =>
    affinityRank(pool, chosen) * 4 + (pool.below.length > 0 ? 2 : 0) + (pool.parentBroken ? 0 : 1)
  return allowed.toSorted((left, right) => {
    const a = pools[left]!
    const b = pools[right]!
    return rank(a) - rank(b) || a.devices.length - b.devices.length || left - right
  })
}

interface Branch {
  readonly problem: SlotProblem
  readonly pools: readonly DevicePool[]
  readonly budget: Budget
}

function solve(branch: Branch): Assignment {
  if (branch.budget.left-- <= 0) return { outcome: 'exhausted' }
  const match = matchSlots(branch.problem)
  if (!match.ok) return { outcome: 'short', contested: match.contested }
  const card = doublyUsedCard(branch, match)
  if (card === null) return { outcome: 'given', given: match.given }
  // Either the card stays whole for a request for the whole card (nothing cut from it is given) …
  const whole = solve(without(branch, branch.pools[card]!.below))
  if (whole.outcome !== 'short') return whole
  // … or it is not given whole. Then no equivalent card is either: exchanging the two would change nothing, and the
  // line above has found nothing.
  const cut = solve(without(branch, cardsLike(branch, card)))
  return cut.outcome === 'short' ? { outcome: 'short', contested: whole.contested } : cut
}

const without = (branch: Branch, pools: readonly number[]): Branch => ({
  ...branch,
  problem: {
    ...branch.problem,
    supply: branch.problem.supply.map((units, pool) => (pools.includes(pool) ? 0 : units)),
  },
})

function doublyUsedCard({ pools, problem }: Branch, match: SlotMatch & { ok: true }): number | null {
  const used = (pool: number) => problem.needs.some((_, slot) => match.given[slot * pools.length + pool]! > 0)
  const card = pools.find((pool) => pool.below.length > 0 && used(pool.index) && pool.below.some(used))
  return card?.index ?? null
}

function cardsLike(branch: Branch, card: number): readonly number[] {
  const likeness = (pool: DevicePool) => cardLikeness(branch, pool)
  const wanted = likeness(branch.pools[card]!)
  if (wanted === null) return [card]
  return branch.pools.filter((pool) => likeness(pool) === wanted).map((pool) => pool.index)
}

/** Equal for interchangeable cards: the same slots request them and what is cut from them. Null: unique. */
function cardLikeness({ problem, pools }: Branch, card: DevicePool): string | null {
  if (card.below.length === 0 || card.above.length > 0) return null
  if (card.below.some((pool) => pools[pool]!.below.length > 0)) return null
  const wantedBy = (pool: number) => problem.options.flatMap((options, slot) => (options.includes(pool) ? [slot] : []))
  const below = card.below.map((pool) => `${wantedBy(pool)}:${problem.supply[pool]}`).sort()
  return `${wantedBy(card.index)}:${problem.supply[card.index]} ${below.join(' ')}`
}

/** The units behind an assignment, per request. Units of a pool are given by name. */
export function unitsPerRequest(
  slots: readonly Slot[],
  pools: readonly DevicePool[],
  given: Int32Array,
): readonly (readonly UnitName[])[] {
  const next = new Int32Array(pools.length)
  const requests: UnitName[][] = []
  slots.forEach((slot, index) => {
    const units = requests[slot.request] ?? []
    requests[slot.request] = units
    for (const { devices, index: pool } of pools) {
      const count = given[index * pools.length + pool]!
      for (let i = 0; i < count; i++) units.push(devices[next[pool]! + i]!.unit)
      next[pool] = next[pool]! + count
    }
  })
  return requests
}
