'use client'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'

/** One of a few, all seen at once. */
export function ToggleGroup<Id extends string>(props: {
  readonly label: string
  readonly value: Id
  readonly onChange: (value: Id) => void
  readonly choices: readonly { readonly id: Id; readonly label: string }[]
}) {
  return (
    <ToggleButtonGroup
      aria-label={props.label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[props.value]}
      onSelectionChange={(keys) => {
        const [next] = keys
        if (next !== undefined) props.onChange(next as Id)
      }}
      className="inline-flex h-7 rounded-md border border-edge/60 bg-sunken p-px"
    >
      {props.choices.map(({ id, label }) => (
        <ToggleButton
          key={id}
          id={id}
          className="cursor-default rounded-[4px] px-2.5 text-xs text-soft hovered:text-ink selected:bg-surface selected:font-medium selected:text-ink"
        >
          {label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
