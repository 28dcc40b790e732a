'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { HostRow } from '@/server/api/contract'
import { Failure } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { useFilterText } from '../console/url'
import { consoleWords } from '../console/words'
import { hostColumns } from '../host/columns'
import { hostWords } from '../host/words'
import { SearchField } from '../ui/Field'
import { EmptyState } from '../ui/Message'
import { Table } from '../ui/table/Table'
import { pastWords as words } from './words'

const MOST = 2_000
const rowKey = (row: HostRow) => row.id
const rowName = (row: HostRow) => row.name

/** Every host as it was. */
export function PastHosts({ at }: { at: number }) {
  const trpc = useTRPC()
  const [q, setQ] = useFilterText()
  const input = { at, q: q.trim() || undefined, limit: MOST }
  const query = useQuery(trpc.past.hosts.queryOptions(input, { placeholderData: keepPreviousData, retry: false }))
  if (query.error) return <Failure error={query.error} title={consoleWords.error.query(words.what)} />
  return (
    <Table
      fill
      label={hostWords.title}
      columns={hostColumns}
      rows={query.data?.rows}
      rowKey={rowKey}
      rowName={rowName}
      total={query.data?.total}
      question={JSON.stringify(input)}
      filters={<SearchField label={words.filter} value={q} onChange={(next) => void setQ(next || null)} />}
      empty={<EmptyState title={words.noHosts}>{words.noHostsMore}</EmptyState>}
    />
  )
}
