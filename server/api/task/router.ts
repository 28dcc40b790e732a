import { TASK_LIST, type TaskResult } from '@/lists/task'
import { OPERATIONS, type Operation, REQUESTED_ACTIONS, type RequestedAction } from '../../engine/migration/state'
import { listTasks, type TaskRow } from '../../store/event/tasks'
import { idsInText, type Names, type Ref } from '../names/names'
import { namesOf } from '../names/read'
import { subjectIn, textIn } from '../names/subject'
import type { Ms, Page } from '../plain'
import { listed, object } from '../procedure/inputs'
import { router, viewer } from '../procedure/procedure'

// The history of requests: by whom, when, why, on what, and the result.

export interface TaskView {
  readonly id: string
  /** The event that recorded it, such as `host.status`. */
  readonly action: string
  /** For migrations, which operation it is. */
  readonly operation: Operation | null
  /** For a request to an active migration, such as an abort. */
  readonly requestedAction: RequestedAction | null
  /** The requested value: status or scheduling of a host, power of an instance, or action in a cloud. */
  readonly to: string | null
  readonly instance: Ref | null
  readonly hosts: readonly Ref[]
  /** Its object if that is neither an instance nor a host, such as a flavor. */
  readonly subject: string | null
  readonly migration: string | null
  readonly run: string | null
  /** The plan of repairs that was applied. */
  readonly plan: string | null
  readonly who: string | null
  readonly request: string | null
  readonly reason: string | null
  readonly requestedAt: Ms
  /** Null while it is under way. */
  readonly endedAt: Ms | null
  readonly result: TaskResult
  /** Why it failed, rolled back or waits. */
  readonly why: string | null
}

const listInput = object(listed(TASK_LIST))

export const taskRouter = router({
  list: viewer.input(listInput.prefault({})).query(async ({ ctx, input }): Promise<Page<TaskView>> => {
    const { services } = ctx
    const seq = String(services.feed.head)
    const order = input.order ?? (input.sort ? [{ by: input.sort, dir: input.dir ?? 'desc' }] : undefined)
    const { rows, total } = await services.past.read((database) => listTasks(database, { ...input, order }))
    const ids = rows.flatMap(({ instance, why }) => [...(instance ? [instance] : []), ...idsInText(why ?? '')])
    const names = await namesOf(services, ids)
    return { rows: rows.map((row) => taskView(row, names)), total, seq }
  }),
})

function taskView({ hosts, instance, data, why, at, ...row }: TaskRow, names: Names): TaskView {
  return {
    ...{ id: row.id, action: row.action, who: row.who, request: row.request, reason: row.reason },
    ...{ result: row.result, migration: row.migration, requestedAt: at, endedAt: row.endedAt },
    operation: OPERATIONS.find((operation) => operation === data.operation) ?? null,
    requestedAction: REQUESTED_ACTIONS.find((requestedAction) => requestedAction === data.requestedAction) ?? null,
    instance: instance === null ? null : names.instance(instance),
    hosts: [...new Set(hosts)].map((id) => names.host(id)),
    to:
      textIn(data, row.action === 'cloud.call' ? 'verb' : 'action') ??
      textIn(data, 'status') ??
      textIn(data, 'scheduling'),
    subject: subjectIn(data) ?? (row.action === 'cloud.drain-started' ? textIn(data, 'host') : null),
    run: textIn(data, 'run'),
    plan: textIn(data, 'plan'),
    why: why && names.text(why),
  }
}
