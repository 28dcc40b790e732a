'use client'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { useChoice, useText } from '../console/url'
import { ToggleGroup } from '../ui/ToggleGroup'
import { uiWords } from '../ui/words'
import { HostMap } from './map/HostMap'
import { MapLegend } from './map/MapLegend'
import { mapWords } from './words'

const VIEWS = ['picture', 'table'] as const

export function MapTab({ id }: { id: string }) {
  const trpc = useTRPC()
  const map = useQuery(trpc.host.map.queryOptions({ id }))
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
      </div>
      <Loaded query={map} what={mapWords.title} minHeight={480}>
        {(view) => <HostMap view={view} as={as ?? 'picture'} kept={kept} onKeep={setKept} />}
      </Loaded>
    </div>
  )
}
