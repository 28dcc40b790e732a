import type { LawViolation } from '../laws'
import {
  type GuardedWrite,
  type History,
  type Holding,
  NOTHING_HELD,
  type OwnWrite,
  type Span,
  sameHolding,
} from './history'

// Judges whether a history is possible, from what the clients saw. A write takes effect at some moment between request
// and response; without a response, at some moment after the request, or never. A law is broken only if no choice of
// these moments explains the history.

export function brokenLaws(history: History): LawViolation[] {
  const spansByConsumer = holdingSpansOf(history)
  return LAWS.flatMap(({ law, judge }) => judge(history, spansByConsumer).map((what) => ({ law, what })))
}

type HistoryCheck = (history: History, spansByConsumer: HoldingSpans) => readonly string[]

const LAWS: readonly { readonly law: string; readonly judge: HistoryCheck }[] = [
  { law: 'no provider is allocated beyond its capacity', judge: overAllocated },
  { law: 'a claim is refused only if it may have exceeded the capacity', judge: wrongRefusals },
  { law: 'a read returns every write acknowledged before it', judge: staleReads },
  { law: 'usages equal the sum of allocations', judge: wrongUse },
  { law: 'allocation candidates reflect the last write', judge: wrongCandidates },
  { law: 'of two writes at the same generation, one is refused', judge: lostUpdates },
  { law: 'every acknowledged write is there at the end, on every copy', judge: wrongEnd },
]

/** A holding, and the spans in which it started and ended. */
interface HoldingSpan {
  readonly holding: Holding
  readonly from: Span
  /** Null: it may never have ended. */
  readonly until: Span | null
}

type HoldingSpans = ReadonlyMap<string, readonly HoldingSpan[]>

const ALWAYS: Span = { startMs: Number.NEGATIVE_INFINITY, endMs: Number.NEGATIVE_INFINITY }

function holdingSpansOf({ writes }: History): HoldingSpans {
  const spansByConsumer = new Map<string, HoldingSpan[]>()
  for (const write of [...writes].sort((a, b) => a.startMs - b.startMs)) {
    if (write.outcome === 'full' || write.outcome === 'raced') continue
    const spans = spansByConsumer.get(write.consumer) ?? [{ holding: NOTHING_HELD, from: ALWAYS, until: null }]
    const last = spans.pop()!
    // Without a response both remain possible from then on.
    spans.push({ ...last, until: write.outcome === 'done' ? write : null })
    spans.push({ holding: write.to, from: write, until: null })
    spansByConsumer.set(write.consumer, spans)
  }
  return spansByConsumer
}

/** What a consumer may have held at some moment of a span. */
const possible = (spans: readonly HoldingSpan[], { startMs, endMs }: Span): readonly Holding[] =>
  spans
    .filter(({ from, until }) => from.startMs <= endMs && (until === null || until.endMs > startMs))
    .map(({ holding }) => holding)

const amountOf = ({ provider, amount }: Holding, of: string) => (provider === of ? amount : 0)

/** The least and the most that may have been allocated from a provider during a span, except by one consumer. */
function bounds(
  spansByConsumer: HoldingSpans,
  provider: string,
  { span, without }: { span: Span; without?: string },
): [number, number] {
  let [least, most] = [0, 0]
  for (const [consumer, spans] of spansByConsumer) {
    if (consumer === without) continue
    const amounts = possible(spans, span).map((holding) => amountOf(holding, provider))
    least += Math.min(...amounts)
    most += Math.max(...amounts)
  }
  return [least, most]
}

function overAllocated({ capacity, writes, uses }: History, spansByConsumer: HoldingSpans): string[] {
  const held = writes.flatMap(({ endMs, outcome, to: { provider } }) => {
    const room = provider === null ? undefined : capacity.get(provider)
    if (outcome !== 'done' || provider === null || room === undefined) return []
    const [least] = bounds(spansByConsumer, provider, { span: { startMs: endMs, endMs } })
    return least > room ? [`at least ${least} of ${provider} were allocated at ${endMs}, capacity ${room}`] : []
  })
  const overCapacity = uses.filter(({ provider, used }) => used > (capacity.get(provider) ?? 0))
  return [...held, ...overCapacity.map(({ provider, used }) => `a copy reported ${used} of ${provider} as used`)]
}

function wrongRefusals({ capacity, writes }: History, spansByConsumer: HoldingSpans): string[] {
  return writes.flatMap((write) => {
    const { provider, amount } = write.to
    if (write.outcome !== 'full' || provider === null) return []
    const [, most] = bounds(spansByConsumer, provider, { span: write, without: write.consumer })
    const room = capacity.get(provider) ?? 0
    return most + amount > room
      ? []
      : [`a claim for ${amount} of ${provider} was refused while at most ${most} of ${room} were allocated`]
  })
}

