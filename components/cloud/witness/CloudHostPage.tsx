'use client'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useDeferredValue } from 'react'
import type { CloudHostView } from '@/server/api/cloud/host-view'
import { Loaded, Pending } from '../../console/Failure'
import { paths } from '../../console/paths'
import { HostLink } from '../../console/refs'
import { useTRPC } from '../../console/trpc'
import { Badge } from '../../ui/Badge'
import { ButtonLink } from '../../ui/Link'
import { EmptyState } from '../../ui/Message'
import { PageHead, SectionTitle } from '../../ui/Panel'
import { RelativeTime } from '../../ui/time/Clock'
import { CLOUD_REFETCH_MS } from '../refetch'
import { serviceBadge } from '../words'
import { CloudDrift } from './CloudDrift'
import { HostWitness } from './HostWitness'
import { novaBadge, witnessWords as words } from './words'

// Loaded only for a host that Berth also reads by libvirt.
const WitnessedMap = lazy(() => import('./WitnessedMap').then((code) => ({ default: code.WitnessedMap })))

interface Props {
  readonly id: string
  readonly host: string
}

/** A host managed by Nova, with the map that libvirt reports if a connection reads it. */
export function CloudHostPage({ id, host }: Props) {
  const trpc = useTRPC()
  const query = useQuery(trpc.cloud.host.queryOptions({ id, host }, { refetchInterval: CLOUD_REFETCH_MS }))
  return (
    <Loaded page query={query} what={words.host} minHeight={600}>
      {(view) =>
        view === null ? (
          <EmptyState
            title={words.gone}
            action={<ButtonLink href={paths.cloud(id, { tab: 'hosts' })}>{words.showInList}</ButtonLink>}
          >
            {words.goneMore}
          </EmptyState>
        ) : (
          <CloudHost id={id} view={view} />
        )
      }
    </Loaded>
  )
}

function CloudHost({ id, view }: { id: string; view: CloudHostView }) {
  const { row, node, witness, map, unknownDomains } = view
  // Deferred: a map that arrives after the list must not hide the list while the code of the map loads.
  const hasMap = useDeferredValue(map !== null)
  return (
    <div className="flex flex-col gap-3">
      <PageHead
        title={row.name}
        state={
          <span className="flex items-center gap-2">
            <Badge badge={serviceBadge(row.state, row.forcedDown)} />
            <Badge badge={novaBadge} />
          </span>
        }
        facts={
          <>
            {node === null || node === row.name ? null : <span>{words.hypervisor(node)}</span>}
            {row.zone === null ? null : <span>{words.zone(row.zone)}</span>}
            <span>{words.instances(row.instances)}</span>
            {witness.did === 'unconnected' ? null : (
              <span>
                {witness.did === 'read' ? words.readBy : words.silentBy} <HostLink host={witness.connection} />{' '}
                {witness.did === 'read' ? <RelativeTime at={witness.at} /> : null}
              </span>
            )}
          </>
        }
        actions={<ButtonLink href={paths.cloud(id, { tab: 'hosts', picked: row.name })}>{words.showInList}</ButtonLink>}
      />
      <HostWitness cloud={id} view={view} />
      {/* The list below the map appears with it: a map of unknown height would push it away. */}
      <Suspense fallback={<Pending minHeight={320} />}>
        {hasMap && map !== null && witness.did === 'read' ? (
          <WitnessedMap cloud={id} map={map} witness={witness} unknownDomains={unknownDomains} />
        ) : null}
        <section>
          <SectionTitle>{words.drift.title}</SectionTitle>
          <CloudDrift id={id} host={row.name} />
        </section>
      </Suspense>
    </div>
  )
}
