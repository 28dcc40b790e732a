import { seeded } from '../engine/testing/seeded'

// The only source of randomness of a simulation, so that a seed determines the whole run.

export class Chance {
  readonly #next: () => number

  constructor(seed: number) {
    // Mix the seed first: neighbouring seeds must not give similar runs.
    this.#next = seeded(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b))
    this.#next()
  }

  /** A whole number from 0 to below `n`. */
  below(n: number): number {
    return Math.floor(this.#next() * n)
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
