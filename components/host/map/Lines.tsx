import { type RefObject, useLayoutEffect, useState } from 'react'
import { arcBetween, type Box, lineTo } from './lines'

// Lines from an instance to everything it holds, over the picture. Decoration only: the inspector, the list of
// instances and the table carry the same facts.

interface MapLine {
  readonly mark: string
  readonly path: string
  /** Null for the arc from an old place to its new one. */
  readonly end: { readonly x: number; readonly y: number } | null
}

const strokes: Readonly<Record<string, string>> = {
  incoming: 'stroke-map-incoming fill-map-incoming',
  outgoing: 'stroke-map-outgoing fill-map-outgoing [stroke-dasharray:4_3]',
  double: 'stroke-bad-fill fill-bad-fill',
  moved: 'stroke-twice fill-twice [stroke-dasharray:1_3]',
}
const HELD = 'stroke-accent fill-accent'

interface LinesProps {
  readonly root: RefObject<HTMLElement | null>
  /** Instances whose lines are drawn; several if one place has several holders. */
  readonly hot: string
  /** Anything whose change moves places: another map, a scrolled list. */
  readonly change: unknown
}

export function Lines({ root, hot, change }: LinesProps) {
  const [drawn, setDrawn] = useState<readonly MapLine[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change requires a new measurement
  useLayoutEffect(() => {
    const picture = root.current
    if (!picture || hot === '') return setDrawn([])
    const draw = () => setDrawn(hot.split(' ').flatMap((instance) => linesOf(picture, instance)))
    draw()
    const sizes = new ResizeObserver(draw)
    sizes.observe(picture)
    return () => sizes.disconnect()
  }, [root, hot, change])
  return (
    <svg aria-hidden="true" className="pointer-events-none absolute inset-0 z-10 size-full overflow-visible">
      {drawn.map(({ mark, path, end }) => (
        <g key={path} className={strokes[mark] ?? HELD}>
          <path d={path} fill="none" strokeWidth={1.25} opacity={0.75} />
          {end ? <circle cx={end.x} cy={end.y} r={2} stroke="none" /> : null}
        </g>
      ))}
    </svg>
  )
}

function linesOf(picture: HTMLElement, instance: string): readonly MapLine[] {
  const origin = picture.getBoundingClientRect()
  const boxOf = (element: Element): Box => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return { left: left - origin.left, top: top - origin.top, width, height }
  }
  const row = picture.querySelector(`[data-instance-row="${instance}"]`)
  const places = [...picture.querySelectorAll<HTMLElement>(`[data-instance~="${instance}"]`)]
  const start = row && inView(row) ? boxOf(row) : null
  const lines = start
    ? ends(places).map(({ at, mark }) => {
        const { path, ...end } = lineTo(start, boxOf(at))
        return { mark, path, end }
      })
    : []
  return [...lines, ...arcs(places, boxOf)]
}

/** Threads of one core share a line. */
function ends(places: readonly HTMLElement[]) {
  const byEnd = new Map<Element, string>()
  for (const place of places) byEnd.set(place.closest('[data-core]') ?? place, place.dataset.mark ?? 'held')
  return [...byEnd].map(([at, mark]) => ({ at, mark }))
}

/** A same-host migration: from each vCPU's old place to its new one. */
function arcs(places: readonly HTMLElement[], boxOf: (element: Element) => Box): readonly MapLine[] {
  const of = (mark: string) => places.filter((place) => place.dataset.mark === mark && place.dataset.vcpu)
  const fresh = new Map(of('incoming').map((place) => [place.dataset.vcpu, place]))
  return of('outgoing').flatMap((old) => {
    const to = fresh.get(old.dataset.vcpu)
    return to ? [{ mark: 'moved', path: arcBetween(boxOf(old), boxOf(to)), end: null }] : []
  })
}

/** An instance scrolled out of its list has no line: it would end in the middle of something else. */
function inView(row: Element): boolean {
  const list = row.parentElement?.getBoundingClientRect()
  const own = row.getBoundingClientRect()
  return !list || (own.bottom > list.top && own.top < list.bottom)
}
