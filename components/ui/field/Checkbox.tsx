'use client'
import { cx } from '../cx'
import { Glyph } from '../Glyph'

/** The browser's own checkbox: its keys, focus and states need no code. */
export function Checkbox(props: {
  readonly label: string
  readonly isSelected: boolean
  readonly isIndeterminate?: boolean
  readonly onChange: (selected: boolean) => void
  readonly hideLabel?: boolean
  /** The caller shows the reason beside it. */
  readonly isDisabled?: boolean
}) {
  const { label, hideLabel, isIndeterminate = false, isDisabled = false } = props
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on a box is none on the row around it, and keys are none anyway
    <label
      onClick={(event) => event.stopPropagation()}
      className="flex w-fit cursor-default items-center gap-2 rounded-sm text-sm outline-offset-1 outline-accent has-focus-visible:outline-2"
    >
      <span className="relative flex size-3.5 shrink-0">
        <input
          type="checkbox"
          aria-label={hideLabel ? label : undefined}
          checked={props.isSelected}
          disabled={isDisabled}
          ref={(box) => {
            if (box) box.indeterminate = isIndeterminate
          }}
          onChange={(event) => props.onChange(event.target.checked)}
          className="size-3.5 cursor-default appearance-none rounded-sm border border-edge bg-surface outline-none checked:border-accent-fill checked:bg-accent-fill indeterminate:border-accent-fill indeterminate:bg-accent-fill disabled:border-dashed disabled:border-edge/60 disabled:bg-sunken"
        />
        <span
          aria-hidden="true"
          className={cx(
            'pointer-events-none absolute inset-0 flex items-center justify-center',
            isDisabled ? 'text-faint' : 'text-on-fill',
          )}
        >
          {isIndeterminate ? <Glyph shape="dash" /> : props.isSelected ? <Glyph shape="tick" /> : null}
        </span>
      </span>
      {hideLabel ? null : label}
    </label>
  )
}
