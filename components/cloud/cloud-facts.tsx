import type { CloudView } from '@/server/api/cloud/answers'
import { count } from '../ui/format'
import type { Fact } from '../ui/KeyValue'
import { RelativeTime } from '../ui/time/Clock'
import { cloudWords as words } from './words'

/** The cloud's status and how it is monitored. */
export function summaryOf({ status, readAt, witnessed }: CloudView): readonly Fact[] {
  const { keys, never } = words
  const counts = status?.counts
  const counted = (value: number | undefined) => (value === undefined ? undefined : count(value))
  return [
    { key: keys.hosts, value: counted(counts?.hosts), needs: never },
    { key: keys.instances, value: counted(counts?.instances), needs: never },
    { key: keys.migrating, value: counted(counts?.migrating), needs: never },
    {
      key: keys.witnessed,
      value: counts && witnessed !== null ? words.ofHosts(witnessed, counts.hosts) : undefined,
      needs: never,
    },
    { key: keys.read, value: status?.reachedAt ? <RelativeTime at={status.reachedAt} /> : undefined, needs: never },
    { key: keys.clock, value: readAt === null ? undefined : words.time(readAt), needs: never },
    { key: keys.requests, value: status ? words.perS(status.requestsPerS) : undefined, needs: never },
    { key: keys.poll, value: status ? words.took(status.pollMs) : undefined, needs: never },
    { key: keys.audit, value: counts && status ? words.took(status.auditMs) : undefined, needs: never },
    {
      key: keys.notifications,
      value: status ? <Notifications of={status.notifications} /> : undefined,
      needs: never,
    },
  ]
}

/** Connection details. */
export function connectionOf({ reach, mayAct, addedAt }: CloudView): readonly Fact[] {
  const { keys } = words
  return [
    { key: keys.authUrl, value: reach?.authUrl },
    { key: keys.region, value: reach ? (reach.region ?? keys.onlyRegion) : undefined },
    { key: keys.interface, value: reach?.interface },
    { key: keys.account, value: reach?.account },
    { key: keys.act, value: mayAct ? words.accessMayAct : words.accessReadOnly },
    { key: keys.added, value: addedAt === null ? undefined : words.time(addedAt) },
  ]
}

type NotificationStatus = NonNullable<CloudView['status']>['notifications']

function Notifications({ of }: { of: NotificationStatus }) {
  if (of === null) return words.polledOnly
  const { receivedAt, failure } = of
  if (failure !== null) return <span className="break-words text-warn">{words.notReceived(failure)}</span>
  if (receivedAt === null) return words.listening
  return (
    <>
      {words.lastReceived} <RelativeTime at={receivedAt} />
    </>
  )
}
