import type { UnattendedSpan } from '@/server/api/migration/unattended'
import type { StepView } from '@/server/api/migration/view'
import type { Progress } from '@/server/engine/migration/state'
import type { Mark } from '../ui/chart/LineChart'
import { tabWords } from './tab/words'

const words = tabWords.transfer

/** Before counting the memory, the hypervisor reports 0 of 0 bytes, which would be drawn as the end. */
export const isCounted = ({ totalBytes }: Progress): boolean => totalBytes > 0

/** When each new round over the guest's memory was first seen. The first round needs no line. */
export function roundMarks(history: readonly Progress[]): Mark[] {
  const begun = history.filter((point, at) => at > 0 && point.iteration !== history[at - 1]?.iteration)
  return begun.map(({ at, iteration }) => ({ at, label: words.roundMark(iteration), role: '--faint' }))
}

/** A point of the chart; `of` is null where nothing was measured, so that no line bridges the gap. */
export interface ProgressPoint {
  readonly at: number
  readonly of: Progress | null
}

/** Transfers are measured every second. A gap this long is unknown and stays empty. */
const SILENCE_MS = 15_000

export function progressPoints(history: readonly Progress[]): ProgressPoint[] {
  return history.flatMap((point, index): ProgressPoint[] => {
    const before = history[index - 1]
    const here = { at: point.at, of: point }
    return before && point.at - before.at > SILENCE_MS ? [{ at: before.at + 1, of: null }, here] : [here]
  })
}

/** Periods without a server, during which nothing was measured: they explain gaps in the lines. */
export const unattendedMarks = (unattended: readonly UnattendedSpan[], until: number): Mark[] =>
  unattended.map(({ from, to }) => ({ at: from, to: to ?? until, label: tabWords.timeline.unattended, role: '--bad' }))

/** More lines than this would hide the curves. */
const ROUNDS_DRAWN = 12

/** Draws only some of many rounds, evenly spaced; each has its number, so the gaps are readable. */
export function thinned(marks: readonly Mark[]): Mark[] {
  const every = Math.max(Math.ceil(marks.length / ROUNDS_DRAWN), 1)
  return marks.filter((_, at) => at % every === 0)
}

/** The switch, while the instance is paused, with its duration; clipped to the measured period. */
export function downtimeMark(steps: readonly StepView[], history: readonly Progress[]): Mark[] {
  const last = history.at(-1)
  const step = steps.findLast((each) => each.step === 'switch' && each.direction === 'target')
  if (!last || last.downtimeMs === null) return []
  const to = Math.min(step?.startedAt ?? last.at, last.at)
  return [{ at: to - last.downtimeMs, to, label: words.downtimeMark(last.downtimeMs), role: '--bad' }]
}
