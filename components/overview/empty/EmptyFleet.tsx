import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { OverviewView } from '@/server/api/overview/router'
import type { ForeignFleetView } from '@/server/api/provider/foreign'
import { Loaded } from '../../console/Failure'
import { RECOUNT_MS } from '../../console/list/recount'
import { paths } from '../../console/paths'
import { useTRPC } from '../../console/trpc'
import { RecentTasks } from '../../task/RecentTasks'
import { Copyable } from '../../ui/Copyable'
import { ButtonLink } from '../../ui/Link'
import { Panel } from '../../ui/Panel'
import { AttentionPanel } from '../AttentionList'
import { overviewWords as words } from '../words'
import { AllocatedShapes, NovaCapacity, NovaFacts, NovaMigrations } from './NovaFleet'
import { emptyFleetWords } from './words'

/** Without hosts there is no health or free capacity: shows Nova's trees, or ways to add hosts. */
export function EmptyFleet({ view }: { view: OverviewView }) {
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
    {view.attention.length > 0 ? <AttentionPanel items={view.attention} /> : null}
    <RecentTasks />
  </div>
)

function OnlyNova({ view, fleet }: { view: OverviewView; fleet: ForeignFleetView }) {
  return (
    <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex min-w-0 flex-col gap-3">
        {view.attention.length > 0 ? <AttentionPanel items={view.attention} /> : null}
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

/** Ways to add hosts if there are none. */
function FirstHosts() {
  const { addHost, demo, files, nova } = emptyFleetWords.first
  return (
    <Panel title={emptyFleetWords.first.title}>
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
