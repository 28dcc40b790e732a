// The baseline of a step: its 95th percentile in earlier migrations of the same operation. Without history there is
// none, so "overdue" is never a guess.

/** Minimum number of migrations through a step before it has a baseline. */
export const PACE_SAMPLES = 5

/** Durations of a step, in ms. */
export interface StepTimes {
  readonly samples: number
  readonly p50Ms: number
  readonly p95Ms: number
}

export interface Pace extends StepTimes {
  /** pair: migrations between the same two hosts. step: all migrations of that operation, if that pair has too few. */
  readonly scope: 'pair' | 'step'
  /** Number of migrations between the same two hosts, whichever scope applies. */
  readonly pairSamples: number
}

/** Null when too few migrations ever did that step. */
export function paceOf(pair: StepTimes | null, all: StepTimes | null): Pace | null {
  const pairSamples = pair?.samples ?? 0
  if (pair && pairSamples >= PACE_SAMPLES) return { ...timesIn(pair), scope: 'pair', pairSamples }
  return all && all.samples >= PACE_SAMPLES ? { ...timesIn(all), scope: 'step', pairSamples } : null
}

const timesIn = ({ samples, p50Ms, p95Ms }: StepTimes): StepTimes => ({ samples, p50Ms, p95Ms })

/** When the step becomes overdue (ms since the epoch). */
export const overdueFrom = (stepSince: number, pace: StepTimes): number => stepSince + pace.p95Ms
