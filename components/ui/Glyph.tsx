import type { ReactNode } from 'react'
import { cx } from './cx'

// The shape of every state: ten pixels, one grid, distinguishable without colour.

export const SHAPES = [
  'dot',
  'ring',
  'half',
  'square',
  'diamond',
  'triangle',
  'cross',
  'tick',
  'into',
  'outof',
  'pause',
  'unknown',
  'moon',
  'arrow',
  'dash',
] as const
export type Shape = (typeof SHAPES)[number]

const stroke = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.6, strokeLinecap: 'round' } as const

/** Shapes of nearly every row are backgrounds: each SVG costs a scrolling list a surface and a clip. */
const BACKGROUNDS = { dot: 'glyph-dot', ring: 'glyph-ring' } as const
type Background = keyof typeof BACKGROUNDS

const drawings: Readonly<Record<Exclude<Shape, Background>, ReactNode>> = {
  half: (
    <>
      <circle cx="5" cy="5" r="3.6" {...stroke} />
      <path d="M5 1.4a3.6 3.6 0 0 1 0 7.2z" fill="currentColor" />
    </>
  ),
  square: <rect x="1.6" y="1.6" width="6.8" height="6.8" rx="1" fill="currentColor" />,
  diamond: <path d="M5 .8 9.2 5 5 9.2.8 5z" fill="currentColor" />,
  triangle: <path d="M5 1 9.4 9H.6z" fill="currentColor" />,
  cross: <path d="m2 2 6 6M8 2 2 8" {...stroke} strokeWidth={2} />,
  tick: <path d="m1.6 5.4 2.3 2.4 4.5-5.4" {...stroke} strokeWidth={1.9} strokeLinejoin="round" />,
  into: <path d="M1 5h5.4M4.4 2.4 7 5 4.4 7.6M9.2 1.4v7.2" {...stroke} strokeLinejoin="round" />,
  outof: <path d="M9 5H3.6M5.6 2.4 3 5l2.6 2.6M.8 1.4v7.2" {...stroke} strokeLinejoin="round" />,
  pause: <path d="M3 1.6v6.8M7 1.6v6.8" {...stroke} strokeWidth={2.2} />,
  unknown: <circle cx="5" cy="5" r="3.6" {...stroke} strokeDasharray="1.6 2.2" />,
  arrow: <path d="M.8 5h8M6 2.2 8.8 5 6 7.8" {...stroke} strokeLinejoin="round" />,
  dash: <path d="M2 5h6" {...stroke} strokeWidth={2} />,
  moon: <path d="M8.6 6.2A4 4 0 1 1 4.4 1.2a3.2 3.2 0 0 0 4.2 5z" fill="currentColor" />,
}

const isBackground = (shape: Shape): shape is Background => shape in BACKGROUNDS

export function Glyph({ shape, className }: { shape: Shape; className?: string }) {
  if (isBackground(shape)) {
    return <span aria-hidden="true" className={cx('inline-block size-2.5 shrink-0', BACKGROUNDS[shape], className)} />
  }
  return (
    <svg
      viewBox="0 0 10 10"
      width="10"
      height="10"
      aria-hidden="true"
      className={cx('shrink-0 overflow-visible', className)}
    >
      {drawings[shape]}
    </svg>
  )
}
