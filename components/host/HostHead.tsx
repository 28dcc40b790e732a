import { HOST_LIST } from '@/lists/host'
import type { HostDetail } from '@/server/api/host/view'
import { paths } from '../console/paths'
import { PresentMark } from '../past/PresentOnly'
import { Badge, type BadgeContent } from '../ui/Badge'
import { Copyable } from '../ui/Copyable'
import { count, mib } from '../ui/format'
import { Unknown } from '../ui/KeyValue'
import { TextLink } from '../ui/Link'
import { Note } from '../ui/Message'
import { RelativeTime } from '../ui/time/Clock'
import { contactBadges, schedulingBadges, statusBadge } from './state/words'
import { kindBadges, schedulingReason, hostWords as words } from './words'

/** Beside the name of a host that does not answer: its recorded status, not in the colour of one that does. */
const RECORDED_UP: BadgeContent = { shape: 'ring', tone: 'idle', label: words.recordedUp }

export function HeadState({ host }: { host: HostDetail }) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-2">
      <PresentMark />
      {host.kind ? <Badge badge={kindBadges[host.kind]} /> : null}
      <Badge badge={statusBadge(host)} detail={host.status === 'up' ? null : host.reason} />
      {host.contact === 'silent' ? <Badge badge={RECORDED_UP} /> : null}
      <Badge badge={schedulingBadges[host.scheduling]} detail={schedulingReason(host)} />
    </span>
  )
}

/** The first thing to know about a host that does not answer, and where the next step is. */
export function SilentNote({ host }: { host: Pick<HostDetail, 'id' | 'contact' | 'lastSeenAt' | 'silence'> }) {
  // A host that never answered shows a note only if there is a cause to name: its first survey may be under way.
  if (host.contact !== 'silent' && (host.contact !== 'never-answered' || host.silence === null)) return null
  return (
    <Note tone="bad" shape={contactBadges.silent.shape}>
      {words.silent} {words.lastContact}{' '}
      {host.lastSeenAt === null ? <Unknown needs={words.never} /> : <RelativeTime at={host.lastSeenAt} />}.{' '}
      {host.silence === null ? null : words.lastError(host.silence)}
      <TextLink href={paths.host(host.id, { tab: 'adviser' })}>{words.whatIsSafe}</TextLink>
    </Note>
  )
}

export function HeadFacts({ host }: { host: HostDetail }) {
  return (
    <>
      <PresentMark />
      {host.zone ? <span>{host.zone}</span> : null}
      <span>
        {HOST_LIST.columns.pcpu.head} {count(host.pinned.used)} / {count(host.pinned.total)}
      </span>
      <span>
        {HOST_LIST.columns.vcpu.head} {count(host.vcpu.used)} / {count(host.vcpu.total)}
      </span>
      <span>
        {HOST_LIST.columns.memory.head} {mib(host.memoryMib.used)} / {mib(host.memoryMib.total)}
      </span>
      <span>
        {HOST_LIST.columns.seen.head}{' '}
        {host.lastSeenAt === null ? <Unknown needs={words.never} /> : <RelativeTime at={host.lastSeenAt} />}
      </span>
      <Copyable text={host.id} short={host.id.slice(0, 8)} />
    </>
  )
}
