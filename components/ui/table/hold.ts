import { type FocusEvent, type PointerEvent, type UIEvent, useState } from 'react'
import { ROW_HEIGHT } from './column'

// Who is busy with a table keeps its rows where they are: by the pointer over it, by a row that has the keyboard, or by
// having scrolled away from its top. `round` counts how often somebody asked to see the rows that came meanwhile.

export function useHold() {
  const [by, setBy] = useState({ pointer: false, keyboard: false, scroll: false })
  const [round, setRound] = useState(0)
  const set = (what: Partial<typeof by>) =>
    setBy((old) => {
      const next = { ...old, ...what }
      return next.pointer === old.pointer && next.keyboard === old.keyboard && next.scroll === old.scroll ? old : next
    })
  return {
    held: by.pointer || by.keyboard || by.scroll,
    round,
    showAll: () => setRound((times) => times + 1),
    onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && set({ pointer: true }),
    onPointerLeave: () => set({ pointer: false }),
    // A click leaves the focus behind too; only who came by keys is still there when the pointer has gone.
    onFocus: ({ target }: FocusEvent<HTMLElement>) =>
      set({ keyboard: target.closest('tbody') !== null && target.matches(':focus-visible') }),
    onBlur: () => set({ keyboard: false }),
    onScroll: ({ currentTarget }: UIEvent<HTMLElement>) => set({ scroll: currentTarget.scrollTop > ROW_HEIGHT }),
  }
}
