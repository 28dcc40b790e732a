import { ChevronDown } from 'lucide-react'
import { cx } from '../cx'
import { FieldFrame } from './Field'
import { inputClasses } from './input-classes'

/** One of a few choices that are only names: the list of the browser itself, which costs a page no code. */
export function PlainSelect<Id extends string>(props: {
  readonly label: string
  readonly choices: readonly { readonly id: Id; readonly label: string }[]
  readonly value: Id
  readonly onChange: (value: Id) => void
  readonly className?: string
}) {
  return (
    <FieldFrame label={props.label} className={props.className}>
      {(field) => (
        <div className="relative flex">
          <select
            {...field}
            value={props.value}
            onChange={({ target }) => props.onChange(target.value as Id)}
            className={cx(inputClasses, 'cursor-default appearance-none truncate pr-7 hover:bg-hover')}
          >
            {props.choices.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
          <ChevronDown size={13} aria-hidden="true" className="pointer-events-none absolute top-2 right-2 text-faint" />
        </div>
      )}
    </FieldFrame>
  )
}
