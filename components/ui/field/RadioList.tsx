'use client'
import { useId } from 'react'

/** One of a few options, each with an explanation: the browser's own radio buttons, stacked. */
export function RadioList<Id extends string>(props: {
  readonly label: string
  readonly value: Id
  readonly onChange: (value: Id) => void
  readonly choices: readonly { readonly id: Id; readonly label: string; readonly detail: string }[]
}) {
  const group = useId()
  return (
    <div role="radiogroup" aria-label={props.label} className="flex flex-col gap-2">
      {props.choices.map(({ id, label, detail }) => (
        <label
          key={id}
          className="grid w-fit cursor-default grid-cols-[auto_minmax(0,1fr)] items-start gap-x-2 rounded-sm text-sm outline-accent has-focus-visible:outline-2"
        >
          <input
            type="radio"
            name={group}
            aria-describedby={`${group}-${id}`}
            checked={id === props.value}
            onChange={() => props.onChange(id)}
            className="mt-[3px] size-3.5 cursor-default accent-accent-fill outline-none"
          />
          {label}
          <span id={`${group}-${id}`} aria-hidden="true" className="col-start-2 text-xs text-soft">
            {detail}
          </span>
        </label>
      ))}
    </div>
  )
}
