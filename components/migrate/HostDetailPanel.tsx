'use client'
import { useQuery } from '@tanstack/react-query'
import type { HostVerdict, MigrationVerdictsView } from '@/server/api/explain/verdicts'
import type { MigrationPlanView } from '@/server/api/migration/start-router'
import type { ApiInputs } from '@/server/api/router'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { KindBadge } from '../host/KindTag'
import { dash } from '../ui/dash'
import { duration } from '../ui/format'
import { KeyValue } from '../ui/KeyValue'
import { SidePanel } from '../ui/Panel'
import { TransferEstimate, useMeasurement } from './TransferEstimate'
import { VerdictFacts } from './VerdictFacts'
import { migrateWords as words } from './words'

interface DetailProps {
  readonly input: ApiInputs['migrate']['explain']
  readonly host: string | null
  readonly view: MigrationVerdictsView | undefined
}

/** One host in full: rank and reason, free capacity, the claim it would make, or every rule that refuses. */
export function HostDetailPanel({ input, host, view }: DetailProps) {
  const first = useRealFirst(view)
  const shown = host ?? first
  return (
    <SidePanel narrow label={words.detail}>
      {host ? null : <p className="m-0 mb-2 text-soft">{first ? words.wouldChoose : words.pickHost}</p>}
      {shown ? <Plan input={input} host={shown} view={view} /> : null}
    </SidePanel>
  )
}

/** The scheduler's first choice if it is a real host: only those have a transfer estimate. */
function useRealFirst(view: MigrationVerdictsView | undefined): string | null {
  const trpc = useTRPC()
  const kinds = useQuery(trpc.host.kinds.queryOptions()).data
  const first = view?.hosts.find(({ rank }) => rank === 1)?.host.id
  return first !== undefined && kinds?.[first] ? first : null
}

function Plan({ input, host, view }: DetailProps & { readonly host: string }) {
  const trpc = useTRPC()
  const measure = useMeasurement()
  const query = useQuery(trpc.migrate.plan.queryOptions({ ...input, host }, { staleTime: 0 }))
  const row = view?.hosts.find((each) => each.host.id === host)
  return (
    <Loaded query={query} what={words.detail} minHeight={360}>
      {({ verdict, mapping, silence, estimate, transfer }) => (
        <VerdictFacts verdict={verdict} mapping={mapping} silence={silence}>
          <HostFacts
            verdict={{ ...verdict, rank: row?.rank ?? null }}
            fitting={view ? view.counts.ok + view.counts.warning : null}
            policy={view?.policy ?? null}
            estimate={input.for === 'migrate' && verdict.verdict !== 'refused' ? { of: estimate } : null}
          />
          {input.for === 'migrate' && transfer && verdict.verdict !== 'refused' ? (
            <TransferEstimate instance={input.instance} estimate={transfer} measure={measure} />
          ) : null}
        </VerdictFacts>
      )}
    </Loaded>
  )
}

function HostFacts(props: {
  readonly verdict: HostVerdict
  readonly fitting: number | null
  readonly policy: MigrationVerdictsView['policy'] | null
  /** Null if there is no estimate. */
  readonly estimate: { readonly of: MigrationPlanView['estimate'] } | null
}) {
  const { verdict, fitting, policy, estimate } = props
  const { rank, standing, free, zone } = verdict
  const ranked =
    rank === null || fitting === null || standing === null
      ? []
      : [
          { key: words.facts.rank, value: words.facts.rankOf(rank, fitting) },
          { key: words.facts.standing, value: words.standing(standing) },
          ...(policy ? [{ key: words.facts.policy, value: words.policies[policy] }] : []),
        ]
  return (
    <KeyValue
      facts={[
        { key: words.facts.kind, value: <KindBadge host={verdict.host.id} /> },
        { key: words.facts.zone, value: zone ?? dash },
        ...ranked,
        ...(estimate ? [{ key: words.facts.time, value: <Estimate of={estimate.of} /> }] : []),
        { key: words.facts.free, value: <FreeList free={free} /> },
      ]}
    />
  )
}

function Estimate({ of }: { of: MigrationPlanView['estimate'] }) {
  if (of === null) return <span className="text-faint italic">{words.noEstimate}</span>
  return words.estimate(duration(of.p50), duration(of.p95), of)
}

const FreeList = ({ free }: Pick<HostVerdict, 'free'>) => (
  <ul className="m-0 list-none p-0">
    {words.free(free).map((amount) => (
      <li key={amount}>{amount}</li>
    ))}
  </ul>
)
