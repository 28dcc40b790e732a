import type { DatabaseList, FieldOf, SortOf } from './list'

const TASK_RESULTS = [
  ...(['running', 'waiting', 'blocked', 'completed'] as const),
  ...(['reverted', 'aborted', 'failed', 'unknown'] as const),
] as const
export type TaskResult = (typeof TASK_RESULTS)[number]

export const TASK_LIST = {
  columns: {
    task: { head: 'Task', sort: true },
    object: { head: 'Object' },
    who: { head: 'Who', sort: true },
    at: { head: 'Requested', sort: true },
    duration: { head: 'Duration' },
    result: { head: 'Result', sort: true },
    why: { head: 'Detail' },
    reason: { head: 'Reason' },
    ended: { head: 'Ended', sort: true },
    request: { head: 'Request' },
  },
  filters: {
    task: { hint: 'kind of task, such as live-migrate or host.*' },
    result: { hint: 'result, such as completed or failed', values: TASK_RESULTS },
    who: { hint: 'requester' },
    instance: { hint: 'name of the instance; web-* for many' },
    host: { hint: 'name of the host' },
    reason: { hint: 'reason given' },
  },
} as const satisfies DatabaseList

export type TaskSort = SortOf<typeof TASK_LIST>
export type TaskField = FieldOf<typeof TASK_LIST>
