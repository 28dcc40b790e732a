'use client'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import './plain-language'

import uPlot from 'uplot'
import { useTimes } from '../time/zone'
import { type Drawing, dataOf, type Mark, optionsFor, type Series } from './plot'

export type { Mark, Series } from './plot'

export interface LineChartProps {
  readonly label: string
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  /** For series of the right scale. */
  readonly formatRight?: (value: number) => string
  readonly marks?: readonly Mark[]
  /** The text for one point selected by keys or pointer. */
  readonly read: (index: number) => string
  readonly hint: string
  readonly height?: number
}

const NO_MARKS: readonly Mark[] = []
const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at, last) => Math.min(at + 1, last),
  ArrowLeft: (at) => Math.max(at - 1, 0),
  PageDown: (at) => Math.max(at - 10, 0),
  PageUp: (at, last) => Math.min(at + 10, last),
  Home: () => 0,
  End: (_, last) => last,
}

/**
 * Lines over time on a canvas, for figures that arrive every second. Arrow keys or the pointer select a point, whose
 * figures are shown below the chart. New figures go into the same plot: nothing is rebuilt, so nothing jumps.
 */
export function LineChart(props: LineChartProps) {
  const { times, series, format, formatRight = null, marks = NO_MARKS, label, height = 160 } = props
  const { clock } = useTimes()
  const host = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number | null>(null)
  const drawing: Drawing = { series, marks, format, formatRight, height, clock }
  const plot = usePlot(host, { drawing, times, onCursor: setAt })
  const last = times.length - 1
  const chosen = at === null ? null : Math.min(at, last)
  const onKeyDown = (event: KeyboardEvent) => {
    const next = STEPS[event.key]?.(chosen ?? last, last)
    if (next === undefined) return
    event.preventDefault()
    setAt(next)
    const shown = plot.current
    if (shown) shown.setCursor({ left: shown.valToPos((times[next] ?? 0) / 1000, 'x'), top: 0 }, false)
  }
  return (
    <div className="flex flex-col gap-1">
      <div
        ref={host}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(last, 0)}
        aria-valuenow={chosen ?? Math.max(last, 0)}
        aria-valuetext={props.read(chosen ?? last)}
        onKeyDown={onKeyDown}
        className="w-full min-w-0 rounded-sm"
        style={{ minHeight: height }}
      />
      <p className="m-0 min-h-5 truncate text-xs text-soft">{chosen === null ? props.hint : props.read(chosen)}</p>
    </div>
  )
}

interface PlotInput {
  readonly drawing: Drawing
  readonly times: readonly number[]
  readonly onCursor: (index: number | null) => void
}

/** One plot for the chart's lifetime; data go into it, and only a new theme, clock or size rebuilds it. */
function usePlot(host: React.RefObject<HTMLDivElement | null>, plotting: PlotInput) {
  const plot = useRef<uPlot | null>(null)
  const now = useRef(plotting)
  now.current = plotting
  const { times, drawing } = plotting
  const { series, marks, height, clock } = drawing
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect reads `now`; these only trigger a redraw
  useEffect(() => {
    const element = host.current
    if (!element) return
    const draw = () => {
      const { drawing, times } = now.current
      const options = optionsFor(element, drawing, () => now.current.drawing.marks)
      const onCursor = ({ cursor }: uPlot) => now.current.onCursor(cursor.idx ?? null)
      plot.current = new uPlot(
        { ...options, hooks: { ...options.hooks, setCursor: [onCursor] } },
        dataOf(times, drawing.series),
        element,
      )
    }
    const redraw = () => {
      plot.current?.destroy()
      draw()
    }
    draw()
    const themes = new MutationObserver(redraw)
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    const dark = window.matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', redraw)
    const sizes = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }))
    sizes.observe(element)
    return () => {
      themes.disconnect()
      sizes.disconnect()
      dark.removeEventListener('change', redraw)
      plot.current?.destroy()
      plot.current = null
    }
  }, [height, clock, series.length])
  // biome-ignore lint/correctness/useExhaustiveDependencies: new marks are drawn with the data
  useEffect(() => {
    plot.current?.setData(dataOf(times, series))
  }, [times, series, marks])
  return plot
}
