'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import { Loaded, Pending } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { usePictureView, useText } from '../console/url'
import { useAt } from '../past/address'
import { PastSlider } from '../past/replay/PastSlider'
import { PictureToggle } from '../ui/PictureOrTable'
import { HostMap } from './map/HostMap'
import { MapLegend } from './map/MapLegend'
import { mapWords } from './map/words'

// Loaded when a place is picked.
const PickedPlace = dynamic(() => import('./PickedPlace').then((code) => code.PickedPlace), {
  loading: () => <Pending />,
})

export function MapTab({ id, place }: { id: string; place: ReactNode }) {
  const trpc = useTRPC()
  const { at, setAt } = useAt()
  const now = useQuery(trpc.host.map.queryOptions({ id }, { enabled: at === null }))
  const then = useQuery(
    trpc.past.map.queryOptions({ id, at: at ?? 0 }, { enabled: at !== null, placeholderData: keepPreviousData }),
  )
  const map = at === null ? now : then
  const [as, setAs] = usePictureView()
  const [kept, setKept] = useText('unit')
  return (
    <div className="flex flex-col gap-3">
      <div className="flex min-h-7 flex-wrap items-center gap-x-5 gap-y-2">
        <PictureToggle label={mapWords.view} view={as} onView={setAs} />
        <MapLegend />
        {at === null ? <PastSlider host={id} at={at} onAt={setAt} /> : null}
      </div>
      {at === null ? null : <PastSlider host={id} at={at} onAt={setAt} />}
      <Loaded query={map} what={mapWords.title} minHeight={480}>
        {(view) => (
          <HostMap
            view={view}
            as={as}
            selectedUnit={kept}
            onSelectUnit={setKept}
            about={<About host={id} unit={kept} place={place} at={at} />}
          />
        )}
      </Loaded>
    </div>
  )
}

/** Details about a place picked on the map. Each part has a fixed space, so that its data move nothing. */
function About({ host, unit, place, at }: { host: string; unit: string | null; place: ReactNode; at: number | null }) {
  if (unit === null) return null
  return (
    <>
      {at === null ? <div className="h-36 overflow-auto">{place}</div> : null}
      <div className="flex h-52 flex-col gap-2 overflow-auto border-t border-line pt-2">
        <PickedPlace host={host} unit={unit} at={at} />
      </div>
    </>
  )
}
