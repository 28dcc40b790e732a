import { Fragment } from 'react'
import type { EventView } from '@/server/api/event/router'
import { actorText } from '../console/actors'
import { HostLink, InstanceLink } from '../console/refs'
import { duration, utc } from '../ui/format'
import type { Column } from '../ui/table/column'
import { AbsoluteTime } from '../ui/time/zone'
import { uiWords } from '../ui/words'
import type { EventRow } from './waits'
import { kindText, eventWords as words } from './words'

const whoOf = ({ who }: EventView) => actorText(who)

/** Plain values that fit in a line; nested ones are only in the tooltip. */
const dataText = (event: EventView) =>
  uiWords.list(
    Object.entries(event.data)
      .filter(([, value]) => value !== null && typeof value !== 'object')
      .map(([key, value]) => uiWords.named(key, String(value))),
  )

const hostsOf = (event: EventView) => [...new Map(event.hosts.map((host) => [host.id, host])).values()]

export const eventColumns: readonly Column<EventRow>[] = [
  {
    id: 'at',
    head: words.columns.at,
    width: 165,
    fixed: true,
    value: (event) => event.at,
    timestamp: true,
    absolute: true,
    cell: (event) => <AbsoluteTime at={event.at} className="font-mono text-xs" />,
  },
  {
    id: 'kind',
    head: words.columns.kind,
    minWidth: 190,
    keep: true,
    parts: [
      { id: 'kind', head: words.columns.kind, value: (event) => kindText(event.kind) },
      { id: 'count', head: words.columns.count, value: (event) => event.count },
      { id: 'since', head: words.columns.since, value: (event) => event.since, timestamp: true },
    ],
    value: (event) => event.kind,
    cell: (event) => (
      <span className="flex min-w-0 items-baseline gap-1.5">
        <span className="shrink-0">{kindText(event.kind)}</span>
        {event.count > 1 ? <Repeated event={event} /> : null}
      </span>
    ),
  },
  {
    id: 'on',
    head: words.columns.on,
    width: 230,
    secondLine: 'value',
    value: (event) => [event.instance?.name, ...event.hosts.map((host) => host.name)].filter(Boolean).join(' '),
    parts: [
      { id: 'instance', head: words.columns.instance, value: (event) => event.instance?.name ?? null },
      { id: 'instanceId', head: words.columns.instanceId, value: (event) => event.instance?.id ?? null },
      {
        id: 'hosts',
        head: words.columns.hosts,
        value: (event) => uiWords.list(hostsOf(event).map((host) => host.name)),
      },
      {
        id: 'hostIds',
        head: words.columns.hostIds,
        value: (event) => uiWords.list(hostsOf(event).map((host) => host.id)),
      },
      { id: 'migrationId', head: words.columns.migrationId, value: (event) => event.migration },
    ],
    // Inline, so that what does not fit ends in an ellipsis.
    cell: (event) => (
      <>
        {event.instance ? <InstanceLink instance={event.instance} /> : null}
        {hostsOf(event).map((host) => (
          <Fragment key={host.id}>
            {' '}
            <HostLink host={host} />
          </Fragment>
        ))}
      </>
    ),
  },
  { id: 'who', head: words.columns.who, width: 150, secondLine: 'value', value: whoOf, cell: whoOf },
  { id: 'reason', head: words.columns.reason, width: 160, value: (e) => e.reason, cell: (e) => e.reason ?? '' },
  {
    id: 'data',
    head: words.columns.data,
    value: dataText,
    cell: (event) => (
      <span className="font-mono text-xs text-soft" title={JSON.stringify(event.data)}>
        {dataText(event)}
      </span>
    ),
  },
  {
    id: 'request',
    head: words.columns.request,
    width: 130,
    hidden: true,
    value: (event) => event.request,
    cell: (event) => <span className="font-mono text-xs">{event.request ?? ''}</span>,
  },
]

/** How often a wait was retried, and how long it has lasted. */
function Repeated({ event }: { event: EventRow }) {
  return (
    <span className="min-w-0 truncate text-xs text-soft" title={words.repeatedFrom(utc(event.since))}>
      {words.repeated(event.count, duration(event.at - event.since))}
    </span>
  )
}
