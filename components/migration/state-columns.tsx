import { MIGRATION_LIST } from '@/lists/migration'
import type { MigrationRow, WaitingView } from '@/server/api/migration/view'
import { claimTotalsText } from '../claim/amount/words'
import { claimedParts } from '../claim/claimed-parts'
import type { Cells } from '../console/list/columns'
import { StateBadge } from '../ui/Badge'
import { dash } from '../ui/dash'
import { wholeSeconds } from '../ui/table/exported'
import { Elapsed } from '../ui/time/Clock'
import { uiWords } from '../ui/words'
import { OverdueCell, overdueParts } from './Pace'
import { ProgressCell, progressParts } from './ProgressCell'
import { ActionChips, actionText } from './requested-action/ActionChips'
import { waitingBadges, waitingText } from './words'

// State and age of a migration: what it waits for, what was requested, what it holds twice, what is due.

/** Awaiting confirm or revert is shown by the state; every other wait names its reason. */
const waitingLabel = (waiting: WaitingView): string =>
  waiting.for === 'person'
    ? waitingBadges.person.label
    : uiWords.labelled(waitingBadges[waiting.for].label, waitingText(waiting))

export const stateCells = {
  waiting: {
    width: 198,
    secondLine: 'value',
    value: (row) => (row.waiting ? uiWords.labelled(row.waiting.for, waitingText(row.waiting)) : null),
    exported: (row) => (row.waiting ? waitingLabel(row.waiting) : null),
    cell: (row) =>
      row.waiting ? (
        <span title={waitingText(row.waiting)} className="flex min-w-0">
          {/* As in the export: waiting for an operator is shown by the state alone. */}
          <StateBadge
            badge={waitingBadges[row.waiting.for]}
            detail={row.waiting.for === 'person' ? null : waitingText(row.waiting)}
          />
        </span>
      ) : (
        dash
      ),
  },
  progress: {
    width: 190,
    value: (row) => row.progress?.remainingBytes ?? null,
    parts: progressParts,
    cell: (row) => <ProgressCell row={row} />,
  },
  requested: {
    minWidth: 128,
    value: (row) => row.requestedAction?.requestedAction ?? null,
    exported: (row) => (row.requestedAction ? actionText(row.requestedAction) : null),
    cell: (row) => (row.requestedAction ? <ActionChips trail={row.requestedAction} /> : dash),
  },
  started: {
    // At 1280 px the requested action, which comes last, still fits.
    width: 124,
    value: (row) => row.startedAt,
    timestamp: true,
  },
  took: {
    width: 100,
    align: 'end',
    value: (row) => (row.endedAt ?? 0) - row.startedAt,
    exported: (row, now) => wholeSeconds((row.endedAt ?? now) - row.startedAt),
    exportUnit: 'seconds',
    cell: (row) => <Elapsed from={row.startedAt} to={row.endedAt} />,
  },
  ended: {
    width: 132,
    secondLine: 'value',
    value: (row) => row.endedAt,
    timestamp: true,
  },
  due: {
    width: 105,
    value: (row) => row.dueAt,
    timestamp: true,
  },
  twice: {
    width: 190,
    value: (row) => (row.heldTwice ? claimTotalsText(row.heldTwice) : null),
    parts: claimedParts(MIGRATION_LIST.columns.twice.head, (row) => row.heldTwice),
    cell: (row) => (row.heldTwice ? <span className="text-twice">{claimTotalsText(row.heldTwice)}</span> : dash),
  },
  twiceFor: {
    width: 90,
    align: 'end',
    value: (row) => row.heldTwiceSince,
    exported: (row, now) => wholeSeconds(row.heldTwiceSince && now - row.heldTwiceSince),
    exportUnit: 'seconds',
    cell: (row) => (row.heldTwiceSince === null ? dash : <Elapsed from={row.heldTwiceSince} />),
  },
  overdue: {
    minWidth: 300,
    value: (row) => row.overdueAt,
    parts: overdueParts,
    cell: (row) => (row.outcome ? dash : <OverdueCell migration={row} />),
  },
} satisfies Partial<Cells<MigrationRow, typeof MIGRATION_LIST>>
