'use client'
import type { ReactNode } from 'react'
import { MenuItem, MenuTrigger, Popover, Menu as RacMenu, Text } from 'react-aria-components'
import { cx } from './cx'
import { Glyph } from './Glyph'
import { uiWords } from './words'

export interface MenuEntry {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly danger?: boolean
  readonly href?: string
  readonly checked?: boolean
  /** Stays readable and reachable, and says why it would do nothing. */
  readonly why?: string | null
  readonly onAction?: () => void
}

export const popClasses =
  'z-50 min-w-44 overflow-auto rounded-md border border-line bg-raised p-1 shadow-pop outline-none'

export const itemClasses =
  'flex cursor-default flex-col rounded-sm px-2 py-1 text-sm outline-none focused:bg-hover selected:font-medium'

/** `trigger` is a Button. */
export function Menu({
  trigger,
  entries,
  label,
}: {
  trigger: ReactNode
  entries: readonly MenuEntry[]
  label: string
}) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover placement="bottom end" offset={4} className={popClasses}>
        <RacMenu aria-label={label} className="outline-none">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </RacMenu>
      </Popover>
    </MenuTrigger>
  )
}

function Entry({ entry }: { entry: MenuEntry }) {
  const act = entry.why ? undefined : entry.onAction
  return (
    <MenuItem
      id={entry.id}
      textValue={entry.label}
      href={entry.why ? undefined : entry.href}
      onAction={act}
      className={cx(itemClasses, entry.why ? 'text-faint' : entry.danger ? 'text-bad' : 'text-ink')}
    >
      <Text slot="label" className="flex items-center gap-2">
        {entry.checked !== undefined ? (
          <span aria-hidden="true" className="w-3">
            {entry.checked ? <Glyph shape="tick" /> : null}
          </span>
        ) : null}
        {entry.label}
      </Text>
      {entry.why || entry.hint ? (
        <Text slot="description" className="max-w-64 text-xs text-faint">
          {entry.why ? uiWords.labelled(uiWords.notNow, entry.why) : entry.hint}
        </Text>
      ) : null}
    </MenuItem>
  )
}
