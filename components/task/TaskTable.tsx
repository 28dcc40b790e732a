'use client'
import { TASK_LIST } from '@/lists/task'
import type { TaskView } from '@/server/api/task/router'
import { ListEmpty } from '../console/list/ListEmpty'
import { ListFailure } from '../console/list/ListFailure'
import { useList } from '../console/list/list'
import { usePagedRows } from '../console/list/pages'
import { useTRPC } from '../console/trpc'
import { FilterField } from '../ui/filter/FilterField'
import { Table } from '../ui/table/Table'
import { taskColumns } from './columns'
import { taskWords as words } from './words'

const rowKey = (row: TaskView) => row.id

/** The history of tasks, newest first. */
export function TaskTable() {
  const trpc = useTRPC()
  const list = useList(TASK_LIST)
  const { table, error, refetch } = usePagedRows({
    input: list.input,
    ask: (page) => trpc.task.list.queryOptions(page),
    rowKey,
  })
  return (
    <Table
      fill
      label={words.title}
      columns={taskColumns}
      rowKey={rowKey}
      {...table}
      {...list.table}
      filters={<FilterField label={words.filter} {...list.filter} />}
      failure={error ? <ListFailure error={error} what={words.title} retry={refetch} /> : null}
      empty={<ListEmpty list={list} words={words} />}
    />
  )
}
