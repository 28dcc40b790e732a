'use client'
import { CLOUD_MIGRATION_LIST } from '@/lists/cloud'
import { ListTable } from '../console/list/ListTable'
import { useList } from '../console/list/list'
import { usePagedRows } from '../console/list/pages'
import { useTRPC } from '../console/trpc'
import { type ListProps, usePicked, WithPane } from './CloudLists'
import { cloudMigrationColumns } from './history-columns'
import { cloudWords } from './words'

const words = cloudWords.lists

export function CloudMigrations({ id, mayAct }: ListProps) {
  const trpc = useTRPC()
  const [picked, pick] = usePicked()
  const list = useList(CLOUD_MIGRATION_LIST)
  const paged = usePagedRows({
    input: { id, ...list.input },
    ask: (page) => trpc.cloud.migrations.queryOptions(page),
  })
  return (
    <WithPane cloud={id} kind="migration" picked={picked} onClose={() => pick(null)} mayAct={mayAct}>
      <ListTable
        columns={cloudMigrationColumns}
        list={list}
        paged={paged}
        words={words.migrations}
        beside={null}
        picked={picked}
        onPick={(row) => pick(row.id)}
      />
    </WithPane>
  )
}
