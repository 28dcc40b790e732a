import type { ReactNode } from 'react'
import { cx } from './cx'
import { Glyph, type Shape } from './Glyph'
import { type Tone, toneText, toneWash } from './tone'

/** The badge of one state: shape, word and tone. Each noun keeps a total record of these, one per state. */
export interface BadgeContent {
  readonly shape: Shape
  readonly tone: Tone
  readonly label: string
}

/**
 * A state in a row: shape and word without a box, so that a column of them stays easy to scan. A detail without room
 * for a word is left out: it wraps to a line that is not shown.
 */
export function StateBadge({
  badge,
  detail,
  className,
}: {
  badge: BadgeContent
  detail?: ReactNode
  className?: string
}) {
  return (
    <span
      className={cx(
        'inline-flex max-w-full min-w-0 items-center gap-x-1.5 whitespace-nowrap',
        detail ? 'h-[1lh] flex-wrap overflow-hidden' : null,
        badge.tone === 'idle' ? 'text-ink' : toneText[badge.tone],
        className,
      )}
    >
      <span className="inline-flex min-w-0 items-center gap-1.5">
        <Glyph shape={badge.shape} className={toneText[badge.tone]} />
        {badge.label}
      </span>
      {detail ? <span className="max-w-max grow basis-12 truncate text-faint">{detail}</span> : null}
    </span>
  )
}

/** A state on its own, such as in a page head. A detail too long for the line wraps inside the badge. */
export function Badge({ badge, detail }: { badge: BadgeContent; detail?: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex min-h-[22px] max-w-full items-center gap-1.5 rounded-md px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        toneWash[badge.tone],
        toneText[badge.tone],
      )}
    >
      <Glyph shape={badge.shape} />
      {badge.label}
      {detail ? <span className="min-w-0 font-normal break-words whitespace-normal">{detail}</span> : null}
    </span>
  )
}

/** A plain fact, such as an operation's name or a count beside a tab. */
export function Tag({ children, tone = 'idle' }: { children: ReactNode; tone?: Tone }) {
  return (
    <span
      className={cx(
        'inline-flex h-[18px] items-center rounded-sm px-1.5 text-2xs font-medium whitespace-nowrap',
        toneWash[tone],
        toneText[tone],
      )}
    >
      {children}
    </span>
  )
}
