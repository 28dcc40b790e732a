'use client'
import { useMemo } from 'react'
import type { ExplainView, HostVerdict, VerdictInShort } from '@/server/api/explain/verdicts'
import { amountsText, placeText, refusalTitles } from '../refusal/words'
import { StateBadge, Tag } from '../ui/Badge'
import { dash } from '../ui/dash'
import { ToggleGroup } from '../ui/field/ToggleGroup'
import { EmptyState } from '../ui/Message'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { silenceText, verdictLooks, moveWords as words } from './words'

type Filter = HostVerdict['verdict'] | 'all'
const FILTERS: readonly Filter[] = ['all', 'ok', 'warning', 'refused']

/** The first rule in short, and how many more: the whole of it is beside the table. */
export function whyText({ reasons, silence }: Pick<VerdictInShort, 'reasons' | 'silence'>): string {
  if (silence) return silenceText(silence)
  const [first] = reasons
  if (!first) return ''
  const said = [refusalTitles[first.kind], placeText(first.where), amountsText(first)]
  const cases = reasons.reduce((sum, { times }) => sum + times, 0)
  return words.why(said, cases - 1)
}

const columns: readonly Column<VerdictInShort>[] = [
  {
    id: 'rank',
    head: words.columns.rank,
    width: 64,
    align: 'end',
    value: (row) => row.rank,
    cell: (row) => row.rank ?? dash,
  },
  {
    id: 'host',
    head: words.columns.host,
    width: 170,
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
    head: words.columns.verdict,
    width: 100,
    value: (row) => row.verdict,
    exported: (row) => verdictLooks[row.verdict].label,
    cell: (row) => <StateBadge look={verdictLooks[row.verdict]} />,
  },
  {
    id: 'why',
    head: words.columns.why,
    value: whyText,
    cell: (row) => (
      <span className="text-soft" title={whyText(row)}>
        {whyText(row)}
      </span>
    ),
  },
  { id: 'zone', head: words.columns.zone, width: 80, hidden: true, value: (r) => r.zone, cell: (r) => r.zone ?? '–' },
]

const rowKey = (row: VerdictInShort) => row.host.id

export function ExplainTable(props: {
  readonly view: ExplainView
  readonly filter: HostVerdict['verdict'] | null
  readonly onFilter: (filter: HostVerdict['verdict'] | null) => void
  readonly picked: string | null
  readonly onPick: (host: string) => void
}) {
  const { view, filter } = props
  const rows = useMemo(
    () => (filter ? view.hosts.filter((row) => row.verdict === filter) : view.hosts),
    [view.hosts, filter],
  )
  const label = (id: Filter) =>
    id === 'all' ? `${words.all} ${view.hosts.length}` : `${verdictLooks[id].label} ${view.counts[id]}`
  return (
    <Table
      fill
      label={words.columns.verdict}
      columns={columns}
      rows={rows}
      rowKey={rowKey}
      question={filter ?? 'all'}
      picked={props.picked}
      onPick={(row) => props.onPick(row.host.id)}
      filters={
        <ToggleGroup
          label={words.columns.verdict}
          value={filter ?? 'all'}
          onChange={(id) => props.onFilter(id === 'all' ? null : id)}
          choices={FILTERS.map((id) => ({ id, label: label(id) }))}
        />
      }
      empty={<EmptyState title={words.noHost}>{words.noHostMore}</EmptyState>}
    />
  )
}
