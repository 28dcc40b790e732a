'use client'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import type { EvacuationPlan, EvacuationView } from '@/server/api/run/evacuation'
import { Loaded, Pending } from '../console/Failure'
import { paths } from '../console/paths'
import { HostLink } from '../console/refs'
import { useTRPC } from '../console/trpc'
import { Blockers } from '../drain/Blockers'
import { PlanTable } from '../drain/PlanTable'
import { statusBadge } from '../host/state/words'
import { KeyValue } from '../ui/KeyValue'
import { ButtonLink } from '../ui/Link'
import { EmptyState } from '../ui/Message'
import { PageHead, Panel } from '../ui/Panel'
import { RelativeTime } from '../ui/time/Clock'
import { FencingPanel } from './FencingPanel'
import { LeftoverInstances } from './LeftoverInstances'
import { StageStrip } from './StageStrip'
import { StartEvacuation } from './StartEvacuation'
import { StillAnswers } from './StillAnswers'
import { hasBegun, stagesOf } from './stages'
import { evacuationWords as words } from './words'

/** A table of unknown height, which usually fills the rest of the window. */
const PROGRESS_HEIGHT = 600

// Loaded if there is a proposal.
const ProposalNote = dynamic(() => import('../heal/ProposalNote').then((code) => code.ProposalNote), {
  loading: () => null,
})
const RunProgress = dynamic(() => import('./RunProgress').then((code) => code.RunProgress), {
  loading: () => <Pending minHeight={PROGRESS_HEIGHT} />,
})

/** Evacuation of a failed host: fencing, plan, progress, and what must be cleaned up before the host returns. */
export function EvacuationPage({ host }: { host: string }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.run.evacuation.queryOptions({ host }))
  return (
    <Loaded page query={query} what={words.one} minHeight={600}>
      {(view) => <Evacuation view={view} />}
    </Loaded>
  )
}

function Evacuation({ view }: { view: EvacuationView }) {
  const trpc = useTRPC()
  const run = useQuery(trpc.run.byId.queryOptions({ id: view.run ?? '' }, { enabled: view.run !== null }))
  const plan = useQuery(trpc.run.evacuationPlan.queryOptions({ host: view.host.id }))
  const facts = { view, plan: plan.data ?? null, run: run.data ?? null }
  const isPreview = view.run === null || (run.error !== null && !run.data)
  return (
    <>
      <PageHead
        title={words.title(view.host.name)}
        facts={<HostLink host={view.host} />}
        actions={
          <>
            {view.run ? <ButtonLink href={paths.drain(view.run)}>{words.openRun}</ButtonLink> : null}
            <StartEvacuation view={view} plan={plan.data ?? null} underWay={hasBegun(facts.run)} />
          </>
        }
      />
      <div className="flex flex-col gap-3">
        <StageStrip stages={stagesOf(facts)} />
        {view.approval ? <ProposalNote isHere proposal={view.approval} /> : null}
        <div className="grid items-start gap-3 lg:grid-cols-2">
          <FencingPanel view={view} />
          <Contact view={view} />
        </div>
        {plan.data ? <Blockers blockers={plan.data.blockers} migrations={plan.data.guests} /> : null}
        {isPreview ? (
          <section className="flex flex-col gap-1.5">
            <h2 className="m-0 text-sm font-semibold">{words.instances}</h2>
            <Loaded query={plan} what={words.instances} pending={words.planning} minHeight={200}>
              {(data) => <Preview plan={data} view={view} />}
            </Loaded>
          </section>
        ) : run.data ? (
          <RunProgress run={run.data} />
        ) : (
          <Pending minHeight={PROGRESS_HEIGHT} />
        )}
        {/* Below a table of unknown height: it would move while that loads. */}
        {(isPreview ? plan.isPending : run.isPending) ? null : <LeftoverInstances view={view} />}
      </div>
    </>
  )
}

function Preview({ plan, view }: { plan: EvacuationPlan; view: EvacuationView }) {
  if (plan.guests.length > 0 || view.permit.ok) return <PlanTable migrations={plan.guests} />
  return <EmptyState title={words.noPreview}>{view.permit.why}</EmptyState>
}

function Contact({ view }: { view: EvacuationView }) {
  return (
    <Panel title={words.lastContact}>
      <div className="pb-2 empty:hidden">
        <StillAnswers host={view} />
      </div>
      <KeyValue
        facts={[
          {
            key: words.lastContact,
            value: view.lastSeenAt === null ? undefined : <RelativeTime at={view.lastSeenAt} />,
            needs: words.needsAnswer,
          },
          { key: words.status, value: statusBadge(view).label },
        ]}
      />
      <p className="m-0 pt-2 text-xs text-soft">
        {words.stops} {words.quarantine}
      </p>
    </Panel>
  )
}
