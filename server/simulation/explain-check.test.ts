import { expect, test } from 'vitest'
import { compareAlongRun, EMPTY_TALLY, sum } from './explain-check'

test('explain predicts every claim: its success, its units and its refusals', () => {
  let asked = EMPTY_TALLY
  for (let seed = 1; asked.ok + asked.refused < 1_500; seed++) asked = sum(asked, compareAlongRun(seed))
  expect(asked.differ).toEqual([])
  // Both answers must occur often enough for the comparison to mean something.
  expect(asked.ok).toBeGreaterThan(200)
  expect(asked.refused).toBeGreaterThan(200)
})
