'use client'
import { useMemo, useState } from 'react'
import { FINDING_LIST } from '@/lists/finding'
import { ListFailure } from '../console/list/ListFailure'
import { useList } from '../console/list/list'
import { usePagedRows } from '../console/list/pages'
import { useTRPC } from '../console/trpc'
import { FilterField } from '../ui/filter/FilterField'
import { EmptyState } from '../ui/Message'
import { ViewsMenu } from '../view/ViewsMenu'
import { findingColumns } from './columns'
import { FindingRows, rowKey } from './FindingRows'
import { whyNotHeal } from './HealCell'
import { NoDiscrepancies } from './NotLookedAt'
import { PlanHealButton } from './PlanHealButton'
import { confidenceWords, kindWords, severityLooks, findingWords as words } from './words'

const known = {
  kind: { values: Object.keys(kindWords) },
  severity: { values: Object.keys(severityLooks) },
  confidence: { values: Object.keys(confidenceWords) },
}

/** All findings, to filter, to tick, and to plan a heal of. */
export function FindingTable() {
  const trpc = useTRPC()
  const list = useList(FINDING_LIST, known)
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
