'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { OverviewView } from '@/server/api/overview/router'
import { Loaded } from '../console/Failure'
import { RECOUNT_MS } from '../console/list/recount'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { RecentTasks } from '../task/RecentTasks'
import { Tag } from '../ui/Badge'
import { Copyable } from '../ui/Copyable'
import { ButtonLink, TextLink } from '../ui/Link'
import { PageHead, Panel } from '../ui/Panel'
import { AttentionList } from './AttentionList'
import { CapacityTable } from './CapacityTable'
import { FleetPanel } from './FleetPanel'
import { HealthLine } from './HealthLine'
import { LargestPanel } from './LargestPanel'
import { MovesNow } from './MovesNow'
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

/** Nothing is healthy or free where there is no host: the ways to get some, instead of panels without rows. */
function NoHosts({ view }: { view: OverviewView }) {
  return (
    <div className="flex flex-col gap-3">
      <FirstHosts />
      {view.attention.length > 0 ? <Attention view={view} /> : null}
      <RecentTasks />
    </div>
  )
}

function FirstHosts() {
  const { addHost, demo, files, nova } = words.first
  return (
    <Panel title={words.first.title}>
      <ul className="m-0 grid list-none gap-x-6 gap-y-4 p-0 md:grid-cols-2 xl:grid-cols-4">
        <Way {...addHost}>
          <ButtonLink primary href={paths.hosts({ add: 'host' })}>
            {addHost.title}
          </ButtonLink>
        </Way>
        <Way {...demo}>
          <Copyable whole text={demo.command} />
        </Way>
        <Way {...files}>
          <Copyable whole text={files.command} />
        </Way>
        <Way {...nova}>
          <ButtonLink href={paths.providers()}>{nova.open}</ButtonLink>
        </Way>
      </ul>
    </Panel>
  )
}

function Way({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <li className="flex max-w-prose flex-col items-start gap-2">
      <h3 className="m-0 text-sm font-medium">{title}</h3>
      <p className="m-0 text-sm text-soft">{about}</p>
      {children}
    </li>
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
      <TextLink href={paths.migrations()}>{words.allMoves}</TextLink>
    </>
  )
  return (
    <Panel title={words.moves} aside={aside} flush>
      <MovesNow moves={view.moves} />
    </Panel>
  )
}
