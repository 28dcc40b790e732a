// The only source of randomness of a simulation, so that a seed determines the whole run. The generator is mulberry32:
// 32 bits of state suffice for a few thousand draws, and it is the same on every machine.

export class Chance {
  #state: number

  constructor(seed: number) {
    // Mix the seed first: neighbouring seeds must not give similar runs.
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0
    this.#next()
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (t ^ (t >>> 14)) >>> 0
  }

  /** A whole number from 0 to below `n`. */
  below(n: number): number {
    return Math.floor((this.#next() / 0x100000000) * n)
  }

  /** True with a probability of `n` in a thousand. */
  permille(n: number): boolean {
    return this.below(1000) < n
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : list[this.below(list.length)]
  }

  /** One key of a table of weights. */
  weighted<K extends string>(weights: { readonly [W in K]: number }): K {
    const entries = Object.entries(weights) as [K, number][]
    let left = this.below(entries.reduce((sum, [, weight]) => sum + weight, 0))
    for (const [key, weight] of entries) {
      left -= weight
      if (left < 0) return key
    }
    return entries[0]![0]
  }
}
