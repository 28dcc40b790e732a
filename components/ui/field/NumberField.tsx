'use client'
import { Input, NumberField as RacNumberField } from 'react-aria-components'
import { cx } from '../cx'
import { FieldLabel, FieldNotes, type FieldProps } from './Field'
import { inputClasses } from './input-classes'

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
      <Input className={cx(inputClasses, 'tabular-nums')} />
      <FieldNotes help={help} />
    </RacNumberField>
  )
}
