'use client'
import { useId } from 'react'
import { cx } from '../cx'

/** One of a few options, all visible: the browser's own radio buttons, each as large as its label. */
export function ToggleGroup<Id extends string>(props: {
  readonly label: string
  readonly value: Id
  readonly onChange: (value: Id) => void
  readonly choices: readonly { readonly id: Id; readonly label: string }[]
}) {
  const group = useId()
  return (
    <div
      role="radiogroup"
      aria-label={props.label}
      className="inline-flex h-7 rounded-md border border-edge/60 bg-sunken p-px"
    >
      {props.choices.map(({ id, label }) => (
        <label
          key={id}
          className={cx(
            'relative flex cursor-default items-center rounded-[4px] px-2.5 text-xs whitespace-nowrap select-none',
            id === props.value ? 'bg-surface font-medium text-ink' : 'text-soft hover:text-ink',
          )}
        >
          <input
            type="radio"
            name={group}
            checked={id === props.value}
            onChange={() => props.onChange(id)}
            className="absolute inset-0 m-0 cursor-default appearance-none rounded-[4px]"
          />
          {label}
        </label>
      ))}
    </div>
  )
}
