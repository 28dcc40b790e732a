'use client'
import { useQuery } from '@tanstack/react-query'
import type { CloudView } from '@/server/api/cloud/answers'
import { Failure } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { consoleWords } from '../console/words'
import { Tag } from '../ui/Badge'
import { count } from '../ui/format'
import { Unknown } from '../ui/KeyValue'
import { TextLink } from '../ui/Link'
import { EmptyState } from '../ui/Message'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { RelativeTime } from '../ui/time/Clock'
import { AddCloudButton } from './AddCloudButton'
import { CLOUD_REFETCH_MS } from './refetch'
import { cloudBadge, cloudWords as words } from './words'

const total = ({ status }: CloudView) => {
  const counts = status?.counts
  return counts ? counts.critical + counts.warning + counts.info : null
}
const number = (
  of: (row: CloudView) => number | null,
): Pick<Column<CloudView>, 'value' | 'cell' | 'align' | 'secondLine'> => ({
  secondLine: 'named',
  align: 'end',
  value: of,
  cell: (row) => {
    const value = of(row)
    return value === null ? <Unknown /> : count(value)
  },
})

const columns: readonly Column<CloudView>[] = [
  {
    ...{ id: 'name', head: words.heads.name, fixed: true, minWidth: 140, value: (row) => row.name },
    exportId: (row) => row.id,
    cell: (row) => <TextLink href={paths.cloud(row.id)}>{row.name}</TextLink>,
  },
  {
    ...{ id: 'state', head: words.heads.state, minWidth: 150, keep: true },
    badge: cloudBadge,
  },
  {
    ...{ id: 'act', head: words.heads.act, width: 104, value: (row) => (row.mayAct ? words.mayAct : words.readOnly) },
    cell: (row) => <Tag tone={row.mayAct ? 'warn' : 'idle'}>{row.mayAct ? words.mayAct : words.readOnly}</Tag>,
  },
  { id: 'hosts', head: words.heads.hosts, width: 84, ...number((row) => row.status?.counts?.hosts ?? null) },
  {
    id: 'instances',
    head: words.heads.instances,
    width: 96,
    ...number((row) => row.status?.counts?.instances ?? null),
  },
  { id: 'findings', head: words.heads.findings, width: 92, ...number(total) },
  {
    ...{
      id: 'reached',
      head: words.heads.reached,
      width: 110,
      timestamp: true,
      value: (row) => row.status?.reachedAt ?? null,
    },
    cell: ({ status }) => (status?.reachedAt ? <RelativeTime at={status.reachedAt} /> : <Unknown />),
  },
  {
    ...{
      id: 'requests',
      head: words.heads.requests,
      width: 104,
      align: 'end',
      value: (row) => row.status?.requestsPerS ?? null,
    },
    cell: ({ status }) => (status ? words.requests(status.requestsPerS) : <Unknown />),
  },
  { id: 'region', head: words.heads.region, minWidth: 90, value: (row) => row.reach?.region ?? null },
  { id: 'address', head: words.heads.address, minWidth: 200, value: (row) => row.reach?.authUrl ?? null },
]

export function CloudTable() {
  const trpc = useTRPC()
  const query = useQuery(trpc.cloud.list.queryOptions(undefined, { refetchInterval: CLOUD_REFETCH_MS }))
  return (
    <Table
      fill
      label={words.title}
      columns={columns}
      rows={query.data}
      rowName={(row) => row.name}
      failure={query.error ? <Failure error={query.error} title={consoleWords.error.query(words.title)} /> : null}
      empty={
        <EmptyState title={words.empty} action={<AddCloudButton />}>
          {words.emptyMore}
        </EmptyState>
      }
    />
  )
}
