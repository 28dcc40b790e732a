import type { HealPartView } from '@/server/api/heal/view'
import { claimTotalsText } from '../claim/amount/words'
import { paths } from '../console/paths'
import { HostLink, InstanceLink } from '../console/refs'
import { FindingOpener } from '../finding/FindingOpener'
import { kindWords, severityBadges } from '../finding/kind/words'
import { runbookWords } from '../runbook/words'
import { StateBadge } from '../ui/Badge'
import { DiffLines } from '../ui/DiffLines'
import { Checkbox } from '../ui/field/Checkbox'
import { Glyph } from '../ui/Glyph'
import { TextLink } from '../ui/Link'
import { Note } from '../ui/Message'
import { RelativeTime } from '../ui/time/Clock'
import { uiWords } from '../ui/words'
import { isOpen } from './line-summary'
import { partBadges, healWords as words } from './words'

export interface HealPartProps {
  readonly part: HealPartView
  readonly chosen: boolean
  readonly onChoose: (chosen: boolean) => void
  /** No part of the plan can be applied any more; the checkboxes are disabled. */
  readonly settled: boolean
}

/** One part of a plan: lines that belong together, with their evidence and what they release. */
export function HealPart({ part, chosen, onChoose, settled }: HealPartProps) {
  return (
    <section
      aria-label={words.partOf(part.n, part.title)}
      className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-3"
    >
      <header className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1">
        <Checkbox
          hideLabel
          label={words.take(part.n, part.title, part.locked)}
          isSelected={chosen}
          isDisabled={settled || !isOpen(part)}
          onChange={onChoose}
        />
        <h2 className="m-0 min-w-0 text-sm font-semibold">{part.title}</h2>
        <StateBadge
          badge={partBadges[part.state]}
          detail={part.appliedAt === null ? null : <RelativeTime at={part.appliedAt} />}
        />
        <Subject part={part} />
      </header>
      {part.locked ? (
        <Note tone="warn" shape="pause">
          <strong className="font-medium">{words.locked}</strong>: {part.locked}
        </Note>
      ) : null}
      {part.conflict ? (
        <Note tone="twice" shape="diamond">
          <strong className="font-medium">{words.conflict}</strong>: {part.conflict}
        </Note>
      ) : null}
      <DiffLines label={words.lines(part.n)} lines={linesOf(part)} />
      <Foot part={part} />
    </section>
  )
}

const linesOf = (part: HealPartView) =>
  part.lines.map(({ why: reason, changed: marked, ...line }, index) => ({
    ...line,
    key: String(index),
    reason,
    marked,
  }))

function Subject({ part: { finding } }: { part: HealPartView }) {
  return (
    <span className="ml-auto flex flex-wrap items-center gap-x-3 text-xs text-soft">
      <StateBadge badge={severityBadges[finding.severity]} className="text-xs" />
      <FindingOpener finding={finding} />
      {finding.host ? <HostLink host={finding.host} /> : null}
      {finding.instance ? <InstanceLink instance={finding.instance} /> : null}
      <TextLink href={paths.runbook(finding.kind)} label={runbookWords.of(kindWords[finding.kind])}>
        {runbookWords.title}
      </TextLink>
    </span>
  )
}

function Foot({ part }: { part: HealPartView }) {
  return (
    <p className="m-0 flex flex-wrap gap-x-5 gap-y-0.5 text-xs text-soft">
      <span>
        {words.gives}{' '}
        <span className="text-ink">{part.givesBack ? claimTotalsText(part.givesBack) : words.givesNothing}</span>
      </span>
      {part.guards.length > 0 ? (
        <span title={words.guardsMore} className="flex items-baseline gap-1.5">
          <Glyph shape="pause" className="text-faint" />
          {words.guards} <span className="font-mono text-ink">{uiWords.list(part.guards)}</span>
        </span>
      ) : null}
    </p>
  )
}
