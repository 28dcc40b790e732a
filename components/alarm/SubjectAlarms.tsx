'use client'
import { useQuery } from '@tanstack/react-query'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { StateBadge, Tag } from '../ui/Badge'
import { TextLink } from '../ui/Link'
import { RelativeTime } from '../ui/time/Clock'
import { ALARMS_REFETCH_MS, severityBadges, alarmWords as words } from './words'

/** The open alarms about one object, for its page. Renders nothing without any. */
export function SubjectAlarms({ subject }: { subject: string }) {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.alarm.list.queryOptions(undefined, { refetchInterval: ALARMS_REFETCH_MS }))
  const open = data?.rows.filter((alarm) => alarm.subject === subject && alarm.endedAt === null) ?? []
  if (open.length === 0) return null
  return (
    <ul aria-label={words.open} className="m-0 flex list-none flex-col gap-1 p-0 pb-3 text-sm">
      {open.map(({ id, severity, title, says, raisedAt, acknowledgedBy, isMuted }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-2">
          <StateBadge badge={severityBadges[severity]} />
          <TextLink href={paths.alarms()}>{title}</TextLink>
          <span>{says}</span>
          <RelativeTime happened at={raisedAt} />
          {acknowledgedBy === null ? null : <span className="text-soft">{words.acknowledgedBy(acknowledgedBy)}</span>}
          {isMuted ? <Tag>{words.muted}</Tag> : null}
        </li>
      ))}
    </ul>
  )
}
