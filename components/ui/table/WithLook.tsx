import { PanelRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { uiWords } from '../words'

/** The way to a look stands behind the name; it is seen when the row is pointed at or has the keyboard, and by touch. */
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
        className="shrink-0 cursor-default rounded-sm p-0.5 text-soft opacity-0 group-hover/row:opacity-100 group-focus-visible/row:opacity-100 hover:text-accent focus-visible:opacity-100 [@media(hover:none)]:opacity-100"
      >
        <PanelRight size={14} aria-hidden="true" />
      </button>
    </span>
  )
}
