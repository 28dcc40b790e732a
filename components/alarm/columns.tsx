import type { ReactNode } from 'react'
import type { AlarmsView, AlarmView } from '@/server/api/alarm/router'
import { Tag } from '../ui/Badge'
import { Button } from '../ui/Button'
import { TextLink } from '../ui/Link'
import type { Column } from '../ui/table/column'
import { subjectPath } from './subject-path'
import { muteWords, nameText, severityBadges, alarmWords as words } from './words'

const head = words.columns

const shared: readonly Column<AlarmView>[] = [
  {
    ...{ id: 'severity', head: head.severity, width: 88, secondLine: 'value' },
    badge: (row) => severityBadges[row.severity],
  },
  {
    ...{ id: 'title', head: head.title, fixed: true, width: 112, wraps: true },
    value: (row) => row.title,
    cell: (row) => <span title={words.runbook(row.kind)}>{row.title}</span>,
  },
  // On a phone an alarm without its host would be useless.
  {
    ...{ id: 'name', head: head.name, width: 112, keep: true, wraps: true },
    value: nameText,
    cell: (row) => {
      const href = subjectPath(row)
      return href === null ? nameText(row) : <TextLink href={href}>{nameText(row)}</TextLink>
    },
  },
  { ...{ id: 'says', head: head.says, minWidth: 240, wraps: true, secondLine: 'value' }, value: (row) => row.says },
  {
    ...{ id: 'raised', head: head.raised, width: 124, timestamp: true, secondLine: 'value' },
    value: (row) => row.raisedAt,
  },
]

const stateText = ({ acknowledgedBy }: AlarmView) =>
  acknowledgedBy === null ? words.new : words.acknowledgedBy(acknowledgedBy)

export const openColumns = (actions: (alarm: AlarmView) => ReactNode): readonly Column<AlarmView>[] => [
  ...shared,
  {
    ...{ id: 'state', head: head.state, width: 130, secondLine: 'value' },
    value: stateText,
    cell: (row) => (
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate">{stateText(row)}</span>
        {row.isMuted ? <Tag>{words.muted}</Tag> : null}
      </span>
    ),
  },
  // Wrapped where it has no space for two buttons side by side.
  { ...{ id: 'actions', head: head.actions, width: 166, keep: true, wraps: true }, cell: actions },
]

export const endedColumns: readonly Column<AlarmView>[] = [
  ...shared,
  {
    ...{ id: 'ended', head: head.ended, width: 124, timestamp: true },
    value: (row) => row.endedAt,
  },
]

type Mute = AlarmsView['mutes'][number]
const muteHead = muteWords.columns

interface MuteColumnsProps {
  readonly alarms: readonly AlarmView[]
  readonly onUnmute: (mute: Mute) => void
  /** Why it cannot be unmuted. */
  readonly why: string | null
}

/** A mute names its subject by id; an alarm about the same subject has the name. */
const subjectText = ({ kind, subject }: Mute, alarms: readonly AlarmView[]): string => {
  if (subject === null) return muteWords.whole
  return nameText({
    kind,
    name: alarms.find((alarm) => alarm.kind === kind && alarm.subject === subject)?.name ?? subject,
  })
}

export const muteColumns = ({ alarms, onUnmute, why }: MuteColumnsProps): readonly Column<Mute>[] => [
  { ...{ id: 'title', head: muteHead.title, fixed: true, minWidth: 150 }, value: (row) => row.title },
  { ...{ id: 'name', head: muteHead.name, minWidth: 110 }, value: (row) => subjectText(row, alarms) },
  {
    ...{ id: 'until', head: muteHead.until, width: 110, timestamp: true },
    value: (row) => row.until,
  },
  { ...{ id: 'by', head: muteHead.by, width: 110 }, value: (row) => row.by },
  { ...{ id: 'reason', head: muteHead.reason, minWidth: 160, wraps: true }, value: (row) => row.reason },
  {
    ...{ id: 'actions', head: muteHead.actions, width: 100, keep: true },
    cell: (row) => (
      <Button size="sm" disabledReason={why} onPress={() => onUnmute(row)}>
        {muteWords.unmute}
      </Button>
    ),
  },
]
