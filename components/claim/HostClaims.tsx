'use client'
import { useQuery } from '@tanstack/react-query'
import type { ClaimView } from '@/server/api/contract'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { EmptyState } from '../ui/Message'
import { Table } from '../ui/table/Table'
import { claimColumns } from './columns'
import { claimWords } from './words'

const rowKey = (claim: ClaimView) => claim.id

/** All claims on one host: who holds, which side, where. */
export function HostClaims({ host }: { host: string }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.host.claims.queryOptions({ id: host }))
  return (
    <Loaded query={query} what={claimWords.title}>
      {(claims) => (
        <Table
          label={claimWords.title}
          columns={claimColumns}
          rows={claims}
          rowKey={rowKey}
          empty={<EmptyState title={claimWords.empty}>{claimWords.emptyMore}</EmptyState>}
        />
      )}
    </Loaded>
  )
}
