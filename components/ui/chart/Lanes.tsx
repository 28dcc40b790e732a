'use client'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useNow } from '../time/Clock'
import { axisOf, type Bar, nextSpot, placeOf } from './gantt'
import { type Band, Bands, BarButton, type Lane, Ticks } from './LaneParts'

// Bars on one time axis: what happened, and below it who held what meanwhile. One bar is in the tab order and arrows
// walk the rest; the selected bar's text is beside the picture, where its space is reserved.

export interface LanesProps {
  readonly label: string
  readonly lanes: readonly Lane[]
  readonly bands?: readonly Band[]
  /** Shown while no bar is selected. */
  readonly hint: string
  readonly legend?: ReactNode
}

export function Lanes({ label, lanes, bands = [], hint, legend }: LanesProps) {
  const now = useNow()
  const root = useRef<HTMLElement>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const axis = axisOf(lanes, now)
  if (axis === null) return null
  const all = lanes.flatMap((lane) => lane.bars.map((bar) => ({ id: idOf(lane, bar), bar })))
  const bar = all.find(({ id }) => id === chosen)?.bar ?? null
  const stop = bar ? chosen : (all[0]?.id ?? null)
  return (
    <figure ref={root} aria-label={label} className="m-0 flex flex-col gap-2 text-xs">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the bars inside, which are buttons */}
      <div
        className="grid grid-cols-[minmax(7rem,11rem)_1fr] gap-x-3 gap-y-1"
        onKeyDown={(event) => walk(event, { root: root.current, lanes })}
      >
        {lanes.map((lane) => (
          <div key={lane.key} className="contents">
            <div className="flex min-h-7 min-w-0 items-center truncate text-soft">{lane.label}</div>
            <div className="relative min-h-7 overflow-hidden rounded-sm bg-sunken">
              {lane.bars.map((each) => (
                <BarButton
                  key={each.key}
                  id={idOf(lane, each)}
                  bar={each}
                  place={placeOf(each, axis, now)}
                  inTabOrder={stop === idOf(lane, each)}
                  chosen={chosen === idOf(lane, each)}
                  onChoose={setChosen}
                />
              ))}
              <Bands bands={bands} axis={axis} now={now} />
            </div>
          </div>
        ))}
        <Ticks axis={axis} />
      </div>
      <figcaption className="flex min-h-6 flex-wrap items-center justify-between gap-x-5 gap-y-1 text-soft">
        <span aria-hidden={bar !== null} className={bar ? 'text-ink' : undefined}>
          {bar?.tip ?? hint}
        </span>
        {legend}
      </figcaption>
    </figure>
  )
}

const idOf = (lane: Lane, bar: Bar) => `${lane.key} ${bar.key}`

function walk(event: KeyboardEvent, { root, lanes }: { root: HTMLElement | null; lanes: readonly Lane[] }) {
  const id = (event.target as HTMLElement).closest<HTMLElement>('[data-bar]')?.dataset.bar
  const track = lanes.findIndex((lane) => lane.bars.some((bar) => idOf(lane, bar) === id))
  const lane = lanes[track]
  if (!lane || !root) return
  const spot = { track, bar: lane.bars.findIndex((bar) => idOf(lane, bar) === id) }
  const next = nextSpot(event.key, spot, lanes)
  const to = next && lanes[next.track]
  if (!to) return
  event.preventDefault()
  root.querySelector<HTMLElement>(`[data-bar="${CSS.escape(idOf(to, to.bars[next.bar] as Bar))}"]`)?.focus()
}
