'use client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { HOST_LIST } from '@/lists/host'
import type { HostRow } from '@/server/api/host/view'
import { AddHostButton } from '../connection/AddHostButton'
import { ListTable } from '../console/list/ListTable'
import { useList } from '../console/list/list'
import { usePagedRows } from '../console/list/pages'
import { useOpenPreview } from '../console/preview'
import { useTRPC } from '../console/trpc'
import { hostColumns } from './columns'
import { HostCounts } from './HostCounts'
import { HOST_REFETCH_MS } from './refetch-interval'
import { hostWords as words } from './words'

const rowName = (row: HostRow) => row.name

export function HostTable() {
  const trpc = useTRPC()
  const openPreview = useOpenPreview('host')
  const zones = useQuery(trpc.host.zones.queryOptions())
  const known = useMemo(() => ({ zone: { known: zones.data } }), [zones.data])
  const list = useList(HOST_LIST, known)
  const paged = usePagedRows({
    input: list.input,
    ask: (page) => trpc.host.list.queryOptions(page, { refetchInterval: HOST_REFETCH_MS }),
  })
  return (
    <>
      <HostCounts filter={list.filter.value} onFilter={list.filter.onChange} />
      <ListTable
        fill
        columns={hostColumns}
        rowName={rowName}
        list={list}
        paged={paged}
        words={words}
        begin={<AddHostButton />}
        onPreview={openPreview}
      />
    </>
  )
}
