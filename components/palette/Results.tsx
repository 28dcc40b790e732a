import { useEffect, useRef } from 'react'
import { cx } from '../ui/cx'
import type { Entry, Group } from './entries'
import { paletteWords as words } from './words'

/** Results in groups. Unavailable entries keep their place and say why. */

export const resultId = (list: string, index: number) => `${list}-${index}`

export function Results(props: {
  readonly id: string
  readonly groups: readonly Group[]
  readonly active: number
  /** The text changed after the search. */
  readonly busy: boolean
  readonly onPick: (entry: Entry) => void
}) {
  const { id, groups, active } = props
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector(`[id="${resultId(id, active)}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  let index = 0
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={words.results}
      aria-busy={props.busy}
      className="max-h-[50vh] overflow-auto p-1"
    >
      {groups.map((group) => {
        const first = index
        index += group.entries.length
        return (
          // biome-ignore lint/a11y/useSemanticElements: a listbox is grouped by this role
          <div key={group.name} role="group" aria-labelledby={`${id}-${group.name}`}>
            <div id={`${id}-${group.name}`} className="px-3 pt-2 pb-0.5 text-xs font-medium text-faint">
              {words.groups[group.name]}
            </div>
            {group.entries.map((entry, at) => (
              <Option
                key={entry.id}
                id={resultId(id, first + at)}
                entry={entry}
                active={first + at === active}
                onPick={props.onPick}
              />
            ))}
          </div>
        )
      })}
    </div>
  )
}

function Option(props: {
  readonly id: string
  readonly entry: Entry
  readonly active: boolean
  readonly onPick: (entry: Entry) => void
}) {
  const { entry, active } = props
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard
    // biome-ignore lint/a11y/useFocusableInteractive: the field names the active option
    <div
      id={props.id}
      role="option"
      aria-selected={active}
      aria-disabled={entry.disabledReason !== null}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => props.onPick(entry)}
      className={cx(
        'flex min-h-7 cursor-default items-baseline gap-3 rounded-sm px-3 py-1 text-sm hover:bg-hover',
        active && 'bg-hover',
      )}
    >
      <span className={cx('shrink-0', entry.disabledReason === null ? 'text-ink' : 'text-faint')}>{entry.label}</span>
      <span className="ml-auto min-w-0 truncate text-xs text-faint max-sm:text-right max-sm:whitespace-normal">
        {entry.disabledReason === null ? entry.hint : words.notNow(entry.disabledReason)}
      </span>
    </div>
  )
}
