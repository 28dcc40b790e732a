'use client'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import type { HostDetail } from '@/server/api/host/view'
import { Loaded, Pending } from '../console/Failure'
import type { HostTab } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { useTab } from '../console/url'
import { StillAnswers } from '../evacuation/StillAnswers'
import { useAt } from '../past/address'
import { PresentOnly } from '../past/PresentOnly'
import { ReturnedInstances } from '../power/ReturnedInstances'
import { Note } from '../ui/Message'
import { PageHead } from '../ui/Panel'
import { Tabs } from '../ui/Tabs'
import type { Tone } from '../ui/tone'
import { HostActions } from './HostActions'
import { HeadFacts, HeadState, SilentNote } from './HostHead'
import { MapTab } from './MapTab'
import { HOST_REFETCH_MS } from './refetch-interval'
import { hostWords as words } from './words'

// Loaded after the page, which has its place.
const SubjectAlarms = dynamic(() => import('../alarm/SubjectAlarms').then((code) => code.SubjectAlarms), {
  ssr: false,
  loading: () => null,
})
// Loaded on first open.
const HostFacts = dynamic(() => import('./HostFacts').then((code) => code.HostFacts), { loading: () => <Pending /> })

const TABS = [
  'map',
  'instances',
  'claims',
  'migrations',
  'findings',
  'adviser',
  'facts',
  'events',
] as const satisfies readonly HostTab[]

/** Passed in by the page: views of other nouns, narrowed to this host. */
export interface HostViewProps {
  readonly id: string
  readonly instances: ReactNode
  readonly claims: ReactNode
  readonly migrations: ReactNode
  readonly findings: ReactNode
  readonly adviser: ReactNode
  readonly events: ReactNode
  /** Details about the map's selected unit, which the address names. */
  readonly place: ReactNode
  readonly actions: ReactNode
}

export function HostView(props: HostViewProps) {
  const trpc = useTRPC()
  const query = useQuery(trpc.host.byId.queryOptions({ id: props.id }, { refetchInterval: HOST_REFETCH_MS }))
  return (
    <Loaded page query={query} what={words.one} minHeight={600}>
      {(host) => <Host {...props} host={host} />}
    </Loaded>
  )
}

function toneOf(tab: HostTab, { worst }: Pick<HostDetail, 'worst'>): Tone {
  if (tab === 'findings') return worst === 'critical' ? 'bad' : 'warn'
  return tab === 'migrations' ? 'flow' : 'idle'
}

function Host({ host, ...props }: HostViewProps & { host: HostDetail }) {
  const [tab, setTab] = useTab(TABS, 'map')
  const { at } = useAt()
  const content: Readonly<Record<HostTab, { node: ReactNode; count?: number | undefined }>> = {
    map: { node: <MapTab id={host.id} place={props.place} /> },
    instances: { node: props.instances, count: host.instances },
    claims: { node: props.claims },
    migrations: { node: props.migrations, count: host.movesIn + host.movesOut },
    findings: { node: props.findings, count: host.findings ?? undefined },
    adviser: { node: props.adviser },
    facts: { node: <HostFacts host={host} /> },
    events: { node: props.events },
  }
  return (
    <>
      <PageHead
        title={host.name}
        state={<HeadState host={host} />}
        facts={<HeadFacts host={host} />}
        actions={
          <>
            {props.actions}
            <HostActions host={host} />
          </>
        }
      />
      <ReturnedInstances host={host} />
      {/* A host that is down has an alarm, one line high, which arrives after the page. */}
      <div className={host.status === 'down' ? 'min-h-8' : undefined}>
        {at === null ? <SubjectAlarms subject={host.id} /> : null}
      </div>
      <div className="pb-3 empty:hidden">
        <StillAnswers host={host} />
        {tab === 'adviser' ? null : <SilentNote host={host} />}
      </div>
      {host.remains > 0 ? (
        <div className="pb-3">
          <Note tone="warn" shape="diamond">
            {words.remains(host.remains)}
          </Note>
        </div>
      ) : null}
      <Tabs
        label={words.one}
        open={tab}
        onOpen={setTab}
        items={TABS.map((id) => ({
          id,
          label: words.tabs[id],
          count: content[id].count,
          tone: toneOf(id, host),
          content: id === 'map' ? content[id].node : <PresentOnly>{content[id].node}</PresentOnly>,
        }))}
      />
    </>
  )
}
