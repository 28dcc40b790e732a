'use client'
import { useMemo, useState } from 'react'
import type { MigrationRow, MigrationView } from '@/server/api/contract-moves'
import { Failure } from '../console/Failure'
import { FilterSelect } from '../console/ListFilters'
import { usePages } from '../console/pages'
import { useTRPC } from '../console/trpc'
import { useChoice, useFilterText, useSort } from '../console/url'
import { consoleWords } from '../console/words'
import { SearchField } from '../ui/Field'
import { EmptyState } from '../ui/Message'
import { Table } from '../ui/table/Table'
import { MIGRATION_SORTS, migrationColumns } from './columns'
import { BulkWishes } from './WishButtons'
import { operationWords, migrationWords as words } from './words'

const OPERATIONS = ['live-migrate', 'cold-migrate', 'resize', 'evacuate', 'rebuild', 'unshelve'] as const
const rowKey = (row: MigrationRow) => row.id
const rowName = (row: MigrationRow) => row.instance.name

export interface MigrationTableProps {
  readonly view: MigrationView
  /** Only moves that touch this host, or move this instance. */
  readonly host?: string
  readonly instance?: string
  readonly fill?: boolean
}

export function MigrationTable(props: MigrationTableProps) {
  const trpc = useTRPC()
  const { input, filters, sort, onSort } = useMigrationFilter(props)
  const question = JSON.stringify(input)
  const { rows, total, error, more } = usePages<MigrationRow>(question, (offset, limit) =>
    trpc.migration.list.queryOptions({ ...input, offset, limit }),
  )
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const ticked = useMemo(() => rows?.filter((row) => selected.has(row.id)) ?? [], [rows, selected])
  const bulk = props.view === 'waiting' || props.view === 'flight'
  if (error && !rows) return <Failure error={error} title={consoleWords.error.query(words.title)} />
  return (
    <Table
      key={props.view}
      fill={props.fill}
      label={`${words.title}, ${words.views[props.view]}`}
      columns={migrationColumns[props.view]}
      rows={rows}
      rowKey={rowKey}
      rowName={rowName}
      total={total}
      question={question}
      sort={sort}
      onSort={onSort}
      onNearEnd={more}
      selected={bulk ? selected : undefined}
      onSelect={bulk ? setSelected : undefined}
      filters={
        <>
          {filters}
          {bulk ? <BulkWishes rows={ticked} onDone={() => setSelected(new Set())} /> : null}
        </>
      }
      empty={<EmptyState title={words.empty[props.view]}>{words.emptyMore}</EmptyState>}
    />
  )
}

function useMigrationFilter({ view, host, instance }: MigrationTableProps) {
  const [q, setQ] = useFilterText()
  const [operation, setOperation] = useChoice('operation', OPERATIONS)
  const { sort, onSort } = useSort(MIGRATION_SORTS)
  const input = {
    view,
    host,
    instance,
    q: q.trim() || undefined,
    operation: operation ? [operation] : undefined,
    sort: sort?.by ?? 'started',
    dir: sort ? sort.dir : 'desc',
  }
  const filters = instance ? null : (
    <>
      <SearchField label={words.filter} value={q} onChange={setQ} />
      <FilterSelect
        label={words.columns.operation}
        any={words.allOperations}
        values={OPERATIONS}
        labelOf={(id) => operationWords[id].noun}
        value={operation}
        onChange={setOperation}
      />
    </>
  )
  return { input, filters, sort, onSort }
}
