import type { ReactNode } from 'react'
import { cx } from '../cx'

interface RowOpenerProps {
  readonly label?: string
  /** If omitted, the click falls through to the row, which picks itself. */
  readonly onOpen?: () => void
  readonly mono?: boolean
  readonly children: ReactNode
}

/** Opens the row's object. Enter on the row presses it (`data-open`, keys.ts). */
export function RowOpener({ label, onOpen, mono, children }: RowOpenerProps) {
  return (
    <button
      type="button"
      data-open
      aria-label={label}
      onClick={onOpen}
      className={cx(
        'max-w-full cursor-default truncate rounded-sm text-left text-accent',
        onOpen && 'hover:underline',
        mono && 'align-bottom font-mono text-xs',
      )}
    >
      {children}
    </button>
  )
}
