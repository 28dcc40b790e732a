'use client'
import { CLOUD_DRIFT_LIST } from '@/lists/cloud'
import { ListTable } from '../../console/list/ListTable'
import { useList } from '../../console/list/list'
import { usePagedRows } from '../../console/list/pages'
import { useTRPC } from '../../console/trpc'
import { cloudDriftColumns } from './drift-columns'
import { witnessWords } from './words'

/** Nova, Placement and libvirt side by side for each instance of a cloud or of one host (N5). */
export function CloudDrift({ id, host }: { id: string; host?: string }) {
  const trpc = useTRPC()
  const list = useList(CLOUD_DRIFT_LIST)
  const here = host === undefined ? [] : [{ key: 'host' as const, any: [host] }]
  const input = { ...list.input, where: [...(list.input.where ?? []), ...here] }
  const paged = usePagedRows({
    input: { id, ...input },
    ask: (page) => trpc.cloud.drift.queryOptions(page),
  })
  return (
    <ListTable
      columns={cloudDriftColumns}
      rowName={(row) => row.name}
      list={list}
      paged={paged}
      words={witnessWords.drift}
      beside={null}
    />
  )
}
