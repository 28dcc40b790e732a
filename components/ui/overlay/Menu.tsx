'use client'
import { cloneElement, lazy, type ReactElement, type Ref, useRef, useState } from 'react'
import { LateOverlay } from './LateOverlay'

export interface MenuEntry {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly danger?: boolean
  readonly href?: string
  readonly checked?: boolean
  /** Why it would do nothing; it stays legible and focusable. */
  readonly disabledReason?: string | null
  readonly onAction?: () => void
}

/** The library's event, which goes no further unless told to. */
type TriggerKey = Pick<KeyboardEvent, 'key' | 'preventDefault'> & { readonly continuePropagation: () => void }

interface TriggerProps {
  readonly ref?: Ref<HTMLButtonElement>
  readonly onPress?: () => void
  readonly onKeyDown?: (event: TriggerKey) => void
  readonly 'aria-haspopup'?: 'menu'
  readonly 'aria-expanded'?: boolean
}

const MenuList = lazy(() => import('./MenuList').then((code) => ({ default: code.MenuList })))
const OPENING_KEYS: Readonly<Record<string, 'first' | 'last'>> = { ArrowDown: 'first', ArrowUp: 'last' }

/** `trigger` is a Button. The menu's code loads on first open. */
export function Menu({
  trigger,
  entries,
  label,
}: {
  trigger: ReactElement<TriggerProps>
  entries: readonly MenuEntry[]
  label: string
}) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState<'first' | 'last' | null>(null)
  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        onPress: () => setOpen('first'),
        onKeyDown: (event) => {
          const first = OPENING_KEYS[event.key]
          if (!first) return event.continuePropagation()
          // The page behind must not scroll.
          event.preventDefault()
          setOpen(first)
        },
        'aria-haspopup': 'menu',
        'aria-expanded': open !== null,
      })}
      {open ? (
        <LateOverlay onClose={() => setOpen(null)}>
          <MenuList label={label} entries={entries} trigger={button} focus={open} onClose={() => setOpen(null)} />
        </LateOverlay>
      ) : null}
    </>
  )
}
