import { runCorrupted } from '../corruption/seeded/run'
import { runSeed } from '../run'
import { MUTANTS, type Mutant } from './mutants'

// Counts the seeds until a broken law is noticed. A surviving mutant means that the simulation misses that fault.

export interface MutantResult {
  readonly mutant: Mutant
  /** How many seeds ran until it was caught; null: it survived all of them. */
  readonly seeds: number | null
  readonly by: string | null
}

export async function* mutationCheck(from: number, mostSeeds: number): AsyncGenerator<MutantResult> {
  for (const mutant of MUTANTS) yield await testMutant(mutant, from, mostSeeds)
}

export async function testMutant(mutant: Mutant, from: number, mostSeeds: number): Promise<MutantResult> {
  const runOne = mutant.corrupted ? runCorrupted : runSeed
  for (let ran = 1; ran <= mostSeeds; ran++) {
    const { broken } = await runOne(from + ran - 1, { mutation: mutant.make() })
    if (broken !== null) return { mutant, seeds: ran, by: broken.law }
  }
  return { mutant, seeds: null, by: null }
}