function staleReads({ reads }: History, spansByConsumer: HoldingSpans): string[] {
  return reads.flatMap((read) => {
    const may = possible(
      spansByConsumer.get(read.consumer) ?? [{ holding: NOTHING_HELD, from: ALWAYS, until: null }],
      read,
    )
    return may.some((holding) => sameHolding(holding, read.saw))
      ? []
      : [`${read.consumer} was read as ${JSON.stringify(read.saw)}, possible are ${JSON.stringify(may)}`]
  })
}

function wrongUse({ uses }: History, spansByConsumer: HoldingSpans): string[] {
  return uses.flatMap((read) => {
    const [least, most] = bounds(spansByConsumer, read.provider, { span: read })
    return read.used >= least && read.used <= most
      ? []
      : [`${read.used} of ${read.provider} were reported as used, possible are ${least} to ${most}`]
  })
}

function wrongCandidates({ candidates }: History): string[] {
  return candidates
    .filter(({ isFull, found }) => (found === 0) !== isFull)
    .map(({ provider, isFull, found }) => `${provider} was ${isFull ? 'full' : 'empty'}, ${found} candidates`)
}

function lostUpdates({ guarded, ends }: History): string[] {
  const [end] = ends
  if (!end) return ['no copy reported its final state']
  return [...end.things].flatMap(([thing, { from, to, counted }]) => {
    const writes = guarded.filter((write) => write.thing === thing)
    const done = writes.filter(({ outcome }) => outcome === 'done')
    const lost = writes.filter(({ outcome }) => outcome === 'lost').length
    return [
      ...duplicateGenerations(done).map((generation) => `two writes to ${thing} succeeded at generation ${generation}`),
      ...gaps(writes, from, to).map((generation) => `no known write to ${thing} succeeded at generation ${generation}`),
      ...done
        .filter(({ generation }) => generation >= to)
        .map(({ generation }) => `${thing} lost its write at generation ${generation}`),
      ...(counted === null || (counted >= done.length && counted <= done.length + lost)
        ? []
        : [`${thing} counts ${counted}; ${done.length} writes were acknowledged, ${lost} had no response`]),
    ]
  })
}

function duplicateGenerations(done: readonly GuardedWrite[]): readonly number[] {
  const all = done.map(({ generation }) => generation)
  return [...new Set(all.filter((generation, index) => all.indexOf(generation) < index))]
}

function gaps(writes: readonly GuardedWrite[], from: number, to: number): readonly number[] {
  const may = new Set(
    writes.filter(({ outcome }) => outcome === 'done' || outcome === 'lost').map((write) => write.generation),
  )
  return Array.from({ length: to - from }, (_, index) => from + index).filter((generation) => !may.has(generation))
}

const AT_LAST: Span = { startMs: Number.MAX_VALUE, endMs: Number.MAX_VALUE }

function wrongEnd({ ends, writes }: History, spansByConsumer: HoldingSpans): string[] {
  return ends.flatMap(({ copy, holdings, used }) => [
    ...[...spansByConsumer].flatMap(([consumer, spans]) => {
      const saw = holdings.get(consumer) ?? NOTHING_HELD
      const may = possible(spans, AT_LAST)
      return may.some((holding) => sameHolding(holding, saw))
        ? []
        : [`${copy}: ${consumer} holds ${JSON.stringify(saw)}, possible are ${JSON.stringify(may)}`]
    }),
    ...[...used].flatMap(([provider, reported]) => {
      const sum = [...holdings.values()].reduce((total, holding) => total + amountOf(holding, provider), 0)
      return sum === reported
        ? []
        : [`${copy}: ${reported} of ${provider} are reported as used, allocations sum to ${sum}`]
    }),
    ...torn(writes, holdings).map((what) => `${copy}: ${what}`),
  ])
}

/** Requests for two consumers without a response of which only one write took effect. Nothing wrote them later. */
function torn(writes: readonly OwnWrite[], holdings: ReadonlyMap<string, Holding>): string[] {
  const actions = new Map<number, OwnWrite[]>()
  for (const write of writes) {
    if (write.outcome === 'lost') actions.set(write.action, [...(actions.get(write.action) ?? []), write])
  }
  return [...actions.values()].flatMap((parts) => {
    const came = parts.filter(({ consumer, to }) => sameHolding(holdings.get(consumer) ?? NOTHING_HELD, to)).length
    return came === 0 || came === parts.length ? [] : [`a write to ${parts.length} consumers took effect for ${came}`]
  })
}
