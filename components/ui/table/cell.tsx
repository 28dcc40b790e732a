import type { ReactNode } from 'react'
import { StateBadge } from '../Badge'
import { cx } from '../cx'
import { dash } from '../dash'
import { RelativeTime } from '../time/Clock'
import { uiWords } from '../words'
import type { Column } from './column'

/** The content of a cell. */
export function shownBy<Row>({ cell, badge, timestamp, value }: Column<Row>, row: Row) {
  if (cell) return cell(row)
  if (badge) return <StateBadge badge={badge(row)} />
  const shown = value?.(row) ?? dash
  return timestamp && typeof shown === 'number' ? <RelativeTime at={shown} /> : shown
}

/** A link breaks like the text around it. */
const wrapClasses = 'py-1 [&_a]:whitespace-normal'

/** `wrapped`: the table is short enough for rows of different heights. */
export const cellClasses = <Row,>({ wraps, fits, align }: Column<Row>, wrapped: boolean) =>
  cx(
    'border-b border-line/60 px-2',
    wrapped && wraps ? wrapClasses : fits ? 'whitespace-nowrap' : 'truncate',
    align === 'end' && 'pr-3.5 text-right',
  )

// Rendered here once: the library's icon is recreated for every row that scrolls into view. Not painted until needed:
// a transparent element costs as much as a visible one.
const mark = (
  <svg
    viewBox="0 0 14 14"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    className="hidden size-3.5 overflow-visible group-hover/row:block group-focus-visible/row:block [@media(hover:none)]:block"
  >
    <path d="M2.5 2h9v10h-9zM8.5 2v10" strokeLinejoin="round" />
  </svg>
)

/** The preview button follows the name; visible when the row is pointed at or focused, and on touch screens. */
export function WithPreview({
  name,
  onPreview,
  children,
}: {
  name: string
  onPreview: () => void
  children: ReactNode
}) {
  return (
    <span className="flex items-center gap-1">
      <span className="min-w-0 flex-1 truncate">{children}</span>
      <button
        type="button"
        tabIndex={-1}
        aria-label={uiWords.preview(name)}
        title={uiWords.preview(name)}
        onClick={(event) => {
          event.stopPropagation()
          onPreview()
        }}
        className="size-4.5 shrink-0 cursor-default rounded-sm p-0.5 text-soft hover:text-accent"
      >
        {mark}
      </button>
    </span>
  )
}
