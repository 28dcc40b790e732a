'use client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { HostRow } from '@/server/api/contract'
import { ListFailure } from '../console/ListFailure'
import { useList } from '../console/list'
import { useLook } from '../console/look'
import { useAllRows, usePages } from '../console/pages'
import { useTRPC } from '../console/trpc'
import { FilterField } from '../ui/filter/FilterField'
import { EmptyState } from '../ui/Message'
import { Table } from '../ui/table/Table'
import { ViewsMenu } from '../view/ViewsMenu'
import { HOST_SORTS, hostColumns } from './columns'
import { hostKeys } from './filters'
import { hostWords as words } from './words'

const rowKey = (row: HostRow) => row.id
const rowName = (row: HostRow) => row.name

export function HostTable() {
  const trpc = useTRPC()
  const look = useLook('host')
  const zones = useQuery(trpc.host.zones.queryOptions())
  const list = useList(
    HOST_SORTS,
    useMemo(() => hostKeys(zones.data), [zones.data]),
  )
  const ask = (offset: number, limit: number) => trpc.host.list.queryOptions({ ...list.input, offset, limit })
  const question = JSON.stringify(list.input)
  const { rows, total, error, more, refetch } = usePages<HostRow>(question, ask)
  const allRows = useAllRows<HostRow>(ask, rowKey)
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
      {...list.table}
      onNearEnd={more}
      onLook={look}
      allRows={allRows}
      filters={
        <>
          <FilterField label={words.filter} {...list.filter} />
          <ViewsMenu />
        </>
      }
      failure={error ? <ListFailure error={error} what={words.title} retry={refetch} /> : null}
      empty={<EmptyState title={words.empty}>{words.emptyMore}</EmptyState>}
    />
  )
}
