'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { HOST_LIST, PAST_HOST_FILTERS } from '@/lists/host'
import type { HostRow } from '@/server/api/host/view'
import { LoadFailure } from '../../console/Failure'
import { ListTable } from '../../console/list/ListTable'
import { useWholeList, wholeListOf } from '../../console/list/list'
import { HostLink } from '../../console/refs'
import { useTRPC } from '../../console/trpc'
import { hostColumns } from '../../host/columns'
import { hostWords } from '../../host/words'
import { EmptyState } from '../../ui/Message'
import type { Column } from '../../ui/table/column'
import { pastWords } from '../words'
import { replayWords as words } from './words'

const MAX_HOSTS = 2_000
const NONE: readonly HostRow[] = []
const rowName = (row: HostRow) => row.name

export const pastHosts = wholeListOf(HOST_LIST, PAST_HOST_FILTERS)

const NOT_RECORDED = <span className="text-faint italic">{words.notKept}</span>

/** The present columns; the name links to the host at that time, and last contact was not kept. */
export const columnsAt = (at: number): readonly Column<HostRow>[] =>
  hostColumns.map((column) => {
    if (column.id === 'name') return { ...column, cell: (row) => <HostLink host={row} at={at} /> }
    if (column.id === 'seen') return { ...column, cell: () => NOT_RECORDED }
    return column
  })

/** All hosts at that time, to filter and sort as today. */
export function PastHosts({ at }: { at: number }) {
  const trpc = useTRPC()
  const columns = useMemo(() => columnsAt(at), [at])
  const query = useQuery(
    trpc.past.hosts.queryOptions({ at, limit: MAX_HOSTS }, { placeholderData: keepPreviousData, retry: false }),
  )
  const list = useWholeList(query.data?.rows ?? NONE, pastHosts)
  return (
    <ListTable
      fill
      columns={columns}
      rowName={rowName}
      list={list}
      words={hostWords}
      rows={query.data && list.rows}
      failure={query.error ? <LoadFailure error={query.error} what={pastWords.what} refetch={query.refetch} /> : null}
      question={`${at} ${list.filter.value}`}
      beside={null}
      empty={<EmptyState title={words.noHosts}>{words.noHostsMore}</EmptyState>}
    />
  )
}
