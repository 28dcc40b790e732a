import { describe, expect, it } from 'vitest'
import { overdueFrom, PACE_SAMPLES, paceOf, type StepTimes } from './pace'

const times = (samples: number, p95Ms = 900): StepTimes => ({ samples, p50Ms: 500, p95Ms })

describe('the baseline of a step', () => {
  it.each<[title: string, pair: StepTimes | null, all: StepTimes | null, says: object | null]>([
    [
      'the pair, when it has samples enough',
      times(PACE_SAMPLES, 700),
      times(400),
      { scope: 'pair', p95Ms: 700, samples: 5 },
    ],
    ['the step, when the pair has too few', times(4, 700), times(400), { scope: 'step', p95Ms: 900, pairSamples: 4 }],
    ['the step, when the pair has none', null, times(PACE_SAMPLES), { scope: 'step', samples: 5, pairSamples: 0 }],
    ['nobody knows, when the step has too few', times(4), times(4), null],
    ['nobody knows, without a history', null, null, null],
  ])('comes from %s', (_, pair, all, says) => {
    const pace = paceOf(pair, all)
    if (says === null) expect(pace).toBeNull()
    else expect(pace).toMatchObject(says)
  })

  it('makes a step overdue only after its p95', () => {
    expect(overdueFrom(10_000, times(5, 700))).toBe(10_700)
  })
})
