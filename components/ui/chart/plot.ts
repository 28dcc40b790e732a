import './plain-language'

import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

// Draws lines over time on a canvas: two scales from zero, marks and bands below the lines.

export interface Series {
  readonly label: string
  /** A colour role of globals.css, such as `--flow`. */
  readonly role: string
  readonly dash?: readonly number[]
  readonly values: readonly (number | null)[]
  /** The right scale has its own unit and height. */
  readonly scale?: 'right'
}
/** A time or a period behind the lines; without an end it is one vertical line. ms. */
export interface Mark {
  readonly at: number
  readonly to?: number
  readonly label: string
  readonly role: string
}

export interface Drawing {
  readonly series: readonly Series[]
  readonly marks: readonly Mark[]
  readonly format: (value: number) => string
  readonly formatRight: ((value: number) => string) | null
  readonly height: number
  readonly clock: (ms: number) => string
}

export const dataOf = (times: readonly number[], series: readonly Series[]): uPlot.AlignedData => [
  times.map((ms) => ms / 1000),
  ...series.map((line) => [...line.values]),
]

/** Roles are pairs of light and dark; only an element that uses one knows its current value. */
function paint(element: HTMLElement, role: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${role})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Steps in bytes, so that an axis shows whole KiB, MiB and GiB. */
const STEPS = Array.from({ length: 53 }, (_, power) => 2 ** power)

const FONT = '11px "Inter Variable", sans-serif'

// From zero: small fluctuations must not look like peaks. The space above is for the names of marks.
const fromZero: uPlot.Scale = { range: (_, __, max) => [0, max * 1.2 || 1] }

function axesOf(element: HTMLElement, { clock, format, formatRight }: Drawing): uPlot.Axis[] {
  const axis = {
    stroke: paint(element, '--faint'),
    grid: { stroke: paint(element, '--line'), width: 1 },
    ticks: { show: false },
    font: FONT,
  }
  const left: uPlot.Axis = { ...axis, incrs: STEPS, size: 76, values: (_, values) => values.map(format) }
  const times: uPlot.Axis = { ...axis, size: 26, space: 90, values: (_, splits) => splits.map((s) => clock(s * 1000)) }
  if (formatRight === null) return [times, left]
  const right: uPlot.Axis = { ...axis, incrs: STEPS, scale: 'right', side: 1, size: 76, grid: { show: false } }
  return [times, left, { ...right, values: (_, values) => values.map(formatRight) }]
}

/** `marks` is called on each draw, so that new marks need no new plot. */
export function optionsFor(element: HTMLElement, drawing: Drawing, marks: () => readonly Mark[]): uPlot.Options {
  return {
    width: element.clientWidth,
    height: drawing.height,
    tzDate: (s) => uPlot.tzDate(new Date(s * 1000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { y: false },
    scales: { y: fromZero, right: fromZero },
    axes: axesOf(element, drawing),
    series: [
      {},
      ...drawing.series.map((line) => ({
        label: line.label,
        scale: line.scale ?? 'y',
        stroke: paint(element, line.role),
        width: 1.75,
        dash: line.dash ? [...line.dash] : undefined,
        points: { show: false },
      })),
    ],
    hooks: { drawAxes: [(plot) => drawMarks(plot, element, marks())] },
  }
}

function drawMarks({ ctx, bbox, valToPos }: uPlot, element: HTMLElement, marks: readonly Mark[]): void {
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  ctx.font = FONT.replace('11px', `${11 * devicePixelRatio}px`)
  ctx.textBaseline = 'top'
  let free = 0
  for (const { at, to, label, role } of marks) {
    const x = valToPos(at / 1000, 'x', true)
    const colour = paint(element, role)
    ctx.fillStyle = colour
    ctx.globalAlpha = to === undefined ? 0.55 : 0.22
    const width =
      to === undefined ? devicePixelRatio : Math.max(valToPos(to / 1000, 'x', true) - x, 2 * devicePixelRatio)
    ctx.fillRect(x, bbox.top, width, bbox.height)
    ctx.globalAlpha = 1
    const end = x + ctx.measureText(label).width + 8 * devicePixelRatio
    // Skips a name that would overlap the previous one or the edge; its line is still drawn.
    if (x < free || end > bbox.left + bbox.width) continue
    ctx.fillText(label, x + 4 * devicePixelRatio, bbox.top + 2 * devicePixelRatio)
    free = end
  }
  ctx.restore()
}
