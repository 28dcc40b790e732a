'use client'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import type { RunDetail } from '@/server/api/run/view'
import { Loaded, Pending } from '../console/Failure'
import { HostLink } from '../console/refs'
import { useTRPC } from '../console/trpc'
import { useTab } from '../console/url'
import { Badge } from '../ui/Badge'
import { Copyable } from '../ui/Copyable'
import { Note } from '../ui/Message'
import { PageHead } from '../ui/Panel'
import { Tabs } from '../ui/Tabs'
import { Elapsed, RelativeTime } from '../ui/time/Clock'
import { Blockers } from './Blockers'
import { PlanWithActions } from './PlanWithActions'
import { ReturnToService } from './ReturnToService'
import { RunControls } from './RunControls'
import { RunEstimate } from './RunEstimate'
import { fallbackWords, runBadges, drainWords as words } from './words'

// Loaded on first open.
const PlacementView = dynamic(() => import('./PlacementView').then((code) => code.PlacementView), {
  loading: () => <Pending />,
})
const PlanChanges = dynamic(() => import('./PlanChanges').then((code) => code.PlanChanges), {
  loading: () => <Pending />,
})

const TABS = ['plan', 'placement', 'changes'] as const

/** One drain or evacuation: blockers, plan, placement view, and earlier plans. */
export function RunPage({ id }: { id: string }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.run.byId.queryOptions({ id }))
  return (
    <Loaded page query={query} what={words.one} minHeight={600}>
      {(run) => <Run run={run} />}
    </Loaded>
  )
}

function Run({ run }: { run: RunDetail }) {
  const [tab, setTab] = useTab(TABS, 'plan')
  const content = {
    plan: { node: <PlanWithActions run={run} />, count: run.migrations.length },
    placement: { node: <PlacementView run={run} />, count: undefined },
    changes: { node: <PlanChanges diffs={run.diffs} />, count: run.diffs.length },
  }
  return (
    <>
      <PageHead
        title={words.heading(run.kind, run.host.name)}
        state={<Badge badge={runBadges[run.state]} detail={words.doneText(run)} />}
        facts={<HeadFacts run={run} />}
        actions={<RunControls run={run} />}
      />
      <div className="flex flex-col gap-3 pb-3 empty:pb-0">
        {run.note ? (
          <Note tone={run.state === 'done' ? 'ok' : 'warn'} shape={run.state === 'done' ? 'tick' : 'triangle'}>
            {run.note}
          </Note>
        ) : null}
        {run.replanning ? (
          <Note tone="flow" shape="dot">
            {words.replanning(run.replanning)}
          </Note>
        ) : null}
        {run.kind === 'drain' && (run.state === 'done' || run.state === 'stopped') ? (
          <ReturnToService run={run} />
        ) : null}
        <RunEstimate run={run} />
        <Blockers blockers={run.blockers} migrations={run.migrations} />
      </div>
      <Tabs
        label={words.one}
        open={tab}
        onOpen={setTab}
        items={TABS.map((id) => ({ id, label: words.tabs[id], count: content[id].count, content: content[id].node }))}
      />
    </>
  )
}

function HeadFacts({ run }: { run: RunDetail }) {
  return (
    <>
      <HostLink host={run.host} />
      <span>
        {words.fallback}: {fallbackWords[run.fallback].label.toLowerCase()}
      </span>
      <span>{run.helpersAllowed ? words.helpersOn : words.helpersOff}</span>
      {run.within.length > 0 ? <span>{words.within(run.within)}</span> : null}
      <span>
        {words.version(run.planVersion)}, {words.planned(run.tookMs)}
      </span>
      <span>
        {run.by}, <RelativeTime at={run.at} />
      </span>
      {run.endedAt === null ? null : <Elapsed from={run.at} to={run.endedAt} />}
      {run.reason ? <q>{run.reason}</q> : null}
      <Copyable text={run.id} short={run.id.slice(0, 8)} />
    </>
  )
}
