import type { KeyboardEvent } from 'react'

// j and k (or the arrows) walk the rows, Enter opens, Space previews, x selects, / focuses the filter. A letter typed
// in a field inside a row stays a letter.

/**
 * The rows are one tab stop: Tab goes through the parts of the focused row, then leaves the table, whose other rows may be
 * hundreds. The browser moves the focus after this event and before the next task.
 */
function passOtherRows(target: HTMLElement): void {
  const own = target.closest('tr[data-row]')
  const others = [...(own?.parentElement?.children ?? [])].filter((row) => row !== own)
  for (const row of others) row.toggleAttribute('inert', true)
  setTimeout(() => {
    for (const row of others) row.toggleAttribute('inert', false)
  })
}

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, PageDown: 12, PageUp: -12 }

const isTyping = (target: EventTarget) =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox],[type=radio]),textarea,select,[role=menu]') !== null

export interface RowKeyActions {
  readonly count: number
  readonly active: number
  readonly focusRow: (index: number) => void
  readonly preview: ((index: number) => void) | null
  readonly toggle: ((index: number) => void) | null
}

export function onRowKey(event: KeyboardEvent<HTMLElement>, actions: RowKeyActions): void {
  if (event.key === 'Tab') passOtherRows(event.target as HTMLElement)
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
  const step = STEPS[event.key]
  if (step !== undefined) {
    event.preventDefault()
    actions.focusRow(Math.min(actions.count - 1, Math.max(0, actions.active + step)))
    return
  }
  if (event.key === 'Home' || event.key === 'End') {
    event.preventDefault()
    actions.focusRow(event.key === 'Home' ? 0 : actions.count - 1)
    return
  }
  if (event.key === 'x' && actions.toggle) {
    event.preventDefault()
    actions.toggle(actions.active)
    return
  }
  if (event.key === ' ' && actions.preview && event.target instanceof HTMLTableRowElement) {
    event.preventDefault()
    actions.preview(actions.active)
    return
  }
  if (event.key === 'Enter' && event.target instanceof HTMLTableRowElement) {
    const opener = event.target.querySelector<HTMLElement>('[data-open],a[href]') ?? event.target
    opener.click()
  }
}
