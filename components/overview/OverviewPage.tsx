'use client'
import { useQuery } from '@tanstack/react-query'
import type { OverviewView } from '@/server/api/overview/router'
import type { ForeignFleetView } from '@/server/api/provider/foreign'
import { Loaded } from '../console/Failure'
import { RECOUNT_MS } from '../console/list/recount'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { RecentTasks } from '../task/RecentTasks'
import { Tag } from '../ui/Badge'
import { TextLink } from '../ui/Link'
import { PageHead, Panel } from '../ui/Panel'
import { ActiveMigrations } from './ActiveMigrations'
import { AttentionList } from './AttentionList'
import { CapacityTable } from './CapacityTable'
import { FirstHosts } from './FirstHosts'
import { FleetPanel } from './FleetPanel'
import { HealthLine } from './HealthLine'
import { LargestPanel } from './LargestPanel'
import { AllocatedShapes, NovaCapacity, NovaFacts, NovaMigrations } from './NovaFleet'
import { overviewWords as words } from './words'

export function OverviewPage() {
  const trpc = useTRPC()
  const query = useQuery(trpc.overview.get.queryOptions(undefined, { refetchInterval: RECOUNT_MS }))
  return (
    <>
      <PageHead title={words.title} />
      <Loaded query={query} what={words.title} minHeight={600}>
        {(view) =>
          view.hostCount === 0 ? (
            <NoHosts view={view} />
          ) : (
            <>
              <HealthLine items={view.attention} />
              <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
                <div className="flex min-w-0 flex-col gap-3">
                  <Attention view={view} />
                  <Migrations view={view} />
                  <RecentTasks />
                </div>
                <div className="flex min-w-0 flex-col gap-3">
                  <FleetPanel view={view} />
                  <LargestPanel />
                  <Panel
                    title={words.capacity}
                    aside={<TextLink href={paths.capacity()}>{words.byFlavor}</TextLink>}
                    flush
                  >
                    <CapacityTable rows={view.capacity} />
                  </Panel>
                </div>
              </div>
            </>
          )
        }
      </Loaded>
    </>
  )
}

/** Without hosts there is no health or free capacity: shows Nova's trees, or ways to add hosts. */
function NoHosts({ view }: { view: OverviewView }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.provider.foreign.queryOptions(undefined, { refetchInterval: RECOUNT_MS }))
  return (
    <Loaded query={query} what={words.title} minHeight={600}>
      {(fleet) => (fleet.trees > 0 ? <OnlyNova view={view} fleet={fleet} /> : <Nothing view={view} />)}
    </Loaded>
  )
}

const Nothing = ({ view }: { view: OverviewView }) => (
  <div className="flex flex-col gap-3">
    <FirstHosts />
    {view.attention.length > 0 ? <Attention view={view} /> : null}
    <RecentTasks />
  </div>
)

function OnlyNova({ view, fleet }: { view: OverviewView; fleet: ForeignFleetView }) {
  return (
    <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex min-w-0 flex-col gap-3">
        {view.attention.length > 0 ? <Attention view={view} /> : null}
        <NovaMigrations fleet={fleet} />
        <AllocatedShapes fleet={fleet} />
        <RecentTasks />
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <NovaFacts fleet={fleet} />
        <NovaCapacity fleet={fleet} />
      </div>
    </div>
  )
}

function Attention({ view: { attention } }: { view: OverviewView }) {
  return (
    <div id="attention">
      <Panel
        title={words.attention}
        aside={attention.length > 0 ? <Tag tone="warn">{attention.length}</Tag> : null}
        flush
      >
        <AttentionList items={attention} />
      </Panel>
    </div>
  )
}

function Migrations({ view }: { view: OverviewView }) {
  const { flight, queued, waiting } = view.moveCounts
  const aside = (
    <>
      {words.counts(flight, queued, waiting)}
      <TextLink href={paths.migrations()}>{words.allMigrations}</TextLink>
    </>
  )
  return (
    <Panel title={words.migrations} aside={aside} flush>
      <ActiveMigrations migrations={view.moves} />
    </Panel>
  )
}
