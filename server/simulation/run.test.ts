import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../engine/migration/state'
import { testMutant } from './mutation/check'
import { MUTANTS } from './mutation/mutants'
import { runSeed } from './run'

// A small sample of `npm run simulate`, which is the proof: few seeds, and only mutants that are noticed quickly.

const SEEDS = Array.from({ length: 40 }, (_, index) => index + 1)

describe('seeded runs', () => {
  test('break no law, and cover all operations', () => {
    const reports = SEEDS.map((seed) => runSeed(seed))
    expect(reports.filter(({ broken }) => broken !== null)).toEqual([])
    const moved = new Set(reports.flatMap(({ moves }) => moves.map(({ operation }) => operation)))
    expect([...moved].sort()).toEqual([...OPERATIONS].sort())
  })

  test('are determined by their seed', () => {
    const lines: string[][] = [[], []]
    const reports = lines.map((trace) => runSeed(7, { trace: (line) => trace.push(line) }))
    expect(reports[0]).toEqual(reports[1])
    expect(lines[0]).toEqual(lines[1])
    expect(runSeed(8)).not.toEqual(reports[0])
  })
})

const AT_ONCE: ReadonlySet<string> = new Set(['L1', 'L2', 'L3', 'L4', 'proof'])

test.each(MUTANTS.filter(({ law }) => AT_ONCE.has(law)))('a run detects a broken $law: $breaks', async (mutant) => {
  expect((await testMutant(mutant, 1, 60)).seeds).not.toBeNull()
})
