import type { ExplainReason } from '@/server/api/explain/router'
import type { RefusalKind } from '@/server/engine/words/refusal'
import { VerdictHost } from '../migrate/VerdictHost'
import {
  amountsText,
  quantity,
  refusalTitles,
  refusalWords,
  shownVerdict,
  silenceText,
  verdictBadges,
} from '../refusal/words'
import { dash } from '../ui/dash'
import { count } from '../ui/format'
import type { Column } from '../ui/table/column'
import { uiWords } from '../ui/words'
import { changesOf, type MatrixRow } from './nearest'
import { fixText, explainWords as words } from './words'

/** Empty for a host that fits; an unreachable host says so here. */
const fixOrSilence = ({ fix, silence }: MatrixRow) => (silence ? silenceText(silence) : fixText(fix))

function changesText(row: MatrixRow): string | null {
  const changes = row.verdict === 'refused' ? changesOf(row) : null
  if (changes === null) return null
  return changes.least ? words.atLeastChanges(changes.n) : count(changes.n)
}

/** Columns before the rules. */
export const HOST_COLUMNS: readonly Column<MatrixRow>[] = [
  {
    id: 'host',
    head: words.host,
    width: 116,
    fixed: true,
    value: (row) => row.host.name,
    cell: (row) => <VerdictHost row={row} />,
  },
  {
    id: 'verdict',
    head: words.verdict,
    width: 92,
    value: shownVerdict,
    badge: (row) => verdictBadges[shownVerdict(row)],
  },
  {
    id: 'changes',
    head: words.changes,
    help: words.changesHelp,
    width: 86,
    align: 'end',
    value: (row) => (row.verdict === 'refused' ? (changesOf(row)?.n ?? Number.POSITIVE_INFINITY) : 0),
    exported: changesText,
    cell: (row) => changesText(row) ?? dash,
  },
  {
    id: 'fix',
    head: words.fix,
    minWidth: 200,
    secondLine: 'value',
    value: fixOrSilence,
    cell: (row) => <span className={row.fix?.is === 'found' ? '' : 'text-soft'}>{fixOrSilence(row)}</span>,
  },
  { id: 'zone', head: words.zoneColumn, width: 70, hidden: true, value: (r) => r.zone },
]

export function ruleColumn(kind: RefusalKind): Column<MatrixRow> {
  const reasonOf = (row: MatrixRow) => row.reasons.find((reason) => reason.kind === kind)
  return {
    id: kind,
    head: refusalTitles[kind],
    // With the nearest fix they share what is left: a holder is cut first.
    minWidth: 170,
    value: (row) => reasonOf(row)?.shortBy ?? (reasonOf(row) ? 0 : null),
    exported: (row) => reasonText(reasonOf(row)),
    cell: (row) => <Reason reason={reasonOf(row)} />,
  }
}

function shortText({ kind, shortBy, have, need, unit }: ExplainReason): string {
  if (shortBy !== null) return refusalWords.missing(quantity(shortBy, unit), quantity(need, unit))
  // What was requested says nothing without what is allowed.
  return kind === 'amount-shape' ? uiWords.list([have, need]) : (have ?? '')
}

/** The cell's text, for export. */
function reasonText(reason: ExplainReason | undefined): string | null {
  if (!reason) return null
  const [holder] = reason.heldBy
  const more = holder && reason.heldByMore > 0 ? words.more(reason.heldByMore) : null
  const held = holder ? uiWords.named(refusalWords.heldBy, holder.name) : null
  return uiWords.list([shortText(reason), held, more])
}

function Reason({ reason }: { reason: ExplainReason | undefined }) {
  if (!reason) return <span className="text-faint">·</span>
  const [holder] = reason.heldBy
  const full = amountsText({ ...reason, where: {} })
  return (
    <span title={holder ? uiWords.both(full, uiWords.named(refusalWords.heldBy, holder.name)) : full}>
      <span className="text-bad">{shortText(reason)}</span>
      {holder ? (
        <span className="text-soft">
          {' '}
          {holder.name}
          {reason.heldByMore > 0 ? ' ' : null}
          {reason.heldByMore > 0 ? words.more(reason.heldByMore) : null}
        </span>
      ) : null}
    </span>
  )
}
