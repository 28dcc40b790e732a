'use client'
import { useQuery } from '@tanstack/react-query'
import type { DeviceDetail } from '@/server/api/device/router'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { HostLink } from '../console/refs'
import { useTRPC } from '../console/trpc'
import { StateBadge } from '../ui/Badge'
import { TextLink } from '../ui/Link'
import { PanelPart, SidePanel } from '../ui/Panel'
import { unitText } from './columns'
import { HolderLink } from './HolderLink'
import { ShownByHost } from './ShownByHost'
import { UnitHistory } from './UnitHistory'
import { deviceBadges, deviceWords as words } from './words'

/** One CPU or device: its card, its holder and its past holders. */
export function DevicePanel({ host, unit }: { host: string | null; unit: string | null }) {
  return (
    <SidePanel narrow label={words.detail(unit)}>
      {host && unit ? <Device host={host} unit={unit} /> : <p className="m-0 text-soft">{words.pick}</p>}
    </SidePanel>
  )
}

function Device({ host, unit }: { host: string; unit: string }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.device.byUnit.queryOptions({ host, unit }, { retry: false }))
  return (
    <Loaded query={query} what={words.detail(unit)}>
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
        {device ? <StateBadge badge={deviceBadges[device.state]} /> : null}
      </div>
      <p className="m-0 text-soft">
        {device ? device.label : words.detail(unit)} · <HostLink host={host} />
        <br />
        <TextLink href={paths.host(host.id, { tab: 'map', unit })}>{words.onMap}</TextLink>
      </p>
      {detail.drift ? <ShownByHost drift={detail.drift} /> : null}
      <UnitHistory history={history} knownSince={detail.knownSince} />
      {family.length > 0 ? (
        <PanelPart title={words.family}>
          <ul className="m-0 flex list-none flex-col gap-0.5 p-0">
            {family.map((each) => (
              <li key={each.unit} className="flex min-h-6 items-center justify-between gap-2">
                <span className="truncate font-mono text-xs" title={each.unit}>
                  {unitText(each.unit)}
                </span>
                <span className="flex items-center gap-2">
                  {each.holder ? <HolderLink holder={each.holder} /> : null}
                  <StateBadge badge={deviceBadges[each.state]} />
                </span>
              </li>
            ))}
          </ul>
        </PanelPart>
      ) : null}
    </div>
  )
}
