import { type KeyboardEvent, useRef, useState } from 'react'

// The logic of a combo box: the text, the choices that match it, and the keys that walk them.

export interface Choice<Id extends string = string> {
  readonly id: Id
  readonly label: string
  readonly detail?: string
}

export const choiceId = (list: string, index: number) => `${list}-${index}`

export interface ComboBoxProps<Id extends string> {
  readonly label: string
  /** Undefined while they load; text typed meanwhile is matched when they arrive. */
  readonly choices: readonly Choice<Id>[] | undefined
  readonly value: Id | null
  readonly onChange: (value: Id) => void
  /** The value's label until its choice has loaded. */
  readonly called?: string | null
  readonly className?: string
}

/** Drawing more would delay every key, and nobody reads them. */
const SHOWN_MAX = 200

export function useComboBox<Id extends string>({ choices = [], value, onChange, called }: ComboBoxProps<Id>) {
  const anchor = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  /** Null while the field shows its value. */
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState(-1)
  const text = typed ?? choices.find(({ id }) => id === value)?.label ?? called ?? ''
  const matches = typed === null ? choices : matching(choices, typed)
  const shown = matches.slice(0, SHOWN_MAX)
  const offer = () => {
    if (open) return
    setOpen(true)
    setActive(-1)
  }
  const close = () => {
    setOpen(false)
    setTyped(null)
  }
  const pick = (choice: Choice<Id> | undefined) => {
    close()
    if (choice) onChange(choice.id)
  }
  const step = (by: 1 | -1) => {
    if (!open) return offer()
    const from = active < 0 && by < 0 ? 0 : active
    if (shown.length > 0) setActive((from + by + shown.length) % shown.length)
  }
  // Enter takes the first match of typed text; without text nothing was asked for.
  const chosen = () => shown[active] ?? (typed?.trim() ? shown[0] : undefined)
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    // What is still open must neither submit the form nor close the dialog.
    ...(open && { Enter: () => pick(chosen()), Escape: close }),
  }
  return {
    ...{ anchor, text, open, active, shown, more: matches.length - shown.length, offer, close, pick },
    type: (next: string) => {
      setTyped(next)
      setOpen(true)
      setActive(-1)
    },
    keyDown: (event: KeyboardEvent) => {
      if (event.key === 'Tab' && open && active >= 0) pick(shown[active])
      const act = keys[event.key]
      if (!act) return
      event.preventDefault()
      if (event.key === 'Escape') event.stopPropagation()
      act()
    },
  }
}

function matching<Id extends string>(choices: readonly Choice<Id>[], typed: string): readonly Choice<Id>[] {
  const sought = typed.trim().toLowerCase()
  return choices.filter(({ label }) => label.toLowerCase().includes(sought))
}
