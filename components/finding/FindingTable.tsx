'use client'
import { useMemo, useState } from 'react'
import { FINDING_LIST } from '@/lists/finding'
import { ListTable } from '../console/list/ListTable'
import { useList } from '../console/list/list'
import { usePagedRows } from '../console/list/pages'
import { useTRPC } from '../console/trpc'
import { ViewsMenu } from '../view/ViewsMenu'
import { findingColumns } from './columns'
import { rowName } from './FindingRows'
import { healDisabledReason } from './HealCell'
import { kindWords, severityBadges } from './kind/words'
import { PlanHealButton } from './PlanHealButton'
import { NoDiscrepancies } from './UncheckedParts'
import { confidenceWords, findingWords as words } from './words'

const known = {
  kind: { values: Object.keys(kindWords) },
  severity: { values: Object.keys(severityBadges) },
  confidence: { values: Object.keys(confidenceWords) },
}

/** All findings, to filter, select and plan repairs for. */
export function FindingTable() {
  const trpc = useTRPC()
  const list = useList(FINDING_LIST, known)
  const paged = usePagedRows({
    input: list.input,
    ask: (page) => trpc.finding.list.queryOptions(page),
  })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const ticked = useMemo(
    () => paged.table.rows?.filter((row) => selected.has(row.id) && healDisabledReason(row) === null) ?? [],
    [paged.table.rows, selected],
  )
  return (
    <ListTable
      fill
      columns={findingColumns}
      rowName={rowName}
      whyNotSelect={healDisabledReason}
      list={list}
      paged={paged}
      words={words}
      selected={selected}
      onSelect={setSelected}
      beside={
        <>
          <ViewsMenu />
          <PlanHealButton findings={ticked.map((row) => row.id)} />
        </>
      }
      {...(list.narrowed ? null : { empty: <NoDiscrepancies /> })}
    />
  )
}
