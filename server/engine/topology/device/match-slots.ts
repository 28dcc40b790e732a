// Slots to pools: a complete matching with counts, by augmenting paths. Where Nova takes the first pool that serves a
// request and later finds nothing left for the next one, an earlier slot is reassigned here.

export interface SlotProblem {
  readonly needs: readonly number[]
  /** Per slot, the pools it may use, best first. */
  readonly options: readonly (readonly number[])[]
  /** Per pool, how many units it has. */
  readonly supply: readonly number[]
}

/** `given[slot * pools + pool]` units; or the slots that together request more than their pools have. */
export type SlotMatch =
  | { readonly ok: true; readonly given: Int32Array }
  | { readonly ok: false; readonly contested: readonly number[] }

export function matchSlots({ needs, options, supply }: SlotProblem): SlotMatch {
  const pools = supply.length
  const given = new Int32Array(needs.length * pools)
  const left = Int32Array.from(supply)
  for (let slot = 0; slot < needs.length; slot++) {
    let missing = needs[slot]!
    for (const pool of options[slot]!) {
      const amount = Math.min(missing, left[pool]!)
      left[pool] = left[pool]! - amount
      given[slot * pools + pool] = given[slot * pools + pool]! + amount
      missing -= amount
      if (missing === 0) break
    }
    for (; missing > 0; missing--) {
      const visited = new Uint8Array(needs.length)
      if (!takeOne({ options, given, left, pools, visited }, slot)) {
        return { ok: false, contested: [...visited.keys()].filter((other) => visited[other] === 1) }
      }
    }
  }
  return { ok: true, given }
}

interface Path {
  readonly options: SlotProblem['options']
  readonly given: Int32Array
  readonly left: Int32Array
  readonly pools: number
  readonly visited: Uint8Array
}

/** One more unit for the slot: from a pool with some left, or from another slot that can go elsewhere. */
function takeOne(path: Path, slot: number): boolean {
  const { options, given, left, pools, visited } = path
  visited[slot] = 1
  for (const pool of options[slot]!) {
    if (left[pool]! > 0) {
      left[pool] = left[pool]! - 1
      given[slot * pools + pool] = given[slot * pools + pool]! + 1
      return true
    }
  }
  for (const pool of options[slot]!) {
    for (let other = 0; other < visited.length; other++) {
      if (visited[other] === 1 || given[other * pools + pool] === 0) continue
      if (!takeOne(path, other)) continue
      given[other * pools + pool] = given[other * pools + pool]! - 1
      given[slot * pools + pool] = given[slot * pools + pool]! + 1
      return true
    }
  }
  return false
}
