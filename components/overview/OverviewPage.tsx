'use client'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import type { OverviewView } from '@/server/api/overview/router'
import { Loaded, Pending } from '../console/Failure'
import { RECOUNT_MS } from '../console/list/recount'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { RecentTasks } from '../task/RecentTasks'
import { TextLink } from '../ui/Link'
import { PageHead, Panel } from '../ui/Panel'
import { ActiveMigrations } from './ActiveMigrations'
import { AttentionPanel } from './AttentionList'
import { CapacityTable } from './CapacityTable'
import { FleetPanel } from './FleetPanel'
import { HealthLine } from './HealthLine'
import { LargestPanel } from './LargestPanel'
import { overviewWords as words } from './words'

const EmptyFleet = dynamic(() => import('./empty/EmptyFleet').then((code) => code.EmptyFleet), {
  loading: () => <Pending />,
})

export function OverviewPage() {
  const trpc = useTRPC()
  const query = useQuery(trpc.overview.get.queryOptions(undefined, { refetchInterval: RECOUNT_MS }))
  return (
    <>
      <PageHead title={words.title} />
      <Loaded query={query} what={words.title} minHeight={600}>
        {(view) =>
          view.hostCount === 0 ? (
            <EmptyFleet view={view} />
          ) : (
            <>
              <HealthLine items={view.attention} />
              <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
                <div className="flex min-w-0 flex-col gap-3">
                  <AttentionPanel items={view.attention} />
                  <Migrations view={view} />
                  <RecentTasks />
                </div>
                <div className="flex min-w-0 flex-col gap-3">
                  <FleetPanel view={view} />
                  <Panel
                    title={words.capacity}
                    aside={<TextLink href={paths.capacity()}>{words.byFlavor}</TextLink>}
                    flush
                  >
                    <CapacityTable rows={view.capacity} />
                  </Panel>
                  {/* Last, because its rows arrive last and are as high as their texts in this column. */}
                  <LargestPanel />
                </div>
              </div>
            </>
          )
        }
      </Loaded>
    </>
  )
}

function Migrations({ view }: { view: OverviewView }) {
  const { flight, queued, waiting } = view.migrationCounts
  const aside = (
    <>
      {words.counts(flight, queued, waiting)}
      <TextLink href={paths.migrations()}>{words.allMigrations}</TextLink>
    </>
  )
  return (
    <Panel title={words.migrations} aside={aside} flush>
      <ActiveMigrations migrations={view.migrations} />
    </Panel>
  )
}
