'use client'
import { useRouter } from 'next/navigation'
import { lazy, useEffect, useState } from 'react'
import { Dialog } from '../../ui/overlay/Dialog'
import { consoleWords } from '../words'
import { NAV_ENTRIES } from './nav-entries'

const KeyList = lazy(() => import('./KeyList').then((code) => ({ default: code.KeyList })))

const GO: Readonly<Record<string, string>> = Object.fromEntries(NAV_ENTRIES.map(({ letter, href }) => [letter, href]))
/** Two keys form a chord if the second follows within this time. */
const CHORD_MS = 1_200
/** Event timestamps start at page load, so 0 would be recent. */
const NEVER = Number.NEGATIVE_INFINITY

/** Keys that walk the rows; outside a table they enter it, and so does Enter in a filter with nothing left to finish. */
const WALK = new Set(['j', 'k'])

function enterTable(event: KeyboardEvent): void {
  const at = event.target as HTMLElement
  if (event.defaultPrevented || at.closest('table')) return
  // An open drawer or dialog takes all keys.
  const room = at.closest('[role=dialog]') ?? document.querySelector('main')
  const row = room && (rowNear(at, room) ?? room.querySelector<HTMLElement>(ROW))
  if (row) event.preventDefault()
  row?.focus()
}

const ROW = 'tr[data-row][tabindex="0"]'

/** The row of the table that is nearest: a page has several, each with its own filter. */
function rowNear(at: Element, room: Element): HTMLElement | null {
  for (let part: Element | null = at; part && room.contains(part); part = part.parentElement) {
    const row = part.querySelector<HTMLElement>(ROW)
    if (row) return row
  }
  return null
}

const leavesFilter = ({ key, target }: KeyboardEvent): boolean =>
  key === 'Enter' && target instanceof HTMLInputElement && target.type === 'search'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox],[type=radio]),textarea,select,[contenteditable],[role=menu],[role=listbox]')

/** Global keys: `g` and a letter opens a page, `/` focuses the filter, `?` shows all keys. */
export function Keys() {
  const router = useRouter()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    let gAt = NEVER
    const onKey = (event: KeyboardEvent) => {
      if (leavesFilter(event)) enterTable(event)
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
      const page = event.timeStamp - gAt < CHORD_MS ? GO[event.key] : undefined
      gAt = event.key === 'g' ? event.timeStamp : NEVER
      if (page) router.push(page)
      else if (event.key === '?') setOpen(true)
      else if (WALK.has(event.key)) enterTable(event)
      else if (event.key === '/') {
        const filter = document.querySelector<HTMLInputElement>('main input[type=search]')
        if (filter) event.preventDefault()
        filter?.focus()
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [router])
  return (
    <Dialog wide isOpen={open} onClose={() => setOpen(false)} title={consoleWords.keys}>
      <KeyList />
    </Dialog>
  )
}
