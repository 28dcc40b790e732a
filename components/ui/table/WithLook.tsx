import type { ReactNode } from 'react'
import { uiWords } from '../words'

// Drawn here and once: an icon of the library is made anew for every row that scrolls into view.
// And not painted before it is wanted: what is only transparent costs as much as what is seen.
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

/** The preview button stands behind the name; it is seen when the row is pointed at or has the keyboard, and by touch. */
export function WithLook({ name, onLook, children }: { name: string; onLook: () => void; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1">
      <span className="min-w-0 flex-1 truncate">{children}</span>
      <button
        type="button"
        tabIndex={-1}
        aria-label={uiWords.look(name)}
        title={uiWords.look(name)}
        onClick={(event) => {
          event.stopPropagation()
          onLook()
        }}
        className="size-4.5 shrink-0 cursor-default rounded-sm p-0.5 text-soft hover:text-accent"
      >
        {mark}
      </button>
    </span>
  )
}
