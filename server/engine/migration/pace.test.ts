import { describe, expect, it } from 'vitest'
import { overdueFrom, PACE_SAMPLES, paceOf, type StepTimes } from './pace'

const times = (samples: number, p95Ms = 900): StepTimes => ({ samples, p50Ms: 500, p95Ms })

describe('the baseline of a step', () => {
  it.each<[title: string, pair: StepTimes | null, all: StepTimes | null, says: object | null]>([
    [
      'the pair of hosts, if that has enough samples',
      times(PACE_SAMPLES, 700),
      times(400),
      { scope: 'pair', p95Ms: 700, samples: 5 },
    ],
    [
      'the step, if the pair has too few samples',
      times(4, 700),
      times(400),
      { scope: 'step', p95Ms: 900, pairSamples: 4 },
    ],
    ['the step, if the pair has none', null, times(PACE_SAMPLES), { scope: 'step', samples: 5, pairSamples: 0 }],
    ['nowhere, if the step has too few samples', times(4), times(4), null],
    ['nowhere without a history', null, null, null],
  ])('comes from %s', (_, pair, all, says) => {
    const pace = paceOf(pair, all)
    if (says === null) expect(pace).toBeNull()
    else expect(pace).toMatchObject(says)
  })

  it('makes a step overdue only after its p95', () => {
    expect(overdueFrom(10_000, times(5, 700))).toBe(10_700)
  })
})
