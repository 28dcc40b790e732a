import type { Budget } from '../device/assign-units'

// Assigns guest NUMA nodes to host NUMA nodes. Without joint constraints this is a matching: a feasibility check at
// every choice leaves no dead end, so nothing is undone. With them (devices, networks) it searches sets of host nodes:
// the assignment within a set does not matter to a device. A failed set is not retried, nor an equivalent one.

/** Per guest NUMA node, the host NUMA nodes it fits on, best first. */
export type Candidates = readonly (readonly number[])[]

/** Host NUMA nodes used so far, those still reachable (used ones included), and how many are still to be chosen. */
export interface Partial {
  readonly used: Uint8Array
  readonly superset: Uint8Array
  readonly remaining: number
}

export interface JointCheck {
  /** True when devices and networks accept exactly these host NUMA nodes. */
  readonly accepts: (chosen: Uint8Array) => boolean
  /** False only when no choice within the superset is accepted. */
  readonly possible: (partial: Partial) => boolean
  /** Per host NUMA node, a text equal for nodes that are interchangeable. */
  readonly likeness: () => readonly string[]
}

export interface SearchQuestion {
  readonly candidates: Candidates
  readonly hostNodes: number
  /** Null: any assignment will do. */
  readonly joint: JointCheck | null
  readonly budget: Budget
}

/** Host NUMA node per guest NUMA node, or why there is none. */
export type SearchAnswer =
  | { readonly outcome: 'found'; readonly chosen: readonly number[] }
  | { readonly outcome: 'no-matching' | 'no-joint' | 'exhausted' }

export function searchNodes(question: SearchQuestion): SearchAnswer {
  const { candidates, hostNodes, joint } = question
  const first = firstChoices(candidates, hostNodes)
  if (first !== null && (joint === null || joint.accepts(flags(first, hostNodes)))) {
    return { outcome: 'found', chosen: first }
  }
  if (first === null && !canMatch(candidates, 0, new Uint8Array(hostNodes))) return { outcome: 'no-matching' }
  const used = new Uint8Array(hostNodes)
  const kinds = joint === null ? [...used.keys()] : kindsOf(joint.likeness())
  const search: Search = { question, used, kinds, chosen: [], failed: new Set() }
  const found = place(search, 0)
  if (found) return { outcome: 'found', chosen: search.chosen }
  return { outcome: question.budget.left < 0 ? 'exhausted' : 'no-joint' }
}

export function flags(chosen: readonly number[], hostNodes: number): Uint8Array {
  const set = new Uint8Array(hostNodes)
  for (const index of chosen) set[index] = 1
  return set
}

/** Takes the best free choice of each in turn, which is the cheapest and nearly always enough. */
function firstChoices(candidates: Candidates, hostNodes: number): number[] | null {
  const used = new Uint8Array(hostNodes)
  const chosen: number[] = []
  for (const list of candidates) {
    const best = list.find((index) => used[index] === 0)
    if (best === undefined) return null
    used[best] = 1
    chosen.push(best)
  }
  return chosen
}

interface Search {
  readonly question: SearchQuestion
  readonly used: Uint8Array
  /** Number of the kind of each host NUMA node; nodes of one kind can be exchanged. */
  readonly kinds: readonly number[]
  readonly chosen: number[]
  /** How many NUMA nodes of each kind were used when the rest could not be placed. */
  readonly failed: Set<string>
}

function kindsOf(likeness: readonly string[]): readonly number[] {
  const numbers = new Map<string, number>()
  for (const text of likeness) if (!numbers.has(text)) numbers.set(text, numbers.size)
  return likeness.map((text) => numbers.get(text)!)
}

function usedByKind({ used, kinds }: Search): string {
  const counts: number[] = []
  kinds.forEach((kind, index) => {
    counts[kind] = (counts[kind] ?? 0) + used[index]!
  })
  return counts.join()
}

function place(search: Search, guest: number): boolean {
  const { question, used, chosen, failed, kinds } = search
  const { candidates, joint, budget } = question
  if (guest === candidates.length) return joint === null || joint.accepts(used)
  if (budget.left-- <= 0) return false
  const key = usedByKind(search)
  if (failed.has(key)) return false
  if (!promising(search, guest)) {
    failed.add(key)
    return false
  }
  const tried = new Set<number>()
  for (const index of candidates[guest]!) {
    if (used[index] === 1 || tried.has(kinds[index]!)) continue
    tried.add(kinds[index]!)
    used[index] = 1
    chosen.push(index)
    if (place(search, guest + 1)) return true
    chosen.pop()
    used[index] = 0
  }
  failed.add(key)
  return false
}

function promising({ question, used }: Search, guest: number): boolean {
  const { candidates, joint } = question
  if (!canMatch(candidates, guest, used)) return false
  if (joint === null) return true
  return joint.possible({ used, superset: reachable(candidates, guest, used), remaining: candidates.length - guest })
}

function reachable(candidates: Candidates, from: number, used: Uint8Array): Uint8Array {
  const superset = Uint8Array.from(used)
  for (let guest = from; guest < candidates.length; guest++) {
    for (const index of candidates[guest]!) superset[index] = 1
  }
  return superset
}

/** Whether guest NUMA nodes `from` and on can all be placed on unused host NUMA nodes. */
export function canMatch(candidates: Candidates, from: number, used: Uint8Array): boolean {
  const holder = new Int32Array(used.length).fill(-1)
  for (let guest = from; guest < candidates.length; guest++) {
    if (!augment({ candidates, used, holder, seen: new Uint8Array(used.length) }, guest)) return false
  }
  return true
}

interface MatchingState {
  readonly candidates: Candidates
  readonly used: Uint8Array
  readonly holder: Int32Array
  readonly seen: Uint8Array
}

function augment(matching: MatchingState, guest: number): boolean {
  const { candidates, used, holder, seen } = matching
  for (const index of candidates[guest]!) {
    if (used[index] === 1 || seen[index] === 1) continue
    seen[index] = 1
    if (holder[index] === -1 || augment(matching, holder[index]!)) {
      holder[index] = guest
      return true
    }
  }
  return false
}
