'use client'
import type { ReactNode } from 'react'
import {
  FieldError,
  Input,
  Label,
  Checkbox as RacCheckbox,
  NumberField as RacNumberField,
  TextField as RacTextField,
  Text,
  TextArea,
} from 'react-aria-components'
import { cx } from './cx'
import { Glyph } from './Glyph'

export const inputClasses =
  'h-7 w-full min-w-0 rounded-md border border-edge bg-surface px-2 text-sm text-ink placeholder:text-faint invalid:border-bad disabled:opacity-60'

export function FieldLabel({ children }: { children: ReactNode }) {
  return <Label className="text-xs font-medium text-soft">{children}</Label>
}

export function FieldNotes({ help }: { help?: ReactNode }) {
  return (
    <>
      {help ? (
        <Text slot="description" className="text-xs text-faint">
          {help}
        </Text>
      ) : null}
      <FieldError className="text-xs text-bad" />
    </>
  )
}

interface FieldProps {
  readonly label: string
  readonly help?: ReactNode
  readonly className?: string
}

export function TextField(
  props: FieldProps & {
    readonly value: string
    readonly onChange: (value: string) => void
    readonly name?: string
    readonly type?: 'text' | 'email' | 'password'
    readonly autoComplete?: string
    readonly autoFocus?: boolean
    readonly isRequired?: boolean
    readonly multiline?: boolean
    readonly mono?: boolean
    readonly error?: string | null
  },
) {
  const { label, help, className, multiline, mono, error, ...rest } = props
  const look = cx(inputClasses, mono && 'font-mono')
  return (
    <RacTextField {...rest} isInvalid={Boolean(error)} className={cx('flex flex-col gap-1', className)}>
      <FieldLabel>{label}</FieldLabel>
      {multiline ? <TextArea rows={2} className={cx(look, 'h-auto py-1')} /> : <Input className={look} />}
      {help ? (
        <Text slot="description" className="text-xs text-faint">
          {help}
        </Text>
      ) : null}
      <FieldError className="text-xs text-bad">{error}</FieldError>
    </RacTextField>
  )
}

export function NumberField(
  props: FieldProps & {
    readonly value: number
    readonly onChange: (value: number) => void
    readonly minValue?: number
    readonly maxValue?: number
    readonly step?: number
  },
) {
  const { label, help, className, ...rest } = props
  return (
    <RacNumberField {...rest} className={cx('flex flex-col gap-1', className)}>
      <FieldLabel>{label}</FieldLabel>
      <Input className={cx(inputClasses, 'text-right')} />
      <FieldNotes help={help} />
    </RacNumberField>
  )
}

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
