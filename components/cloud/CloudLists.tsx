'use client'
import { CLOUD_HOST_LIST, CLOUD_INSTANCE_LIST, CLOUD_MIGRATION_LIST } from '@/lists/cloud'
import type { CloudHostRow, CloudInstanceRow, CloudMigrationRow } from '@/server/api/cloud/view'
import { ListTable } from '../console/list/ListTable'
import { useList } from '../console/list/list'
import { usePagedRows } from '../console/list/pages'
import { useTRPC } from '../console/trpc'
import { cloudHostColumns, cloudInstanceColumns } from './columns'
import { cloudMigrationColumns } from './history-columns'
import { cloudWords } from './words'

// What Nova and Placement say of one cloud, as lists that the server filters and orders.

const words = cloudWords.lists
const byId = (row: { readonly id: string }) => row.id

export function CloudHosts({ id }: { id: string }) {
  const trpc = useTRPC()
  const list = useList(CLOUD_HOST_LIST)
  const paged = usePagedRows<object, CloudHostRow>({
    input: { id, ...list.input },
    ask: (page) => trpc.cloud.hosts.queryOptions({ id, ...list.input, ...page }),
    rowKey: (row) => row.name,
  })
  return (
    <ListTable
      columns={cloudHostColumns}
      rowKey={(row) => row.name}
      list={list}
      paged={paged}
      words={words.hosts}
      beside={null}
    />
  )
}

export function CloudInstances({ id }: { id: string }) {
  const trpc = useTRPC()
  const list = useList(CLOUD_INSTANCE_LIST)
  const paged = usePagedRows<object, CloudInstanceRow>({
    input: { id, ...list.input },
    ask: (page) => trpc.cloud.instances.queryOptions({ id, ...list.input, ...page }),
    rowKey: byId,
  })
  return (
    <ListTable
      columns={cloudInstanceColumns}
      rowKey={byId}
      rowName={(row) => row.name}
      list={list}
      paged={paged}
      words={words.instances}
      beside={null}
    />
  )
}

export function CloudMigrations({ id }: { id: string }) {
  const trpc = useTRPC()
  const list = useList(CLOUD_MIGRATION_LIST)
  const paged = usePagedRows<object, CloudMigrationRow>({
    input: { id, ...list.input },
    ask: (page) => trpc.cloud.migrations.queryOptions({ id, ...list.input, ...page }),
    rowKey: byId,
  })
  return (
    <ListTable
      columns={cloudMigrationColumns}
      rowKey={byId}
      list={list}
      paged={paged}
      words={words.migrations}
      beside={null}
    />
  )
}
