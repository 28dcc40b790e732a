import type { MigrationDetail } from '@/server/api/migration/detail'
import type { HeldSpan } from '@/server/api/migration/spans'
import type { UnattendedSpan } from '@/server/api/migration/unattended'
import type { StepView } from '@/server/api/migration/view'
import { claimTotalsText } from '../claim/amount/words'
import { stepBadges } from '../step/words'
import type { Band, Lane, LaneBar } from '../ui/chart/LaneParts'
import { duration } from '../ui/format'
import { tabWords } from './tab/words'
import { migrationWords, sideWords } from './words'

// A migration as lanes on one time axis: its steps, what each side holds and for whom (N1), and when no server ran it.
// A same-host migration has two lanes too (N15).

const words = tabWords.timeline

/** Formats a time in the zone that the reader chose. */
export type Clock = (ms: number) => string

const STEP_CLASSES = {
  failed: 'bg-bad-wash text-bad ring-1 ring-bad ring-inset',
  back: 'bg-warn-wash text-warn ring-1 ring-warn/50 ring-inset',
  forth: 'bg-flow-wash text-flow ring-1 ring-flow/50 ring-inset',
} as const

const tookText = ({ from, to }: { from: number; to: number | null }) => (to === null ? null : duration(to - from))

function stepBar(step: StepView, clock: Clock): LaneBar {
  const { label } = stepBadges[step.step]
  const kind = step.result === 'failed' ? 'failed' : step.direction === 'source' ? 'back' : 'forth'
  const time = { from: step.startedAt, to: step.endedAt }
  return {
    ...{ key: String(step.seq), label, className: STEP_CLASSES[kind], ...time },
    tip: words.barTip(label, [
      migrationWords.direction[step.direction],
      words.from(clock(time.from)),
      words.lasted(tookText(time)),
      step.note,
    ]),
  }
}

/** The map's colours: to be released, incoming, or simply held. */
const spanBadge = ({ holder, side }: HeldSpan) => {
  if (holder === 'migration') return 'bg-map-outgoing text-[oklch(0.2_0.02_60)]'
  return side === 'target' ? 'bg-map-incoming text-map-on-held' : 'bg-map-held text-map-on-held'
}

function spanBar(span: HeldSpan, clock: Clock): LaneBar {
  const label = words.spanLabel(words.heldBy[span.holder], span.held ? claimTotalsText(span.held) : words.notRecorded)
  return {
    ...{ key: `${span.holder} ${span.from}`, from: span.from, to: span.to, label, className: spanBadge(span) },
    tip: words.barTip(label, [span.host.name, words.from(clock(span.from)), words.lasted(tookText(span))]),
  }
}

function unattendedBar(span: UnattendedSpan, clock: Clock): LaneBar {
  return {
    ...{ key: String(span.from), ...span, label: words.unattended },
    className: 'bg-bad-wash text-bad ring-1 ring-bad/60 ring-inset',
    tip: words.barTip(words.unattended, [words.from(clock(span.from)), words.lasted(tookText(span))]),
  }
}

export function lanesOf(
  migration: Pick<MigrationDetail, 'steps' | 'spans' | 'unattended'>,
  clock: Clock,
): readonly Lane[] {
  const sides = (['source', 'target'] as const).flatMap((side): Lane[] => {
    const spans = migration.spans.filter((span) => span.side === side)
    const [first] = spans
    if (!first) return []
    const label = words.held(sideWords[side], first.host.name)
    return [{ key: side, label, bars: spans.map((span) => spanBar(span, clock)) }]
  })
  const unattended = {
    key: 'unattended',
    label: words.server,
    bars: migration.unattended.map((span) => unattendedBar(span, clock)),
  }
  return [
    { key: 'steps', label: words.steps, bars: migration.steps.map((step) => stepBar(step, clock)) },
    ...sides,
    ...(unattended.bars.length > 0 ? [unattended] : []),
  ]
}

/** Across all lanes: periods without a server, and the time from which the current step is overdue. */
export function bandsOf({
  unattended,
  overdueAt,
  outcome,
}: Pick<MigrationDetail, 'unattended' | 'overdueAt' | 'outcome'>): Band[] {
  const absent = unattended.map(
    (span): Band => ({ key: `unattended ${span.from}`, ...span, className: 'border-x border-dashed border-bad' }),
  )
  if (overdueAt === null || outcome !== null) return absent
  return [...absent, { key: 'overdue', from: overdueAt, to: overdueAt, className: 'bg-warn' }]
}

/** The same as table rows. */
export interface LaneRow {
  readonly key: string
  readonly lane: string
  readonly what: string
  readonly from: number
  readonly to: number | null
}
export const rowsOf = (lanes: readonly Lane[]): LaneRow[] =>
  lanes.flatMap((lane) =>
    lane.bars.map(({ key, label, from, to }) => ({
      key: `${lane.key} ${key}`,
      lane: lane.label,
      what: label,
      from,
      to,
    })),
  )
