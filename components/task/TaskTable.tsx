'use client'
import { TASK_LIST } from '@/lists/task'
import { ListTable } from '../console/list/ListTable'
import { useList } from '../console/list/list'
import { usePagedRows } from '../console/list/pages'
import { useTRPC } from '../console/trpc'
import { taskColumns } from './columns'
import { taskWords as words } from './words'

/** The history of tasks, newest first. */
export function TaskTable() {
  const trpc = useTRPC()
  const list = useList(TASK_LIST)
  const paged = usePagedRows({
    input: list.input,
    ask: (page) => trpc.task.list.queryOptions(page),
  })
  return <ListTable fill columns={taskColumns} list={list} paged={paged} words={words} beside={null} />
}
