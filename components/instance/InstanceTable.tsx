'use client'
import { parseAsBoolean, useQueryState } from 'nuqs'
import type { InstanceRow } from '@/server/api/contract'
import { Failure } from '../console/Failure'
import { FilterSelect } from '../console/ListFilters'
import { usePages } from '../console/pages'
import { useTRPC } from '../console/trpc'
import { useChoice, useFilterText, useSort } from '../console/url'
import { consoleWords } from '../console/words'
import { Checkbox, SearchField } from '../ui/Field'
import { EmptyState } from '../ui/Message'
import { Table } from '../ui/table/Table'
import { INSTANCE_SORTS, instanceColumns } from './columns'
import { vmStateLooks, instanceWords as words } from './words'

const STATES = ['building', 'active', 'stopped', 'shelved', 'deleting', 'error'] as const
const rowKey = (row: InstanceRow) => row.id
const rowName = (row: InstanceRow) => row.name

/** All instances, or those on one host. */
export function InstanceTable({ host, fill }: { host?: string; fill?: boolean }) {
  const trpc = useTRPC()
  const { input, filters, sort, onSort } = useInstanceFilter(host)
  const question = JSON.stringify(input)
  const { rows, total, error, more } = usePages<InstanceRow>(question, (offset, limit) =>
    trpc.instance.list.queryOptions({ ...input, offset, limit }),
  )
  if (error && !rows) return <Failure error={error} title={consoleWords.error.query(words.title)} />
  return (
    <Table
      fill={fill}
      label={words.title}
      columns={instanceColumns}
      rows={rows}
      rowKey={rowKey}
      rowName={rowName}
      total={total}
      question={question}
      sort={sort}
      onSort={onSort}
      onNearEnd={more}
      filters={filters}
      empty={<EmptyState title={words.empty}>{words.emptyMore}</EmptyState>}
    />
  )
}

function useInstanceFilter(host: string | undefined) {
  const [q, setQ] = useFilterText()
  const [vmState, setState] = useChoice('vmState', STATES)
  const [moving, setMoving] = useQueryState('moving', parseAsBoolean.withDefault(false))
  const { sort, onSort } = useSort(INSTANCE_SORTS)
  const input = {
    host,
    q: q.trim() || undefined,
    vmState: vmState ? [vmState] : undefined,
    moving: moving || undefined,
    sort: sort?.by,
    dir: sort?.dir,
  }
  const filters = (
    <>
      <SearchField label={words.filter} value={q} onChange={setQ} />
      <FilterSelect
        label={words.columns.state}
        any={words.allStates}
        values={STATES}
        labelOf={(state) => vmStateLooks[state].label}
        value={vmState}
        onChange={setState}
      />
      <Checkbox label={words.moving} isSelected={moving} onChange={setMoving} />
    </>
  )
  return { input, filters, sort, onSort }
}
