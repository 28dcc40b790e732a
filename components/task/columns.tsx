import { TASK_LIST } from '@/lists/task'
import type { TaskView } from '@/server/api/task/router'
import { actorText } from '../console/actors'
import { type Cells, columnsOf } from '../console/list/columns'
import { StateBadge } from '../ui/Badge'
import type { Column } from '../ui/table/column'
import { uiWords } from '../ui/words'
import { TaskDuration, TaskName, TaskObject, tookMs } from './cells'
import { resultBadges, taskText, taskWords as words } from './words'

const secondsOf = (ms: number | null) => (ms === null ? null : Math.round(ms / 1000))
const whoText = ({ who }: TaskView) => (who === null ? words.nobody : actorText(who))
const hostNames = ({ hosts }: TaskView) => uiWords.list(hosts.map(({ name }) => name))

const cells: Cells<TaskView, typeof TASK_LIST> = {
  task: {
    fixed: true,
    // “Live-migrate instance” in full; with the object and the result it just fits a phone.
    width: 158,
    value: taskText,
    exportId: (row) => row.migration,
    cell: (row) => <TaskName row={row} />,
  },
  object: {
    minWidth: 100,
    secondLine: 'value',
    value: (row) => row.instance?.name ?? (hostNames(row) || row.subject),
    parts: [
      { id: 'instance', head: words.instance, value: (row) => row.instance?.name ?? null },
      { id: 'instanceId', head: words.instanceId, value: (row) => row.instance?.id ?? null },
      { id: 'hosts', head: words.hosts, value: hostNames },
      { id: 'subject', head: TASK_LIST.columns.object.head, value: (row) => row.subject },
    ],
    cell: (row) => <TaskObject row={row} />,
  },
  who: {
    width: 100,
    secondLine: 'value',
    value: whoText,
    cell: (row) => <span title={row.reason ?? undefined}>{whoText(row)}</span>,
  },
  at: {
    width: 112,
    secondLine: 'value',
    value: (row) => row.requestedAt,
    timestamp: true,
  },
  duration: {
    width: 96,
    align: 'end',
    value: (row) => tookMs(row, null),
    exported: (row, now) => secondsOf(tookMs(row, now)),
    exportUnit: 'seconds',
    cell: (row) => <TaskDuration row={row} />,
  },
  result: {
    width: 104,
    keep: true,
    value: (row) => row.result,
    exported: (row) => resultBadges[row.result].label,
    cell: (row) => (
      <span title={row.why ?? undefined}>
        <StateBadge badge={resultBadges[row.result]} />
      </span>
    ),
  },
  why: { minWidth: 150, secondLine: 'value', value: (row) => row.why },
  reason: { minWidth: 130, secondLine: 'value', value: (row) => row.reason },
  ended: {
    width: 112,
    hidden: true,
    value: (row) => row.endedAt,
    timestamp: true,
  },
  request: {
    width: 130,
    hidden: true,
    value: (row) => row.request,
    cell: (row) => <span className="font-mono text-xs">{row.request ?? ''}</span>,
  },
}

const columns = columnsOf(TASK_LIST, cells)
export const taskColumns: readonly Column<TaskView>[] = Object.values(columns)

/** A panel has space for half the columns: a migration shows only its instance, whose page names the hosts. */
export const recentColumns: readonly Column<TaskView>[] = [
  columns.task,
  {
    ...columns.object,
    minWidth: 96,
    cell: (row) => <TaskObject row={row.instance ? { ...row, operation: null } : row} />,
  },
  columns.who,
  columns.at,
  columns.duration,
  columns.result,
]
