'use client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { HOST_LIST } from '@/lists/host'
import type { HostRow } from '@/server/api/host/view'
import { ListEmpty } from '../console/list/ListEmpty'
import { ListFailure } from '../console/list/ListFailure'
import { useList } from '../console/list/list'
import { usePagedRows } from '../console/list/pages'
import { useLook } from '../console/look'
import { useTRPC } from '../console/trpc'
import { FilterField } from '../ui/filter/FilterField'
import { Table } from '../ui/table/Table'
import { ViewsMenu } from '../view/ViewsMenu'
import { ASKED_EVERY_MS } from './asked'
import { hostColumns } from './columns'
import { HostCounts } from './HostCounts'
import { hostWords as words } from './words'

const rowKey = (row: HostRow) => row.id
const rowName = (row: HostRow) => row.name

export function HostTable() {
  const trpc = useTRPC()
  const look = useLook('host')
  const zones = useQuery(trpc.host.zones.queryOptions())
  const known = useMemo(() => ({ zone: { known: zones.data } }), [zones.data])
  const list = useList(HOST_LIST, known)
  const { table, error, refetch } = usePagedRows({
    input: list.input,
    ask: (page) => trpc.host.list.queryOptions(page, { refetchInterval: ASKED_EVERY_MS }),
    rowKey,
  })
  return (
    <>
      <HostCounts filter={list.filter.value} onFilter={list.filter.onChange} />
      <Table
        fill
        label={words.title}
        columns={hostColumns}
        rowKey={rowKey}
        rowName={rowName}
        {...table}
        {...list.table}
        onLook={look}
        filters={
          <>
            <FilterField label={words.filter} {...list.filter} />
            <ViewsMenu />
          </>
        }
        failure={error ? <ListFailure error={error} what={words.title} retry={refetch} /> : null}
        empty={<ListEmpty list={list} words={words} />}
      />
    </>
  )
}
