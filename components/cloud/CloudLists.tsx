'use client'
import dynamic from 'next/dynamic'
import { parseAsString, useQueryState } from 'nuqs'
import type { ReactNode } from 'react'
import { CLOUD_HOST_LIST, CLOUD_INSTANCE_LIST } from '@/lists/cloud'
import type { SubjectKind } from '@/server/engine/cloud/action/action'
import { ListTable } from '../console/list/ListTable'
import { useList } from '../console/list/list'
import { usePagedRows } from '../console/list/pages'
import { useTRPC } from '../console/trpc'
import { cloudHostColumns, cloudInstanceColumns } from './columns'
import { cloudWords } from './words'

// Lists of what Nova and Placement report for one cloud, filtered and sorted by the server.

// Loaded when a row is picked.
const SubjectPane = dynamic(() => import('./action/SubjectPane').then((code) => code.SubjectPane), {
  loading: () => null,
})

const words = cloudWords.lists
export interface ListProps {
  readonly id: string
  readonly mayAct: boolean
}

/** The picked row is in the address; picking it again clears it. */
export function usePicked() {
  const [picked, set] = useQueryState('picked', parseAsString)
  return [picked, (id: string | null) => void set(id === picked ? null : id)] as const
}

interface PaneProps {
  readonly cloud: string
  readonly kind: SubjectKind
  readonly picked: string | null
  readonly mayAct: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

export const WithPane = ({ cloud, kind, picked, mayAct, onClose, children }: PaneProps) => (
  <div className="flex min-h-0 gap-3 max-lg:flex-col">
    <div className="min-w-0 flex-1">{children}</div>
    {picked ? (
      <SubjectPane key={picked} cloud={cloud} kind={kind} subject={picked} mayAct={mayAct} onClose={onClose} />
    ) : null}
  </div>
)

export function CloudHosts({ id, mayAct }: ListProps) {
  const trpc = useTRPC()
  const [picked, pick] = usePicked()
  const list = useList(CLOUD_HOST_LIST)
  const paged = usePagedRows({
    input: { id, ...list.input },
    ask: (page) => trpc.cloud.hosts.queryOptions(page),
    rowKey: (row) => row.name,
  })
  return (
    <WithPane cloud={id} kind="host" picked={picked} onClose={() => pick(null)} mayAct={mayAct}>
      <ListTable
        columns={cloudHostColumns}
        rowKey={(row) => row.name}
        list={list}
        paged={paged}
        words={words.hosts}
        beside={null}
        picked={picked}
        onPick={(row) => pick(row.name)}
      />
    </WithPane>
  )
}

export function CloudInstances({ id, mayAct }: ListProps) {
  const trpc = useTRPC()
  const [picked, pick] = usePicked()
  const list = useList(CLOUD_INSTANCE_LIST)
  const paged = usePagedRows({
    input: { id, ...list.input },
    ask: (page) => trpc.cloud.instances.queryOptions(page),
  })
  return (
    <WithPane cloud={id} kind="instance" picked={picked} onClose={() => pick(null)} mayAct={mayAct}>
      <ListTable
        columns={cloudInstanceColumns}
        rowName={(row) => row.name}
        list={list}
        paged={paged}
        words={words.instances}
        beside={null}
        picked={picked}
        onPick={(row) => pick(row.id)}
      />
    </WithPane>
  )
}
