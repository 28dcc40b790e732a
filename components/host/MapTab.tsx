'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { useChoice, useText } from '../console/url'
import { ShownByHost } from '../device/ShownByHost'
import { UnitHistory } from '../device/UnitHistory'
import { deviceWords } from '../device/words'
import { useAt } from '../past/address'
import { PastSlider } from '../past/PastSlider'
import { TextLink } from '../ui/Link'
import { ToggleGroup } from '../ui/ToggleGroup'
import { uiWords } from '../ui/words'
import { HostMap } from './map/HostMap'
import { MapLegend } from './map/MapLegend'
import { mapWords } from './words'

const VIEWS = ['picture', 'table'] as const

export function MapTab({ id, place }: { id: string; place: ReactNode }) {
  const trpc = useTRPC()
  const { at, setAt } = useAt()
  const now = useQuery(trpc.host.map.queryOptions({ id }, { enabled: at === null }))
  const then = useQuery(
    trpc.past.map.queryOptions({ id, at: at ?? 0 }, { enabled: at !== null, placeholderData: keepPreviousData }),
  )
  const map = at === null ? now : then
  const [as, setAs] = useChoice('as', VIEWS)
  const [kept, setKept] = useText('unit')
  return (
    <div className="flex flex-col gap-3">
      <div className="flex min-h-7 flex-wrap items-center gap-x-5 gap-y-2">
        <ToggleGroup
          label={mapWords.view}
          value={as ?? 'picture'}
          onChange={setAs}
          choices={VIEWS.map((id) => ({ id, label: uiWords[id] }))}
        />
        <MapLegend />
        {at === null ? <PastSlider host={id} at={at} onAt={setAt} /> : null}
      </div>
      {at === null ? null : <PastSlider host={id} at={at} onAt={setAt} />}
      <Loaded query={map} what={mapWords.title} minHeight={480}>
        {(view) => (
          <HostMap
            view={view}
            as={as ?? 'picture'}
            kept={kept}
            onKeep={setKept}
            about={<About host={id} unit={kept} place={place} />}
          />
        )}
      </Loaded>
    </div>
  )
}

/** Of what somebody picked on the map also who held it, and what its hypervisor says; all of it on the page of devices. */
function About({ host, unit, place }: { host: string; unit: string | null; place: ReactNode }) {
  return (
    <>
      {unit ? <PickedPlace host={host} unit={unit} /> : null}
      {place}
    </>
  )
}

const SHOWN = 6 // of its holders, so that the picture beside it stays in sight

function PickedPlace({ host, unit }: { host: string; unit: string }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.device.byUnit.queryOptions({ host, unit }, { retry: false }))
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-2">
      <Loaded query={query} what={deviceWords.history}>
        {({ history, knownSince, drift }) => (
          <>
            {drift ? <ShownByHost drift={drift} /> : null}
            <UnitHistory history={history} knownSince={knownSince} most={SHOWN} />
          </>
        )}
      </Loaded>
      <TextLink href={paths.devices({ host, unit })}>{deviceWords.back}</TextLink>
    </div>
  )
}
