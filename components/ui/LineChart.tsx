'use client'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { useTimes } from './zone'
import 'uplot/dist/uPlot.min.css'

export interface Series {
  readonly label: string
  /** A colour role of globals.css, such as `--flow`. */
  readonly role: string
  readonly dash?: readonly number[]
  readonly values: readonly (number | null)[]
}

/** Lines over time on a canvas, for figures that come once a second. The numbers stand beside it in words. */
export function LineChart(props: {
  readonly label: string
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  readonly height?: number
}) {
  const host = useRef<HTMLDivElement>(null)
  const { times, series, format, label, height = 160 } = props
  const { clock } = useTimes()
  useEffect(() => {
    const element = host.current
    if (!element) return
    const draw = () => new uPlot(optionsFor(element, { series, format, height, clock }), dataOf(times, series), element)
    let plot = draw()
    const redraw = () => {
      plot.destroy()
      plot = draw()
    }
    const themes = new MutationObserver(redraw)
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    const dark = window.matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', redraw)
    const sizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    sizes.observe(element)
    return () => {
      themes.disconnect()
      sizes.disconnect()
      dark.removeEventListener('change', redraw)
      plot.destroy()
    }
  }, [times, series, format, height, clock])
  return <div ref={host} role="img" aria-label={label} className="w-full min-w-0" style={{ minHeight: height }} />
}

const dataOf = (times: readonly number[], series: readonly Series[]): uPlot.AlignedData => [
  times.map((ms) => ms / 1000),
  ...series.map((line) => [...line.values]),
]

/** Roles are pairs of light and dark; only an element that uses one knows which it is now. */
function paint(element: HTMLElement, role: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${role})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

interface Drawing {
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  readonly height: number
  readonly clock: (ms: number) => string
}

function optionsFor(element: HTMLElement, { series, format, height, clock }: Drawing): uPlot.Options {
  const axis = {
    stroke: paint(element, '--faint'),
    grid: { stroke: paint(element, '--line'), width: 1 },
    ticks: { show: false },
    font: '11px "Inter Variable", sans-serif',
  }
  return {
    width: element.clientWidth,
    height,
    tzDate: (s) => uPlot.tzDate(new Date(s * 1000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { y: false },
    // From zero: a line that only trembles must not look like a mountain.
    scales: { y: { range: (_, __, max) => [0, max * 1.1 || 1] } },
    axes: [
      { ...axis, size: 26, space: 90, values: (_, splits) => splits.map((s) => clock(s * 1000)) },
      { ...axis, size: 76, values: (_, values) => values.map(format) },
    ],
    series: [
      {},
      ...series.map((line) => ({
        label: line.label,
        stroke: paint(element, line.role),
        width: 1.75,
        dash: line.dash ? [...line.dash] : undefined,
        points: { show: false },
      })),
    ],
  }
}
