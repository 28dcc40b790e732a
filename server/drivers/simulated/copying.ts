import { type Rate, rateAt } from './physics'

// A disk on its way, or an image that is unpacked: a plain copy, as a pure function of when it began and now.

const MS_PER_S = 1000

/** A plain copy: a disk, an image to unpack. Its source does not change meanwhile. */
export interface CopyFacts {
  readonly startedAt: number
  /** Before the first byte: the guest shuts down, the image is opened. */
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
