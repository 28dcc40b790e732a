'use client'
import { Checkbox as RacCheckbox } from 'react-aria-components'
import { Glyph } from './Glyph'

export function Checkbox(props: {
  readonly label: string
  readonly isSelected: boolean
  readonly isIndeterminate?: boolean
  readonly onChange: (selected: boolean) => void
  readonly hideLabel?: boolean
  /** Whoever sets it says the reason beside it. */
  readonly isDisabled?: boolean
}) {
  const { label, hideLabel, ...rest } = props
  return (
    <RacCheckbox
      {...rest}
      aria-label={hideLabel ? label : undefined}
      className="group flex w-fit cursor-default items-center gap-2 rounded-sm text-sm"
    >
      <span
        aria-hidden="true"
        className="flex size-3.5 items-center justify-center rounded-sm border border-edge bg-surface text-on-fill group-selected:border-accent-fill group-selected:bg-accent-fill group-indeterminate:border-accent-fill group-indeterminate:bg-accent-fill group-disabled:border-dashed group-disabled:border-edge/60 group-disabled:bg-sunken group-disabled:text-faint"
      >
        {props.isIndeterminate ? <Glyph shape="dash" /> : props.isSelected ? <Glyph shape="tick" /> : null}
      </span>
      {hideLabel ? null : label}
    </RacCheckbox>
  )
}
