// Chance from a seed, for tests, simulations and benchmarks. The generator is mulberry32: 32 bits of state suffice for a
// few thousand draws, and it is the same on every machine.

/** Whole numbers from 0 to below 2³². The same seed gives the same numbers. */
export function seededIntegers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

/** Numbers from 0 to below 1. */
export function seeded(seed: number): () => number {
  const next = seededIntegers(seed)
  return () => next() / 2 ** 32
}
