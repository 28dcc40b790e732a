'use client'
import { useQuery } from '@tanstack/react-query'
import type { DeviceDetail, UnitSpan } from '@/server/api/contract-look'
import type { DeviceDriftRow } from '@/server/api/contract-truth'
import { useWords } from '../claim/words'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { HostLink } from '../console/refs'
import { useTRPC } from '../console/trpc'
import { StateBadge } from '../ui/Badge'
import { RelativeTime } from '../ui/Clock'
import { Unknown } from '../ui/KeyValue'
import { TextLink } from '../ui/Link'
import { unitText } from './columns'
import { HolderLink } from './HolderLink'
import { deviceLooks, deviceWords as words } from './words'

/** One core or device: its card, who holds it, and who did. */
export function DevicePanel({ host, unit }: { host: string | null; unit: string | null }) {
  return (
    <aside
      aria-label={words.detail}
      className="flex min-h-0 w-[380px] shrink-0 flex-col overflow-auto rounded-lg border border-line bg-surface p-3 max-lg:w-full"
    >
      {host && unit ? <Device host={host} unit={unit} /> : <p className="m-0 text-soft">{words.pick}</p>}
    </aside>
  )
}

function Device({ host, unit }: { host: string; unit: string }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.device.byUnit.queryOptions({ host, unit }, { retry: false }))
  return (
    <Loaded query={query} what={words.detail}>
      {(detail) => <Facts detail={detail} />}
    </Loaded>
  )
}

function Facts({ detail }: { detail: DeviceDetail }) {
  const { device, host, unit, family, history } = detail
  return (
    <div className="flex flex-col gap-3 text-sm">
      <div className="flex items-center justify-between gap-2">
        <span className="min-w-0 truncate font-mono font-medium">{unitText(unit)}</span>
        {device ? <StateBadge look={deviceLooks[device.state]} /> : null}
      </div>
      <p className="m-0 text-soft">
        {device ? device.label : words.cpu} · <HostLink host={host} /> ·{' '}
        <TextLink href={paths.host(host.id, { tab: 'map', unit })}>{words.onMap}</TextLink>
      </p>
      {detail.drift ? <Shown drift={detail.drift} /> : null}
      <section>
        <h2 className="m-0 pb-1 text-xs font-medium text-soft">{words.history}</h2>
        <History history={history} />
        <p className="m-0 pt-1 text-xs text-faint">{words.knownSince(detail.knownSince)}</p>
      </section>
      {family.length > 0 ? (
        <section>
          <h2 className="m-0 pb-1 text-xs font-medium text-soft">{words.family}</h2>
          <ul className="m-0 flex list-none flex-col gap-0.5 p-0">
            {family.map((each) => (
              <li key={each.unit} className="flex min-h-6 items-center justify-between gap-2">
                <span className="truncate font-mono text-xs">{unitText(each.unit)}</span>
                <span className="flex items-center gap-2">
                  {each.holder ? <HolderLink holder={each.holder} /> : null}
                  <StateBadge look={deviceLooks[each.state]} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  )
}

/** What its hypervisor says, or what it would take to know. */
function Shown({ drift }: { drift: DeviceDriftRow }) {
  const { hypervisor, hypervisorAt, needs } = drift
  return (
    <section>
      <h2 className="m-0 pb-1 text-xs font-medium text-soft">{words.shown}</h2>
      <p className="m-0">{hypervisor ?? <Unknown needs={needs ?? ''} />}</p>
      {hypervisorAt === null ? null : (
        <p className="m-0 text-xs text-soft">
          <RelativeTime at={hypervisorAt} />
        </p>
      )}
    </section>
  )
}

function History({ history }: { history: readonly UnitSpan[] }) {
  if (history.length === 0) return <p className="m-0 text-soft">{words.noHistory}</p>
  return (
    <ol className="m-0 flex list-none flex-col gap-1 p-0">
      {history.map((span) => (
        <li key={`${span.holder.id} ${span.from}`} className="flex flex-col rounded-md bg-sunken px-2 py-1">
          <span className="flex items-center justify-between gap-2">
            <HolderLink holder={span.holder} />
            <span className="text-xs text-soft">{useWords[span.use]}</span>
          </span>
          <span className="text-xs text-soft">
            <RelativeTime at={span.from} /> – {span.to === null ? words.still : <RelativeTime at={span.to} />}
          </span>
        </li>
      ))}
    </ol>
  )
}
