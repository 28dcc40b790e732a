'use client'
import { useQuery } from '@tanstack/react-query'
import type { HostRow } from '@/server/api/contract'
import { Failure } from '../console/Failure'
import { FilterSelect } from '../console/ListFilters'
import { usePages } from '../console/pages'
import { useTRPC } from '../console/trpc'
import { useChoice, useFilterText, useSort, useText } from '../console/url'
import { consoleWords } from '../console/words'
import { SearchField } from '../ui/Field'
import { EmptyState } from '../ui/Message'
import { Table } from '../ui/table/Table'
import { HOST_SORTS, hostColumns } from './columns'
import { admissionLooks, truthLooks, hostWords as words } from './words'

const TRUTHS = ['up', 'down', 'fenced', 'gone'] as const
const ADMISSIONS = ['open', 'disabled', 'quarantined'] as const
const rowKey = (row: HostRow) => row.id
const rowName = (row: HostRow) => row.name

export function HostTable() {
  const trpc = useTRPC()
  const filter = useHostFilter()
  const question = JSON.stringify(filter.input)
  const { rows, total, error, more } = usePages<HostRow>(question, (offset, limit) =>
    trpc.host.list.queryOptions({ ...filter.input, offset, limit }),
  )
  if (error && !rows) return <Failure error={error} title={consoleWords.error.query(words.title)} />
  return (
    <Table
      fill
      label={words.title}
      columns={hostColumns}
      rows={rows}
      rowKey={rowKey}
      rowName={rowName}
      total={total}
      question={question}
      sort={filter.sort}
      onSort={filter.onSort}
      onNearEnd={more}
      filters={<Filters filter={filter} />}
      empty={<EmptyState title={words.empty}>{words.emptyMore}</EmptyState>}
    />
  )
}

function useHostFilter() {
  const [q, setQ] = useFilterText()
  const [truth, setTruth] = useChoice('truth', TRUTHS)
  const [admission, setAdmission] = useChoice('admission', ADMISSIONS)
  const [zone, setZone] = useText('zone')
  const { sort, onSort } = useSort(HOST_SORTS)
  const input = {
    q: q.trim() || undefined,
    truth: truth ? [truth] : undefined,
    admission: admission ? [admission] : undefined,
    zone: zone ? [zone] : undefined,
    sort: sort?.by,
    dir: sort?.dir,
  }
  return { input, sort, onSort, q, setQ, truth, setTruth, admission, setAdmission, zone, setZone }
}

function Filters({ filter }: { filter: ReturnType<typeof useHostFilter> }) {
  const trpc = useTRPC()
  const zones = useQuery(trpc.host.zones.queryOptions())
  return (
    <>
      <SearchField label={words.filter} value={filter.q} onChange={filter.setQ} />
      <FilterSelect
        label={words.columns.truth}
        any={words.allTruths}
        values={TRUTHS}
        labelOf={(truth) => truthLooks[truth].label}
        value={filter.truth}
        onChange={filter.setTruth}
      />
      <FilterSelect
        label={words.columns.admission}
        any={words.allAdmissions}
        values={ADMISSIONS}
        labelOf={(admission) => admissionLooks[admission].label}
        value={filter.admission}
        onChange={filter.setAdmission}
      />
      <FilterSelect
        label={words.columns.zone}
        any={words.allZones}
        values={zones.data ?? []}
        labelOf={(zone) => zone}
        value={filter.zone}
        onChange={filter.setZone}
      />
    </>
  )
}
