'use client'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import type { InstanceDetail } from '@/server/api/instance/router'
import { ClaimCard } from '../claim/ClaimCard'
import { Loaded, Pending } from '../console/Failure'
import type { InstanceTab } from '../console/paths'
import { MigrationLink } from '../console/refs'
import { useTRPC } from '../console/trpc'
import { useTab } from '../console/url'
import { PowerBadge } from '../power/PowerBadge'
import { PowerNotes } from '../power/PowerPanel'
import { Badge } from '../ui/Badge'
import { Copyable } from '../ui/Copyable'
import { cx } from '../ui/cx'
import { EmptyState, Note } from '../ui/Message'
import { PageHead } from '../ui/Panel'
import { Tabs } from '../ui/Tabs'
import { RelativeTime } from '../ui/time/Clock'
import { InstanceActions } from './InstanceActions'
import { InstanceSummary } from './InstanceSummary'
import { vmStateBadges, instanceWords as words } from './words'

// Loaded on first open.
const InstanceFacts = dynamic(() => import('./InstanceFacts').then((code) => code.InstanceFacts), {
  loading: () => <Pending />,
})

const TABS = ['claims', 'migrations', 'findings', 'facts', 'events'] as const satisfies readonly InstanceTab[]

export interface InstancePageProps {
  readonly id: string
  readonly migrations: ReactNode
  readonly findings: ReactNode
  readonly events: ReactNode
}

export function InstancePage(props: InstancePageProps) {
  const trpc = useTRPC()
  const query = useQuery(trpc.instance.byId.queryOptions({ id: props.id }))
  return (
    <Loaded page query={query} what={words.one} minHeight={600}>
      {(instance) => <Instance {...props} instance={instance} />}
    </Loaded>
  )
}

function Instance({ instance, migrations, findings, events }: InstancePageProps & { instance: InstanceDetail }) {
  const [tab, setTab] = useTab(TABS, 'claims')
  const content: Readonly<Record<InstanceTab, ReactNode>> = {
    claims: <Holdings instance={instance} />,
    migrations,
    findings,
    facts: <InstanceFacts instance={instance} />,
    events,
  }
  return (
    <>
      <PageHead
        title={instance.name}
        state={
          <span className="flex items-center gap-2">
            <Badge badge={vmStateBadges[instance.vmState]} />
            {instance.host ? <PowerBadge power={instance.power} /> : null}
          </span>
        }
        facts={
          <>
            {instance.migration ? <MigrationLink migration={instance.migration} /> : null}
            <Copyable text={instance.id} short={instance.id.slice(0, 8)} />
          </>
        }
        actions={<InstanceActions instance={instance} />}
      />
      <div className="pb-2 empty:hidden">
        {instance.buildFailure ? (
          <Note tone="bad" shape="cross">
            {words.buildFailed(instance.buildFailure.why)} <RelativeTime at={instance.buildFailure.at} />
          </Note>
        ) : null}
        <PowerNotes power={instance.power} recorded={vmStateBadges[instance.vmState].label} />
      </div>
      <InstanceSummary instance={instance} />
      <Tabs
        label={words.one}
        open={tab}
        onOpen={setTab}
        items={TABS.map((id) => ({
          id,
          label: words.tabs[id],
          count: id === 'claims' ? instance.claims.length : undefined,
          content: content[id],
        }))}
      />
    </>
  )
}

function Holdings({ instance }: { instance: InstanceDetail }) {
  if (instance.claims.length === 0) {
    return <EmptyState title={words.holdsNothing}>{words.holdsNothingMore}</EmptyState>
  }
  return (
    <div className="flex flex-col gap-3">
      {instance.claims.length > 1 ? (
        <Note tone="twice" shape="diamond">
          {words.twoClaims}
        </Note>
      ) : null}
      <div className={cx('grid items-start gap-3', instance.claims.length > 1 && 'lg:grid-cols-2')}>
        {instance.claims.map((claim) => (
          <ClaimCard key={claim.id} claim={claim} />
        ))}
      </div>
    </div>
  )
}
