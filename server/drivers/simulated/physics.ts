// Durations in the simulated fleet. Every answer is a pure function of what was stored when the work began, of the
// changes since, and of the time: there are no ticks, and two servers compute the same. Source of the model: QEMU's
// pre-copy (docs/devel/migration): send everything, then what was dirtied meanwhile, until the rest can be sent within
// the allowed downtime.

/** A rate that holds from `at` until the next entry. Lists are sorted by time; the first entry is the start. */
export interface Rate {
  readonly at: number
  readonly bytesPerS: number
}

export type Force = { readonly at: number; readonly how: 'pause' | 'post-copy' }

/** Parameters of a live transfer, and its changes since. Times in ms. */
export interface LiveFacts {
  readonly startedAt: number
  /** Memory, plus the disk when the storage is not shared. */
  readonly totalBytes: number
  /** Memory that the guest writes repeatedly: no round leaves more than this behind. */
  readonly workingSetBytes: number
  readonly maxDowntimeMs: number
  /** Starting the instance on the other side once the last byte is there. */
  readonly switchMs: number
  readonly bandwidth: readonly Rate[]
  readonly dirty: readonly Rate[]
  readonly force: Force | null
}

export type LivePhase = 'copying' | 'paused' | 'post-copy' | 'done'

/** A live transfer at one time. `totalBytes + dirtiedBytes = sentBytes + remainingBytes`, always. */
export interface LiveState {
  readonly phase: LivePhase
  readonly sentBytes: number
  readonly remainingBytes: number
  /** Bytes that were sent again because the guest wrote to them. */
  readonly dirtiedBytes: number
  readonly iteration: number
  /** Handed over before its memory had arrived; stays true afterwards. */
  readonly postCopy: boolean
  readonly downtimeMs: number | null
  /** The instance runs on the target from this time on. */
  readonly handedOverAt: number | null
  readonly doneAt: number | null
}

interface Round {
  at: number
  phase: LivePhase
  sent: number
  /** Still to be sent in this round. */
  left: number
  /** To be sent in the next round. */
  dirty: number
  dirtied: number
  iteration: number
  pausedAt: number | null
  /** Handed over by post-copy, before its memory had arrived. */
  forced: boolean
  handedOverAt: number | null
  doneAt: number | null
}

const MS_PER_S = 1000

/** The transfer as it is at `now`. */
export function liveAt(facts: LiveFacts, now: number): LiveState {
  const round: Round = {
    at: facts.startedAt,
    phase: 'copying',
    sent: 0,
    left: facts.totalBytes,
    dirty: 0,
    dirtied: 0,
    iteration: 1,
    pausedAt: null,
    forced: false,
    handedOverAt: null,
    doneAt: null,
  }
  while (round.phase !== 'done' && round.at < now) advance(facts, round, now)
  return stateAt(round, now)
}

/** The state by `now`: with no byte left to send, the instance may still be paused until it starts on the target. */
function stateAt(round: Round, now: number): LiveState {
  const doneAt = round.doneAt !== null && round.doneAt <= now ? round.doneAt : null
  const handedOverAt = round.handedOverAt !== null && round.handedOverAt <= now ? round.handedOverAt : null
  const past: LivePhase = round.pausedAt === null ? 'copying' : round.forced ? 'post-copy' : 'paused'
  return {
    phase: doneAt === null ? past : 'done',
    sentBytes: round.sent,
    remainingBytes: round.left + round.dirty,
    dirtiedBytes: round.dirtied,
    iteration: round.iteration,
    postCopy: round.forced,
    downtimeMs: round.pausedAt === null || handedOverAt === null ? null : handedOverAt - round.pausedAt,
    handedOverAt,
    doneAt,
  }
}

/** The rate at a time; zero before the first entry. */
export function rateAt(rates: readonly Rate[], at: number): number {
  let found = 0
  for (const rate of rates) {
    if (rate.at > at) break
    found = rate.bytesPerS
  }
  return found
}

/** Both ends send at most what the slower one takes. */
export function slower(one: readonly Rate[], other: readonly Rate[]): Rate[] {
  const times = [...new Set([...one, ...other].map((rate) => rate.at))].sort((a, b) => a - b)
  return times.map((at) => ({ at, bytesPerS: Math.min(rateOrFirst(one, at), rateOrFirst(other, at)) }))
}

function rateOrFirst(rates: readonly Rate[], at: number): number {
  const first = rates[0]
  if (!first) return Number.POSITIVE_INFINITY
  return at < first.at ? first.bytesPerS : rateAt(rates, at)
}

