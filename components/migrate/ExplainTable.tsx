'use client'
import { type ReactNode, useMemo, useState } from 'react'
import type { HostVerdict, MigrationVerdictsView, VerdictSummary } from '@/server/api/explain/verdicts'
import { shownVerdict } from '../refusal/words'
import { inputClasses } from '../ui/field/input-classes'
import { ToggleGroup } from '../ui/field/ToggleGroup'
import { EmptyState } from '../ui/Message'
import { Table } from '../ui/table/Table'
import { VERDICT_COLUMNS } from './verdict-columns'
import { filterText, migrateWords as words } from './words'

type Filter = HostVerdict['verdict'] | 'all'
const FILTERS: readonly Filter[] = ['all', 'ok', 'warning', 'refused']

const rowKey = (row: VerdictSummary) => row.host.id

/** Hosts whose name or zone contains the text. */
const isFound = ({ host, zone }: VerdictSummary, text: string) =>
  host.name.toLowerCase().includes(text) || (zone?.toLowerCase().includes(text) ?? false)

export interface ExplainFilter {
  readonly verdict: HostVerdict['verdict'] | null
  readonly find: string | null
}

export function ExplainTable(props: {
  /** Undefined while every host is being checked. */
  readonly view: MigrationVerdictsView | undefined
  /** Why there are no verdicts. */
  readonly failure?: ReactNode
  readonly filter: ExplainFilter
  readonly onFilter: (filter: Partial<ExplainFilter>) => void
  readonly picked: string | null
  readonly onPick: (host: string) => void
}) {
  const { view } = props
  const { verdict, find } = props.filter
  const rows = useMemo(() => {
    const text = find?.toLowerCase() ?? ''
    return view?.hosts.filter((row) => (verdict === null || shownVerdict(row) === verdict) && isFound(row, text))
  }, [view, verdict, find])
  // Kept here, so that the columns by default follow the kind of CPUs without another table.
  const [visibleColumns, setVisibleColumns] = useState<readonly string[] | null>(null)
  const cpus = view === undefined || view.demand.pinnedCpus > 0 ? 'pinned' : 'floating'
  const label = (id: Filter) =>
    filterText(id, view?.hosts.filter((row) => id === 'all' || shownVerdict(row) === id).length)
  return (
    <Table
      fill
      label={words.columns.verdict}
      columns={VERDICT_COLUMNS[cpus]}
      visibleColumns={visibleColumns}
      onVisibleColumns={setVisibleColumns}
      rows={rows}
      failure={props.failure}
      rowKey={rowKey}
      question={`${verdict ?? 'all'} ${find ?? ''}`}
      picked={props.picked}
      onPick={(row) => props.onPick(row.host.id)}
      filters={
        <div className="flex flex-wrap items-end gap-2">
          <ToggleGroup
            label={words.columns.verdict}
            value={verdict ?? 'all'}
            onChange={(id) => props.onFilter({ verdict: id === 'all' ? null : id })}
            choices={FILTERS.map((id) => ({ id, label: label(id) }))}
          />
          <div className="w-40">
            <input
              type="search"
              aria-label={words.find}
              placeholder={words.find}
              className={inputClasses}
              value={find ?? ''}
              onChange={(event) => props.onFilter({ find: event.target.value || null })}
            />
          </div>
        </div>
      }
      empty={<EmptyState title={words.noHost}>{words.noHostMore}</EmptyState>}
    />
  )
}
