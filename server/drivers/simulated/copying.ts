import { type Rate, rateAt } from './physics'

// The copy of a disk or an image: its progress is a pure function of its start and the present time.

const MS_PER_S = 1000

/** The copy of a disk or an image, which does not change meanwhile. */
export interface CopyFacts {
  readonly startedAt: number
  /** Delay before the first byte: the guest shuts down, or the image is opened. */
  readonly delayMs: number
  readonly totalBytes: number
  readonly bandwidth: readonly Rate[]
}

export interface CopyState {
  readonly sentBytes: number
  readonly remainingBytes: number
  readonly doneAt: number | null
}

export function copyAt(facts: CopyFacts, now: number): CopyState {
  let at = facts.startedAt + facts.delayMs
  let left = facts.totalBytes
  while (at < now) {
    const perMs = rateAt(facts.bandwidth, at) / MS_PER_S
    const from = at
    const change = facts.bandwidth.find((rate) => rate.at > from)?.at ?? Number.POSITIVE_INFINITY
    const end = left > 0 ? at + left / perMs : at
    if (end <= Math.min(now, change)) return { sentBytes: facts.totalBytes, remainingBytes: 0, doneAt: end }
    const until = Math.min(now, change)
    left -= Math.min(left, (until - at) * perMs)
    at = until
  }
  return { sentBytes: facts.totalBytes - left, remainingBytes: left, doneAt: null }
}
