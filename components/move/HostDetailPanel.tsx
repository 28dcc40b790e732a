'use client'
import { useQuery } from '@tanstack/react-query'
import type { ApiInputs } from '@/server/api/router'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { SidePanel } from '../ui/Panel'
import { VerdictFacts } from './VerdictFacts'
import { moveWords as words } from './words'

/** What one host says in full: the claim it would make, or every rule that refuses. */
export function HostDetailPanel({ input, host }: { input: ApiInputs['move']['explain']; host: string | null }) {
  return (
    <SidePanel label={words.detail}>
      {host ? <Plan input={input} host={host} /> : <p className="m-0 text-soft">{words.pickHost}</p>}
    </SidePanel>
  )
}

function Plan({ input, host }: { input: ApiInputs['move']['explain']; host: string }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.move.plan.queryOptions({ ...input, host }, { staleTime: 0 }))
  return (
    <Loaded query={query} what={words.detail}>
      {({ verdict, mapping, silence }) => <VerdictFacts verdict={verdict} mapping={mapping} silence={silence} />}
    </Loaded>
  )
}
