import dynamic from 'next/dynamic'
import { type ReactNode, useMemo } from 'react'
import type { HostMapView } from '@/server/api/host/map'
import { Pending } from '../../console/Failure'
import { EmptyState } from '../../ui/Message'
import { mapWords } from '../words'
import { Picture } from './Picture'
import { countStates, placesOf, twoHoldings } from './places'
import { TwoHoldingsNote } from './TwoHoldingsNote'

// Loaded when somebody asks for it.
const MapTable = dynamic(() => import('./MapTable').then((code) => code.MapTable), { loading: () => <Pending /> })

export interface HostMapProps {
  readonly view: HostMapView
  readonly as: 'picture' | 'table'
  /** The place kept in the address. */
  readonly kept: string | null
  readonly onKeep: (unit: string | null) => void
  /** More about the place kept in the address, under what the inspector says of it. */
  readonly about?: ReactNode
}

/** Cells, cores, pages and devices of one host, and who holds each of them (N3). */
export function HostMap({ view, as, kept, onKeep, about }: HostMapProps) {
  const places = useMemo(() => placesOf(view), [view])
  const counts = useMemo(() => countStates(places.values()), [places])
  const holdings = useMemo(() => twoHoldings(view), [view])
  if (view.cells.length === 0 && view.devices.length === 0) {
    return <EmptyState title={mapWords.empty}>{mapWords.emptyMore}</EmptyState>
  }
  if (as === 'table') return <MapTable places={[...places.values()]} />
  return (
    <div className="flex flex-col gap-3">
      <TwoHoldingsNote holdings={holdings} />
      <Picture view={view} places={places} counts={counts} kept={kept} onKeep={onKeep} about={about} />
    </div>
  )
}
