'use client'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { INSTANCE_LIST } from '@/lists/instance'
import type { InstanceRow } from '@/server/api/instance/view'
import { ListTable } from '../console/list/ListTable'
import { useList } from '../console/list/list'
import { usePagedRows } from '../console/list/pages'
import { useOpenPreview } from '../console/preview'
import { useTRPC } from '../console/trpc'
import { BulkPower } from '../power/BulkPower'
import { ViewsMenu } from '../view/ViewsMenu'
import { instanceColumns } from './columns'
import { instanceWords as words } from './words'

const rowName = (row: InstanceRow) => row.name

/** On a host's page the host is already named. */
const columnsOnHost = instanceColumns.filter(({ id }) => id !== 'host')

/** All instances, or those on one host. */
export function InstanceTable({ host, fill }: { host?: string; fill?: boolean }) {
  const trpc = useTRPC()
  const openPreview = useOpenPreview('instance')
  const zones = useQuery(trpc.host.zones.queryOptions())
  const flavors = useQuery(trpc.flavor.list.queryOptions())
  const known = useMemo(
    () => ({ zone: { known: zones.data }, flavor: { known: flavors.data?.map(({ name }) => name) } }),
    [zones.data, flavors.data],
  )
  const list = useList(INSTANCE_LIST, known)
  const input = { host, ...list.input }
  const paged = usePagedRows({
    input,
    ask: (page) => trpc.instance.list.queryOptions(page),
  })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const ticked = useMemo(
    () => paged.table.rows?.filter((row) => selected.has(row.id)) ?? [],
    [paged.table.rows, selected],
  )
  return (
    <ListTable
      fill={fill}
      columns={host ? columnsOnHost : instanceColumns}
      rowName={rowName}
      list={list}
      paged={paged}
      words={host ? { ...words, empty: words.emptyHere } : words}
      onPreview={openPreview}
      selected={selected}
      onSelect={setSelected}
      beside={
        <>
          {host ? null : <ViewsMenu />}
          <BulkPower rows={ticked} onDone={() => setSelected(new Set())} />
        </>
      }
    />
  )
}
