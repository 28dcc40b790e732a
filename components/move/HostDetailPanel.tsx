'use client'
import { useQuery } from '@tanstack/react-query'
import type { ExplainInput, PlanView } from '@/server/api/contract-moves'
import { MappingTable } from '../claim/MappingTable'
import { Loaded } from '../console/Failure'
import { HostLink } from '../console/refs'
import { useTRPC } from '../console/trpc'
import { RefusalList } from '../refusal/RefusalList'
import { Badge } from '../ui/Badge'
import { verdictLooks, moveWords as words } from './words'

/** What one host says in full: the claim it would make, or every rule that refuses. */
export function HostDetailPanel({ input, host }: { input: ExplainInput; host: string | null }) {
  return (
    <aside
      aria-label={words.detail}
      className="flex min-h-0 w-[400px] shrink-0 flex-col overflow-auto rounded-lg border border-line bg-surface p-3 max-lg:w-full"
    >
      {host ? <Plan input={input} host={host} /> : <p className="m-0 text-soft">{words.pickHost}</p>}
    </aside>
  )
}

function Plan({ input, host }: { input: ExplainInput; host: string }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.move.plan.queryOptions({ ...input, host }, { staleTime: 0 }))
  return (
    <Loaded query={query} what={words.detail}>
      {(plan) => <PlanFacts plan={plan} />}
    </Loaded>
  )
}

function PlanFacts({ plan: { verdict, mapping } }: { plan: PlanView }) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-2">
        <span className="font-medium">
          <HostLink host={verdict.host} />
        </span>
        <Badge look={verdictLooks[verdict.verdict]} />
      </div>
      {verdict.refusals.length > 0 ? (
        <div>
          <h2 className="m-0 pb-1 text-xs font-medium text-soft">{words.refusals}</h2>
          <RefusalList refusals={verdict.refusals} />
        </div>
      ) : null}
      {verdict.warnings.length > 0 ? (
        <div>
          <h2 className="m-0 pb-1 text-xs font-medium text-soft">{words.warnings}</h2>
          <RefusalList refusals={verdict.warnings} tone="warn" />
        </div>
      ) : null}
      {mapping ? (
        <div>
          <h2 className="m-0 pb-1 text-xs font-medium text-soft">{words.mapping}</h2>
          <MappingTable compact mapping={mapping} />
        </div>
      ) : null}
    </div>
  )
}
