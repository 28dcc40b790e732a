'use client'
import { useQuery } from '@tanstack/react-query'
import type { ClaimView } from '@/server/api/claim/view'
import { Loaded } from '../console/Failure'
import { ListTable } from '../console/list/ListTable'
import { useWholeList, type WholeList } from '../console/list/list'
import { useTRPC } from '../console/trpc'
import { claimColumns } from './columns'
import { claimWords, markBadges, claimWords as words } from './words'

const rowName = (claim: ClaimView) => claim.instance.name

/** All claims on one host: consumer, side and location. */
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
  return <ListTable columns={claimColumns} rowName={rowName} list={list} words={words} beside={null} />
}

const label = claimWords.filters

/** Filter keys and sort columns of the claims on a host. */
const claimList: WholeList<ClaimView> = {
  keys: [
    { id: 'instance', label: label.instance, aliases: ['name'] },
    { id: 'side', label: label.side, values: Object.keys(markBadges) },
    { id: 'cell', label: label.cell },
    { id: 'device', label: label.device },
  ],
  fields: {
    instance: (claim) => [claim.instance.name],
    side: (claim) => [claim.mark],
    cell: (claim) => claim.cells.map((cell) => String(cell.hostCell)),
    device: (claim) => claim.units.flatMap(({ unit }) => [unit, unit.slice(unit.indexOf(':') + 1)]),
    text: (claim) => [claim.instance.name, claim.instance.id, claim.id, claim.holder.id],
  },
  sortColumns: ['instance', 'mark', 'holder', 'host', 'cpus', 'cells', 'memory', 'devices', 'since'],
}
