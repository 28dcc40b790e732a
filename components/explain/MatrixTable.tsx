'use client'
import { useMemo } from 'react'
import type { WhyHost, WhyReason, WhyView } from '@/server/api/explain/router'
import type { RefusalKind } from '@/server/engine/words/refusal'
import { useWholeList } from '../console/list/list'
import { hostWords } from '../host/words'
import { silenceText, verdictLooks } from '../move/words'
import { amountsText, quantity, refusalTitles, refusalWords } from '../refusal/words'
import { StateBadge, Tag } from '../ui/Badge'
import { dash } from '../ui/dash'
import { FilterField } from '../ui/filter/FilterField'
import { count } from '../ui/format'
import { EmptyState } from '../ui/Message'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { uiWords } from '../ui/words'
import type { Question } from './address'
import type { NearestQuery } from './answer'
import { hostList } from './filters'
import { changesOf, type WhyRow, withFixes } from './nearest'
import { fixText, explainWords as words } from './words'

const rowKey = (row: WhyRow) => row.host.id
const NO_HOST_YET = <EmptyState title={hostWords.empty}>{hostWords.emptyMore}</EmptyState>
const NO_FIX_YET = <EmptyState title={words.noHosts}>{words.noFixYet}</EmptyState>
const NO_HOST_LEFT = <EmptyState title={words.noHosts}>{words.noHostsMore}</EmptyState>
const rowName = (row: WhyRow) => row.host.name

/** Hosts down, rules across: what is short, by how much, and who holds it. */
export function MatrixTable(props: {
  readonly view: WhyView
  readonly hosts: readonly WhyHost[]
  readonly nearest: NearestQuery
  readonly question: Question
}) {
  const { view, hosts, question } = props
  const { data, isError } = props.nearest
  const columns = useMemo(() => [...FIRST, ...rulesOf(hosts, view).map(ruleColumn)], [hosts, view])
  const rows = useMemo(() => withFixes(hosts, { data, isError }), [hosts, data, isError])
  const list = useWholeList(rows, hostList)
  return (
    <Table
      fill
      label={words.matrix}
      columns={columns}
      rowKey={rowKey}
      rowName={rowName}
      {...list.table}
      question={`${list.filter.value} ${view.at}`}
      picked={question.host}
      onPick={(row) => question.set({ host: row.host.id })}
      filters={<FilterField label={words.filter} {...list.filter} />}
      empty={hosts.length === 0 ? NO_HOST_YET : props.nearest.isPending ? NO_FIX_YET : NO_HOST_LEFT}
    />
  )
}

/** Those that most hosts name first, so that what stands beside a host says most; of equal ones as in the funnel. */
function rulesOf(hosts: readonly WhyHost[], { funnel }: WhyView): readonly RefusalKind[] {
  const named = new Map<RefusalKind, number>(funnel.map(({ rule }) => [rule, 0]))
  for (const { reasons } of hosts) for (const { kind } of reasons) named.set(kind, (named.get(kind) ?? 0) + 1)
  const most = [...named].sort(([, a], [, b]) => b - a)
  return most.filter(([, times]) => times > 0).map(([kind]) => kind)
}

/** Empty for a host that fits; a silent host says so here. */
const fixOrSilence = ({ fix, silence }: WhyRow) => (silence ? silenceText(silence) : fixText(fix))

function changesText(row: WhyRow): string | null {
  const changes = row.verdict === 'refused' ? changesOf(row) : null
  if (changes === null) return null
  return changes.least ? words.atLeastChanges(changes.n) : count(changes.n)
}

const FIRST: readonly Column<WhyRow>[] = [
  {
    id: 'host',
    head: words.host,
    width: 116,
    fixed: true,
    value: (row) => row.host.name,
    cell: (row) => (
      <span className="flex items-center gap-1.5">
        <button type="button" data-open className="cursor-default truncate rounded-sm text-accent">
          {row.host.name}
        </button>
        {row.isSource ? <Tag>{words.source}</Tag> : null}
      </span>
    ),
  },
  {
    id: 'verdict',
    head: words.verdict,
    width: 92,
    value: (row) => row.verdict,
    exported: (row) => verdictLooks[row.verdict].label,
    cell: (row) => <StateBadge look={verdictLooks[row.verdict]} />,
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
    minWidth: 220,
    value: fixOrSilence,
    cell: (row) => <span className={row.fix?.is === 'found' ? '' : 'text-soft'}>{fixOrSilence(row)}</span>,
  },
  { id: 'zone', head: words.zoneColumn, width: 70, hidden: true, value: (r) => r.zone, cell: (r) => r.zone ?? '–' },
]

function ruleColumn(kind: RefusalKind): Column<WhyRow> {
  const reasonOf = (row: WhyRow) => row.reasons.find((reason) => reason.kind === kind)
  return {
    id: kind,
    head: refusalTitles[kind],
    width: 170,
    value: (row) => reasonOf(row)?.shortBy ?? (reasonOf(row) ? 0 : null),
    exported: (row) => reasonText(reasonOf(row)),
    cell: (row) => <Reason reason={reasonOf(row)} />,
  }
}

const shortText = ({ shortBy, have, need, unit }: WhyReason): string =>
  shortBy === null ? (have ?? '') : refusalWords.missing(quantity(shortBy, unit), quantity(need, unit))

/** What the cell says, for a file. */
function reasonText(reason: WhyReason | undefined): string | null {
  if (!reason) return null
  const [holder] = reason.heldBy
  const more = holder && reason.heldByMore > 0 ? words.more(reason.heldByMore) : null
  const held = holder ? uiWords.named(refusalWords.heldBy, holder.name) : null
  return uiWords.list([shortText(reason), held, more])
}

function Reason({ reason }: { reason: WhyReason | undefined }) {
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
