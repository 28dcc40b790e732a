'use client'
import type { RefObject } from 'react'
import { MenuItem, Popover, Menu as RacMenu, Text } from 'react-aria-components'
import { cx } from '../cx'
import { Glyph } from '../Glyph'
import { uiWords } from '../words'
import type { MenuEntry } from './Menu'
import { itemClasses, popClasses } from './pop-classes'

/** An open menu below its button. It takes the focus, and returns it on closing. */
export function MenuList(props: {
  readonly label: string
  readonly entries: readonly MenuEntry[]
  readonly trigger: RefObject<HTMLButtonElement | null>
  /** The entry focused at first. */
  readonly focus: 'first' | 'last'
  readonly onClose: () => void
}) {
  return (
    <Popover
      isOpen
      triggerRef={props.trigger}
      onOpenChange={(open) => !open && props.onClose()}
      placement="bottom end"
      offset={4}
      className={popClasses}
    >
      <RacMenu aria-label={props.label} autoFocus={props.focus} onClose={props.onClose} className="outline-none">
        {props.entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </RacMenu>
    </Popover>
  )
}

function Entry({ entry }: { entry: MenuEntry }) {
  const act = entry.disabledReason
    ? // The library's own disabled entries take no focus, so their reason could not be read by keyboard.
      { shouldCloseOnSelect: false, render: (props: object) => <div {...props} aria-disabled="true" /> }
    : { href: entry.href, onAction: entry.onAction }
  return (
    <MenuItem
      {...act}
      id={entry.id}
      textValue={entry.label}
      className={cx(itemClasses, entry.disabledReason ? 'text-faint' : entry.danger ? 'text-bad' : 'text-ink')}
    >
      <Text slot="label" className="flex items-center gap-2">
        {entry.checked !== undefined ? (
          <span aria-hidden="true" className="w-3">
            {entry.checked ? <Glyph shape="tick" /> : null}
          </span>
        ) : null}
        {entry.label}
      </Text>
      {entry.disabledReason || entry.hint ? (
        <Text slot="description" className="max-w-64 text-xs text-faint">
          {entry.disabledReason ? uiWords.labelled(uiWords.notNow, entry.disabledReason) : entry.hint}
        </Text>
      ) : null}
    </MenuItem>
  )
}
