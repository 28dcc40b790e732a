'use client'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { FindingRow, Severity } from '@/server/api/contract-truth'
import type { FindingKind } from '@/server/engine/audit/finding'
import { Failure } from '../console/Failure'
import { FilterSelect } from '../console/ListFilters'
import { usePages } from '../console/pages'
import { useTRPC } from '../console/trpc'
import { useChoice, useFilterText, useSort, useText } from '../console/url'
import { consoleWords } from '../console/words'
import { SearchField } from '../ui/Field'
import { EmptyState } from '../ui/Message'
import { FINDING_SORTS, findingColumns } from './columns'
import { FindingRows } from './FindingRows'
import { whyNotHeal } from './HealCell'
import { PlanHealButton } from './PlanHealButton'
import { kindWords, severityLooks, findingWords as words } from './words'

const KINDS = Object.keys(kindWords) as readonly FindingKind[]
const SEVERITIES = Object.keys(severityLooks) as readonly Severity[]
const WHICH = ['yes'] as const

/** All findings, to filter, to tick, and to plan a heal of. */
export function FindingTable() {
  const trpc = useTRPC()
  const filter = useFindingFilter()
  const question = JSON.stringify(filter.input)
  const { rows, total, error, more } = usePages<FindingRow>(question, (offset, limit) =>
    trpc.finding.list.queryOptions({ ...filter.input, offset, limit }),
  )
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const ticked = useMemo(
    () => rows?.filter((row) => selected.has(row.id) && whyNotHeal(row) === null) ?? [],
    [rows, selected],
  )
  if (error && !rows) return <Failure error={error} title={consoleWords.error.query(words.title)} />
  const filtered = filter.narrowed
  return (
    <FindingRows
      fill
      columns={findingColumns}
      rows={rows}
      total={total}
      question={question}
      sort={filter.sort}
      onSort={filter.onSort}
      onNearEnd={more}
      selected={selected}
      onSelect={setSelected}
      filters={
        <>
          <Filters filter={filter} />
          <PlanHealButton findings={ticked.map((row) => row.id)} />
        </>
      }
      empty={
        <EmptyState title={filtered ? words.emptyFiltered : words.empty}>
          {filtered ? words.emptyFilteredMore : words.emptyMore}
        </EmptyState>
      }
    />
  )
}

function useFindingFilter() {
  const [q, setQ] = useFilterText()
  const [kind, setKind] = useChoice('kind', KINDS)
  const [severity, setSeverity] = useChoice('severity', SEVERITIES)
  const [closed, setClosed] = useChoice('closed', WHICH)
  const [host, setHost] = useText('host')
  const { sort, onSort } = useSort(FINDING_SORTS)
  const input = {
    q: q.trim() || undefined,
    kind: kind ? [kind] : undefined,
    severity: severity ? [severity] : undefined,
    host: host ?? undefined,
    closed: closed === 'yes' || undefined,
    sort: sort?.by,
    dir: sort?.dir,
  }
  const narrowed = Boolean(input.q || kind || severity || host || closed)
  return {
    ...{ input, narrowed, sort, onSort, q, setQ, kind, setKind },
    ...{ severity, setSeverity, closed, setClosed, host, setHost },
  }
}

function Filters({ filter }: { filter: ReturnType<typeof useFindingFilter> }) {
  const trpc = useTRPC()
  const hosts = useQuery(trpc.host.list.queryOptions({ sort: 'name', limit: 2000 }))
  const names = new Map(hosts.data?.rows.map((host) => [host.id, host.name]))
  return (
    <>
      <SearchField label={words.filter} value={filter.q} onChange={filter.setQ} className="w-52" />
      <FilterSelect
        label={words.columns.kind}
        any={words.allKinds}
        values={KINDS}
        labelOf={(kind) => kindWords[kind]}
        value={filter.kind}
        onChange={filter.setKind}
      />
      <FilterSelect
        label={words.columns.severity}
        any={words.allSeverities}
        values={SEVERITIES}
        labelOf={(severity) => severityLooks[severity].label}
        value={filter.severity}
        onChange={filter.setSeverity}
      />
      <FilterSelect
        label={words.ofHost}
        any={words.everyHost}
        values={[...names.keys()]}
        labelOf={(id) => names.get(id) ?? id}
        value={filter.host}
        onChange={filter.setHost}
      />
      <FilterSelect
        label={words.which}
        any={words.open}
        values={WHICH}
        labelOf={() => words.closed}
        value={filter.closed}
        onChange={filter.setClosed}
      />
    </>
  )
}
