import type { MigrationRow, WaitingView } from '@/server/api/migration/view'
import { heldParts } from '../claim/held-parts'
import { heldText } from '../claim/words'
import { StateBadge } from '../ui/Badge'
import { dash } from '../ui/dash'
import type { Column } from '../ui/table/column'
import { wholeSeconds } from '../ui/table/exported'
import { Elapsed, RelativeTime } from '../ui/time/Clock'
import { uiWords } from '../ui/words'
import { OverdueCell, overdueParts } from './Pace'
import { ProgressCell, progressParts } from './ProgressCell'
import { WishChips, wishText } from './wish/WishChips'
import { migrationWords, waitingLooks, waitingText } from './words'

// How a move stands and for how long: what it waits for, what was wished, what it holds twice, what is due.

const head = migrationWords.columns

export type MigrationColumn = Column<MigrationRow>

/** That a person decides is said by the state; every other one names what it waits for. */
const waitingWhole = (waiting: WaitingView): string =>
  waiting.for === 'person'
    ? waitingLooks.person.label
    : uiWords.labelled(waitingLooks[waiting.for].label, waitingText(waiting))

export const waiting: MigrationColumn = {
  id: 'waiting',
  head: head.waiting,
  width: 165,
  value: (row) => (row.waiting ? uiWords.labelled(row.waiting.for, waitingText(row.waiting)) : null),
  exported: (row) => (row.waiting ? waitingWhole(row.waiting) : null),
  cell: (row) =>
    row.waiting ? (
      <span title={waitingText(row.waiting)} className="flex min-w-0">
        {/* As in a file: a person is said by the state alone. */}
        <StateBadge
          look={waitingLooks[row.waiting.for]}
          detail={row.waiting.for === 'person' ? null : waitingText(row.waiting)}
        />
      </span>
    ) : (
      dash
    ),
}
export const progress: MigrationColumn = {
  id: 'progress',
  head: head.progress,
  width: 190,
  value: (row) => row.progress?.remainingBytes ?? null,
  parts: progressParts,
  cell: (row) => <ProgressCell row={row} />,
}
export const wish: MigrationColumn = {
  id: 'wish',
  head: head.wish,
  minWidth: 128,
  value: (row) => row.wish?.wish ?? null,
  exported: (row) => (row.wish ? wishText(row.wish) : null),
  cell: (row) => (row.wish ? <WishChips trail={row.wish} /> : dash),
}
export const started: MigrationColumn = {
  id: 'started',
  head: head.started,
  width: 132,
  sortable: true,
  value: (row) => row.startedAt,
  moment: true,
  cell: (row) => <RelativeTime at={row.startedAt} />,
}
export const took: MigrationColumn = {
  id: 'took',
  head: head.took,
  width: 100,
  align: 'end',
  value: (row) => (row.endedAt ?? 0) - row.startedAt,
  exported: (row, now) => wholeSeconds((row.endedAt ?? now) - row.startedAt),
  exportUnit: 'seconds',
  cell: (row) => <Elapsed from={row.startedAt} to={row.endedAt} />,
}
export const ended: MigrationColumn = {
  id: 'ended',
  head: head.ended,
  width: 132,
  sortable: true,
  value: (row) => row.endedAt,
  moment: true,
  cell: (row) => (row.endedAt === null ? dash : <RelativeTime at={row.endedAt} />),
}
export const due: MigrationColumn = {
  id: 'due',
  head: head.due,
  width: 105,
  sortable: true,
  value: (row) => row.dueAt,
  moment: true,
  cell: (row) => (row.dueAt === null ? dash : <RelativeTime at={row.dueAt} />),
}
export const heldTwice: MigrationColumn = {
  id: 'twice',
  head: head.heldTwice,
  width: 190,
  value: (row) => (row.heldTwice ? heldText(row.heldTwice) : null),
  parts: heldParts(head.heldTwice, (row) => row.heldTwice),
  cell: (row) => (row.heldTwice ? <span className="text-twice">{heldText(row.heldTwice)}</span> : dash),
}
export const heldTwiceFor: MigrationColumn = {
  id: 'twiceFor',
  head: head.heldTwiceFor,
  width: 90,
  align: 'end',
  value: (row) => row.heldTwiceSince,
  exported: (row, now) => wholeSeconds(row.heldTwiceSince && now - row.heldTwiceSince),
  exportUnit: 'seconds',
  cell: (row) => (row.heldTwiceSince === null ? dash : <Elapsed from={row.heldTwiceSince} />),
}
export const overdue: MigrationColumn = {
  id: 'overdue',
  head: head.overdue,
  minWidth: 300,
  value: (row) => row.overdueAt,
  parts: overdueParts,
  cell: (row) => (row.outcome ? dash : <OverdueCell move={row} />),
}
