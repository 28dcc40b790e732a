'use client'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import type { CloudView } from '@/server/api/cloud/answers'
import { Loaded, Pending } from '../console/Failure'
import type { CloudTab } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { useTab } from '../console/url'
import { Badge } from '../ui/Badge'
import { Copyable } from '../ui/Copyable'
import { Unknown } from '../ui/KeyValue'
import { PageHead } from '../ui/Panel'
import { Tabs } from '../ui/Tabs'
import { RelativeTime } from '../ui/time/Clock'
import { CloudActions } from './CloudActions'
import { CloudOverview } from './CloudOverview'
import { CLOUD_REFETCH_MS } from './refetch'
import { cloudBadge, cloudWords as words } from './words'

// Loaded on first open.
const loading = () => <Pending />
const CloudHosts = dynamic(() => import('./CloudLists').then((code) => code.CloudHosts), { loading })
const CloudInstances = dynamic(() => import('./CloudLists').then((code) => code.CloudInstances), { loading })
const CloudMigrations = dynamic(() => import('./CloudMigrations').then((code) => code.CloudMigrations), { loading })
const CloudDrift = dynamic(() => import('./witness/CloudDrift').then((code) => code.CloudDrift), { loading })
const CloudFindings = dynamic(() => import('./CloudFindings').then((code) => code.CloudFindings), { loading })

const TABS = [
  'overview',
  'hosts',
  'instances',
  'migrations',
  'drift',
  'findings',
] as const satisfies readonly CloudTab[]

export function CloudPage({ id }: { id: string }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.cloud.byId.queryOptions({ id }, { refetchInterval: CLOUD_REFETCH_MS }))
  return (
    <Loaded page query={query} what={words.one} minHeight={600}>
      {(cloud) => <Cloud cloud={cloud} />}
    </Loaded>
  )
}

function Cloud({ cloud }: { cloud: CloudView }) {
  const [tab, setTab] = useTab(TABS, 'overview')
  const counts = cloud.status?.counts
  const content: Readonly<Record<CloudTab, { node: ReactNode; count?: number | undefined }>> = {
    overview: { node: <CloudOverview cloud={cloud} /> },
    hosts: { node: <CloudHosts id={cloud.id} mayAct={cloud.mayAct} />, count: counts?.hosts },
    instances: { node: <CloudInstances id={cloud.id} mayAct={cloud.mayAct} />, count: counts?.instances },
    migrations: { node: <CloudMigrations id={cloud.id} mayAct={cloud.mayAct} /> },
    drift: { node: <CloudDrift id={cloud.id} /> },
    findings: {
      node: <CloudFindings id={cloud.id} mayAct={cloud.mayAct} />,
      count: counts ? counts.critical + counts.warning + counts.info : undefined,
    },
  }
  return (
    <>
      <PageHead
        title={cloud.name}
        state={
          <span className="flex items-center gap-2">
            <Badge badge={cloudBadge(cloud)} />
            <Badge
              badge={
                cloud.mayAct
                  ? { shape: 'diamond', tone: 'warn', label: words.mayAct }
                  : { shape: 'pause', tone: 'idle', label: words.readOnly }
              }
            />
          </span>
        }
        facts={
          <>
            <span>
              {words.heads.reached}{' '}
              {cloud.status?.reachedAt ? <RelativeTime at={cloud.status.reachedAt} /> : <Unknown needs={words.never} />}
            </span>
            {cloud.reach ? <span className="min-w-0 break-all">{cloud.reach.authUrl}</span> : null}
            {cloud.reach?.region ? <span>{cloud.reach.region}</span> : null}
            <Copyable text={cloud.id} short={cloud.id.slice(0, 8)} />
          </>
        }
        actions={<CloudActions cloud={cloud} />}
      />
      <Tabs
        label={words.one}
        open={tab}
        onOpen={setTab}
        items={TABS.map((id) => ({
          id,
          label: words.tabs[id],
          ...(content[id].count !== undefined && { count: content[id].count }),
          tone: id !== 'findings' ? 'idle' : counts && counts.critical > 0 ? 'bad' : 'warn',
          content: content[id].node,
        }))}
      />
    </>
  )
}
