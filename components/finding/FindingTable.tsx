'use client'
import { useMemo, useState } from 'react'
import type { ApiInputs, FieldOf } from '@/server/api/router'
import { ListFailure } from '../console/list/ListFailure'
import { type ListKey, useList } from '../console/list/list'
import { usePagedRows } from '../console/list/pages'
import { useTRPC } from '../console/trpc'
import { FilterField } from '../ui/filter/FilterField'
import { EmptyState } from '../ui/Message'
import { ViewsMenu } from '../view/ViewsMenu'
import { FINDING_SORTS, findingColumns } from './columns'
import { FindingRows, rowKey } from './FindingRows'
import { whyNotHeal } from './HealCell'
import { NoDiscrepancies } from './NotLookedAt'
import { PlanHealButton } from './PlanHealButton'
import { confidenceWords, findingWords, kindWords, severityLooks, findingWords as words } from './words'

/** All findings, to filter, to tick, and to plan a heal of. */
export function FindingTable() {
  const trpc = useTRPC()
  const list = useList(FINDING_SORTS, findingKeys)
  const { table, error, refetch } = usePagedRows({
    input: list.input,
    ask: (page) => trpc.finding.list.queryOptions(page),
    rowKey,
  })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const ticked = useMemo(
    () => table.rows?.filter((row) => selected.has(row.id) && whyNotHeal(row) === null) ?? [],
    [table.rows, selected],
  )
  const filtered = list.input.where !== undefined
  return (
    <FindingRows
      fill
      columns={findingColumns}
      {...table}
      {...list.table}
      selected={selected}
      onSelect={setSelected}
      filters={
        <>
          <FilterField label={words.filter} {...list.filter} />
          <ViewsMenu />
          <PlanHealButton findings={ticked.map((row) => row.id)} />
        </>
      }
      failure={error ? <ListFailure error={error} what={words.title} retry={refetch} /> : null}
      empty={
        filtered ? <EmptyState title={words.emptyFiltered}>{words.emptyFilteredMore}</EmptyState> : <NoDiscrepancies />
      }
    />
  )
}

const label = findingWords.filters

/** What findings can be filtered by. */
const findingKeys: readonly ListKey<FieldOf<ApiInputs['finding']['list']>>[] = [
  { id: 'kind', label: label.kind, values: Object.keys(kindWords) },
  { id: 'severity', label: label.severity, values: Object.keys(severityLooks) },
  { id: 'host', label: label.host },
  { id: 'instance', label: label.instance },
  { id: 'move', label: label.move, values: ['yes', 'no'] },
  { id: 'where', label: label.where },
  { id: 'confidence', label: label.confidence, values: Object.keys(confidenceWords) },
  { id: 'state', label: label.state, values: ['open', 'closed'] },
]
