'use client'
import { Select } from '../ui/Select'

const ANY = 'any'

/** One filter of a list: a value, or any. */
export function FilterSelect<T extends string>(props: {
  readonly label: string
  readonly any: string
  readonly values: readonly T[]
  readonly labelOf: (value: T) => string
  readonly value: T | null
  readonly onChange: (value: T | null) => void
}) {
  return (
    <Select
      inline
      label={props.label}
      className="w-40"
      value={props.value ?? ANY}
      onChange={(id) => props.onChange(props.values.find((value) => value === id) ?? null)}
      choices={[
        { id: ANY, label: props.any },
        ...props.values.map((value) => ({ id: value as string, label: props.labelOf(value) })),
      ]}
    />
  )
}
