'use client'
import { type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { HostMapView } from '@/server/api/contract-map'
import { EmptyState } from '../../ui/Message'
import { mapWords } from '../words'
import { CellPanel } from './CellPanel'
import { DeviceList } from './DeviceList'
import { Inspector } from './Inspector'
import { MapTable } from './MapTable'
import { countStates, placesOf, twoHoldings } from './places'
import { TwoHoldingsNote } from './TwoHoldingsNote'
import { useRovingPlaces } from './walk'

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

interface PictureProps extends Omit<HostMapProps, 'as'> {
  readonly places: ReturnType<typeof placesOf>
  readonly counts: ReturnType<typeof countStates>
}

function Picture({ view, places, counts, kept, onKeep, about }: PictureProps) {
  const root = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<string | null>(null)
  const walk = useRovingPlaces(root, places)
  const place = places.get(pointed ?? kept ?? '') ?? null
  useHotPlaces(root, place?.holders[0]?.of.instance.id ?? null)
  const unitAt = (target: EventTarget) =>
    (target as HTMLElement).closest('[data-place]')?.getAttribute('data-place') ?? null
  const point = (event: PointerEvent) => {
    const unit = unitAt(event.target)
    if (unit) setPointed(unit)
  }
  return (
    <div className="flex items-start gap-3 max-lg:flex-col">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the places inside are buttons; this gathers their events */}
      <div
        ref={root}
        className="grid min-w-0 flex-1 grid-cols-[repeat(auto-fit,minmax(min(100%,286px),1fr))] gap-3"
        onPointerOver={point}
        onPointerLeave={() => setPointed(null)}
        onKeyDown={walk.onKeyDown}
        onFocus={(event) => {
          walk.onFocus(event)
          setPointed(unitAt(event.target))
        }}
        onClick={(event) => {
          const unit = unitAt(event.target)
          if (unit) onKeep(unit === kept ? null : unit)
        }}
      >
        {view.cells.map((cell) => (
          <CellPanel key={cell.id} cell={cell} holders={view.holders} places={places} kept={kept} />
        ))}
        {view.devices.length > 0 ? (
          <section className="rounded-lg border border-line bg-surface p-3" aria-label={mapWords.noCell}>
            <h2 className="m-0 text-sm font-semibold">{mapWords.noCell}</h2>
            <p className="m-0 pb-2 text-xs text-faint">{mapWords.noCellMore}</p>
            <DeviceList devices={view.devices} places={places} kept={kept} />
          </section>
        ) : null}
      </div>
      <Inspector place={place} counts={counts} about={about} />
    </div>
  )
}

/** Lights up all that the same instance holds. Done on the elements, so that pointing draws nothing anew. */
function useHotPlaces(root: { current: HTMLElement | null }, instance: string | null) {
  useEffect(() => {
    if (!instance) return
    const same = [...(root.current?.querySelectorAll(`[data-instance~="${instance}"]`) ?? [])]
    for (const element of same) element.setAttribute('data-hot', '')
    return () => {
      for (const element of same) element.removeAttribute('data-hot')
    }
  }, [root, instance])
}
