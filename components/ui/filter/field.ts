import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { checkTerms, type FilterKey } from './check-terms'
import { type Completion, completionsOf } from './complete'
import { type FilterDraft, finished, reopened, textOf, typedIn, typedOf, withDraft, without } from './draft'
import { parseFilter } from './grammar'

// The filter field's logic: the draft, the list of completions, and the keys that walk it.

export interface FilterFieldProps {
  readonly label: string
  /** The whole filter as text. */
  readonly value: string
  readonly onChange: (text: string) => void
  readonly keys: readonly FilterKey[]
}

export function useFilterField({ value, onChange, keys }: FilterFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  const [draft, setDraft] = useState(() => typedOf(value).draft)
  const list = useList()
  const typed = typedIn(value, draft)
  const completions = completionsOf(typed.draft, keys)
  const chips = checkTerms(typed.terms, keys)
  // An unfinished value is no mistake while it has completions.
  const late = completions.length === 0 ? checkTerms(parseFilter(typed.draft), keys) : []
  const set = (next: FilterDraft) => {
    setDraft(next.draft)
    onChange(textOf(next))
  }
  const edit = (next: FilterDraft) => {
    set(next)
    input.current?.focus()
  }
  const accept = (completion: Completion | undefined) => {
    if (!completion) return
    const next = { ...typed, draft: completion.text }
    edit(completion.whole ? finished(next) : next)
    if (completion.whole) list.close()
    else list.offer()
  }
  const open = list.wanted && completions.length > 0
  return {
    ...{ input, listId, typed, chips, completions, accept, open, active: open ? list.active : -1 },
    judged: [...chips, ...late],
    close: list.close,
    offer: list.offer,
    type: (text: string) => {
      set(withDraft(typed, text))
      list.offer()
    },
    begin: (key: FilterKey) => {
      edit({ ...finished(typed), draft: `${key.id}:` })
      list.offer()
      // The menu returns the focus to its button after closing.
      setTimeout(() => input.current?.focus())
    },
    remove: (index: number) => edit(without(typed, index)),
    clear: () => edit({ terms: [], draft: '' }),
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      const done = onFilterKey(event.key, { typed, completions, open, list, set, accept, caret: caretAtStart(event) })
      if (done) event.preventDefault()
      if (done && event.key === 'Escape') event.stopPropagation()
    },
  }
}

const caretAtStart = ({ currentTarget: { selectionStart, selectionEnd } }: KeyboardEvent<HTMLInputElement>) =>
  selectionStart === 0 && selectionEnd === 0

/** Whether the list of completions is open, and which one is active. */
function useList() {
  const [wanted, setWanted] = useState(false)
  const [active, setActive] = useState(-1)
  return {
    ...{ wanted, active, setActive },
    offer: () => {
      setWanted(true)
      setActive(-1)
    },
    close: () => setWanted(false),
  }
}

interface KeyContext {
  readonly typed: FilterDraft
  readonly completions: readonly Completion[]
  readonly open: boolean
  readonly list: ReturnType<typeof useList>
  readonly set: (next: FilterDraft) => void
  readonly accept: (completion: Completion | undefined) => void
  readonly caret: boolean
}

/** Returns whether the key was handled. */
function onFilterKey(key: string, { typed, completions, open, list, set, accept, caret }: KeyContext): boolean {
  const chosen = open ? completions[list.active] : undefined
  switch (key) {
    case 'ArrowDown':
    case 'ArrowUp': {
      if (!open) list.offer()
      else {
        const step = key === 'ArrowDown' ? 1 : -1
        const from = list.active < 0 && step < 0 ? 0 : list.active
        list.setActive((from + step + completions.length) % completions.length)
      }
      return true
    }
    case 'Tab':
      if (chosen) accept(chosen)
      return chosen !== undefined
    case 'Enter':
      if (chosen) accept(chosen)
      else if (typed.draft === '') {
        list.close()
        return false // the page goes on to the rows
      } else {
        set(finished(typed))
        list.close()
      }
      return true
    case 'Backspace':
      if (!caret || typed.draft !== '' || typed.terms.length === 0) return false
      set(reopened(typed))
      list.offer()
      return true
    case 'Escape':
      if (open) list.close()
      else if (typed.draft !== '') set({ ...typed, draft: '' })
      else return false
      return true
    default:
      return false
  }
}
