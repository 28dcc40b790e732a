import { useEffect, useRef } from 'react'
import { cx } from '../cx'
import { popClasses } from '../overlay/pop-classes'

/** Options below a field. The field keeps the focus and names the active option. */

export interface ListOption {
  readonly id: string
  readonly label: string
  readonly hint: string | null
}

export const optionId = (list: string, index: number) => `${list}-${index}`

export function OptionList(props: {
  readonly id: string
  readonly label: string
  readonly options: readonly ListOption[]
  readonly active: number
  readonly onPick: (index: number) => void
}) {
  const { id, options, active } = props
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={props.label}
      // Wider than the field if a hint needs it: a key says little without its meaning.
      className={cx(
        popClasses,
        'absolute top-full left-0 mt-1 max-h-80 w-max max-w-[min(28rem,calc(100vw-2rem))] min-w-full',
      )}
    >
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard
        // biome-ignore lint/a11y/useFocusableInteractive: the field names the active option
        <div
          key={option.id}
          id={optionId(id, index)}
          role="option"
          aria-selected={index === active}
          // Before the field loses the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => props.onPick(index)}
          className={cx(
            'flex cursor-default items-baseline gap-2 rounded-sm px-2 py-1 text-sm hover:bg-hover',
            index === active && 'bg-hover',
          )}
        >
          <span>{option.label}</span>
          {option.hint ? <span className="ml-auto truncate text-xs text-faint">{option.hint}</span> : null}
        </div>
      ))}
    </div>
  )
}
