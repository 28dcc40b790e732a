'use client'
import { useQuery } from '@tanstack/react-query'
import type { ClaimView } from '@/server/api/claim/view'
import { Loaded } from '../console/Failure'
import { ListEmpty } from '../console/list/ListEmpty'
import { useWholeList } from '../console/list/list'
import { useTRPC } from '../console/trpc'
import { FilterField } from '../ui/filter/FilterField'
import { Table } from '../ui/table/Table'
import { claimColumns } from './columns'
import { claimList } from './filters'
import { claimWords as words } from './words'

const rowKey = (claim: ClaimView) => claim.id
const rowName = (claim: ClaimView) => claim.instance.name

/** All claims on one host: who holds, which side, where. */
export function HostClaims({ host }: { host: string }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.host.claims.queryOptions({ id: host }))
  return (
    <Loaded query={query} what={words.title}>
      {(claims) => <Claims claims={claims} />}
    </Loaded>
  )
}

function Claims({ claims }: { claims: readonly ClaimView[] }) {
  const list = useWholeList(claims, claimList)
  return (
    <Table
      label={words.title}
      columns={claimColumns}
      rowKey={rowKey}
      rowName={rowName}
      {...list.table}
      filters={<FilterField label={words.filter} {...list.filter} />}
      empty={<ListEmpty list={list} words={words} />}
    />
  )
}
