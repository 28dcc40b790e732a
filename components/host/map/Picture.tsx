import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react'
import type { HostMapView } from '@/server/api/host/map'
import { DeviceList } from './DeviceList'
import { Inspector } from './Inspector'
import { InstanceList } from './InstanceList'
import { instancesOnMap } from './instances'
import { Lines } from './Lines'
import { NodePanel } from './NodePanel'
import type { MapUnit } from './places'
import { useRovingPlaces } from './walk'
import { mapWords, type UnitState } from './words'

export interface PictureProps {
  readonly view: HostMapView
  /** The place kept in the address. */
  readonly selectedUnit: string | null
  readonly onSelectUnit: (unit: string | null) => void
  readonly about?: ReactNode
  readonly units: ReadonlyMap<string, MapUnit>
  readonly counts: ReadonlyMap<UnitState, number>
  readonly states: readonly UnitState[]
}

const unitAt = (target: EventTarget) =>
  (target as HTMLElement).closest('[data-place]')?.getAttribute('data-place') ?? null
const instanceAt = (target: EventTarget) =>
  (target as HTMLElement).closest('[data-instance-row]')?.getAttribute('data-instance-row') ?? null

export function Picture(props: PictureProps) {
  const { view, units, selectedUnit, counts, states, about } = props
  const root = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<{ unit: string | null; instance: string | null }>(NOTHING)
  const [scrolled, scroll] = useReducer((times: number) => times + 1, 0)
  const instances = useMemo(() => instancesOnMap(view, units), [view, units])
  const place = units.get(pointed.unit ?? selectedUnit ?? '') ?? null
  const hot = pointed.instance ?? [...new Set(place?.holders.map(({ holder }) => holder.instance.id))].join(' ')
  useHot(root, hot)
  const change = useMemo(() => ({ view, scrolled }), [view, scrolled])
  const point = (target: EventTarget) => setPointed({ unit: unitAt(target), instance: instanceAt(target) })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the units and instances inside take the keys, and they bubble
    <div
      ref={root}
      className="relative flex items-start gap-3 max-lg:flex-col"
      onPointerOver={(event: PointerEvent) => (unitAt(event.target) || instanceAt(event.target)) && point(event.target)}
      onPointerLeave={() => setPointed(NOTHING)}
      onFocus={(event) => point(event.target)}
      onBlur={() => setPointed(NOTHING)}
    >
      <Places {...props} root={root} />
      <Inspector {...{ place, counts, states, about }} floatingVcpus={view.floatingVcpus}>
        {instances.length > 0 ? <InstanceList instances={instances} onScroll={scroll} /> : null}
      </Inspector>
      <Lines root={root} hot={hot} change={change} />
    </div>
  )
}

const NOTHING = { unit: null, instance: null }

function Places({
  view,
  units,
  selectedUnit,
  onSelectUnit,
  root,
}: PictureProps & { root: { current: HTMLElement | null } }) {
  const grid = useRef<HTMLDivElement>(null)
  const walk = useRovingPlaces(grid, units)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    walk.onKeyDown(event)
    const holder = event.key === 'Enter' && units.get(unitAt(event.target) ?? '')?.holders[0]
    if (!holder) return
    // Enter opens the holder's page; Space, and Enter on a free place, keep the place as a click does.
    event.preventDefault()
    root.current?.querySelector<HTMLElement>(`[data-instance-row="${holder.holder.instance.id}"] a`)?.click()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the places inside are buttons; this gathers their events
    <div
      ref={grid}
      className="grid min-w-0 flex-1 grid-cols-[repeat(auto-fit,minmax(min(100%,286px),1fr))] gap-3"
      onKeyDown={onKeyDown}
      onFocus={walk.onFocus}
      onClick={(event) => {
        const unit = unitAt(event.target)
        if (unit) onSelectUnit(unit === selectedUnit ? null : unit)
      }}
    >
      {view.cells.map((cell) => (
        <NodePanel key={cell.id} node={cell} holders={view.holders} units={units} selectedUnit={selectedUnit} />
      ))}
      {view.devices.length > 0 ? (
        <section className="rounded-lg border border-line bg-surface p-3" aria-label={mapWords.noNumaNode}>
          <h2 className="m-0 text-sm font-semibold">{mapWords.noNumaNode}</h2>
          <p className="m-0 pb-2 text-xs text-faint">{mapWords.noNumaNodeMore}</p>
          <DeviceList devices={view.devices} units={units} selectedUnit={selectedUnit} />
        </section>
      ) : null}
    </div>
  )
}

/** Highlights everything that the same instances hold. Works on the elements, so that pointing rerenders no place. */
function useHot(root: { current: HTMLElement | null }, hot: string) {
  useEffect(() => {
    if (hot === '') return
    const same = hot
      .split(' ')
      .flatMap((id) => [
        ...(root.current?.querySelectorAll(`[data-instance~="${id}"],[data-instance-row="${id}"]`) ?? []),
      ])
    for (const element of same) element.setAttribute('data-hot', '')
    return () => {
      for (const element of same) element.removeAttribute('data-hot')
    }
  }, [root, hot])
}
