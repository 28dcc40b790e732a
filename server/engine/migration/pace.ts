// What is long for a step: what it took 19 times of 20 when the same operation went through it before. Said of nothing
// that has no history, so "overdue" is never a guess.

/** Minimum number of migrations for the baseline of a step. */
export const PACE_SAMPLES = 5

/** What a step took. Times in ms. */
export interface StepTimes {
  readonly samples: number
  readonly p50Ms: number
  readonly p95Ms: number
}

export interface Pace extends StepTimes {
  /** pair: moves between the same two hosts. step: all moves of that operation, because too few went between these. */
  readonly scope: 'pair' | 'step'
  /** How many moves between the same two hosts there were, whichever were taken. */
  readonly pairSamples: number
}

/** Null when too few moves ever did that step. */
export function paceOf(pair: StepTimes | null, all: StepTimes | null): Pace | null {
  const pairSamples = pair?.samples ?? 0
  if (pair && pairSamples >= PACE_SAMPLES) return { ...timesIn(pair), scope: 'pair', pairSamples }
  return all && all.samples >= PACE_SAMPLES ? { ...timesIn(all), scope: 'step', pairSamples } : null
}

const timesIn = ({ samples, p50Ms, p95Ms }: StepTimes): StepTimes => ({ samples, p50Ms, p95Ms })

/** From when on the step is overdue (ms since the epoch). */
export const overdueFrom = (stepSince: number, pace: StepTimes): number => stepSince + pace.p95Ms