/** Advances to the next event, or to `now` if that is earlier. */
function advance(facts: LiveFacts, round: Round, now: number): void {
  const changed = applyForce(facts, round)
  if (changed) return
  const until = Math.min(now, nextChange(facts, round.at))
  const bytesPerMs = rateAt(facts.bandwidth, round.at) / MS_PER_S
  if (round.phase === 'copying') copy(facts, round, { until, bytesPerMs })
  else drain(facts, round, { until, bytesPerMs })
}

/** True when the transfer was forced just now. */
function applyForce(facts: LiveFacts, round: Round): boolean {
  const { force } = facts
  if (round.phase !== 'copying' || !force || force.at > round.at) return false
  round.left += round.dirty
  round.dirty = 0
  round.pausedAt = round.at
  if (force.how === 'pause') round.phase = 'paused'
  else {
    round.phase = 'post-copy'
    round.forced = true
    round.handedOverAt = round.at + facts.switchMs
  }
  return true
}

function nextChange(facts: LiveFacts, after: number): number {
  let next = facts.force && facts.force.at > after ? facts.force.at : Number.POSITIVE_INFINITY
  for (const rates of [facts.bandwidth, facts.dirty]) {
    const change = rates.find((rate) => rate.at > after)
    if (change) next = Math.min(next, change.at)
  }
  return next
}

interface Span {
  readonly until: number
  readonly bytesPerMs: number
}

/** The guest runs and writes while its memory is sent. */
function copy(facts: LiveFacts, round: Round, { until, bytesPerMs }: Span): void {
  const dirtyPerMs = rateAt(facts.dirty, round.at) / MS_PER_S
  skipEqualRounds(facts, round, { until, bytesPerMs, dirtyPerMs })
  const roundEnd = round.left > 0 ? round.at + round.left / bytesPerMs : round.at
  const end = Math.min(until, roundEnd)
  const sent = end === roundEnd ? round.left : Math.min(round.left, (end - round.at) * bytesPerMs)
  round.sent += sent
  round.left -= sent
  // Only pages that were sent can be dirtied: pages not yet sent in this round are sent as they are then.
  const cap = Math.min(facts.workingSetBytes, facts.totalBytes - round.left)
  const dirty = Math.max(round.dirty, Math.min(cap, round.dirty + (end - round.at) * dirtyPerMs))
  round.dirtied += dirty - round.dirty
  round.dirty = dirty
  round.at = end
  if (end !== roundEnd) return
  if (round.dirty <= bytesPerMs * facts.maxDowntimeMs) pause(round)
  else {
    round.iteration += 1
    round.left = round.dirty
    round.dirty = 0
  }
}

/**
 * A guest that writes faster than the network sends repeats the same round for ever. Reads skip those rounds: they must
 * not compute an hour of them one by one.
 */
function skipEqualRounds(facts: LiveFacts, round: Round, span: Span & { readonly dirtyPerMs: number }): void {
  const bytes = facts.workingSetBytes
  const atRoundStart = round.dirty === 0 && round.left === bytes && round.iteration > 1
  if (!atRoundStart || span.dirtyPerMs < span.bytesPerMs || bytes <= span.bytesPerMs * facts.maxDowntimeMs) return
  const roundMs = bytes / span.bytesPerMs
  const rounds = Math.floor((span.until - round.at) / roundMs)
  if (!Number.isFinite(rounds) || rounds < 1) return
  round.sent += rounds * bytes
  round.dirtied += rounds * bytes
  round.iteration += rounds
  round.at += rounds * roundMs
}

function pause(round: Round): void {
  round.phase = 'paused'
  round.pausedAt = round.at
  round.left = round.dirty
  round.dirty = 0
}

/**
 * Nothing is dirtied any more: the instance is paused on the source, or runs on the target and fetches missing pages.
 */
function drain(facts: LiveFacts, round: Round, { until, bytesPerMs }: Span): void {
  const ready = round.at + (round.left > 0 ? round.left / bytesPerMs : 0)
  if (ready > until) {
    const sent = Math.min(round.left, (until - round.at) * bytesPerMs)
    round.sent += sent
    round.left -= sent
    round.at = until
    return
  }
  round.sent += round.left
  round.left = 0
  round.doneAt = Math.max(ready, round.handedOverAt ?? ready + facts.switchMs)
  round.handedOverAt ??= round.doneAt
  round.at = round.doneAt
  round.phase = 'done'
}
