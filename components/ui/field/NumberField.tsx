'use client'
import { Input, NumberField as RacNumberField } from 'react-aria-components'
import { cx } from '../cx'
import { FieldLabel, FieldNotes, type FieldProps } from './Field'
import { inputClasses } from './input-classes'

const NAME = { useGrouping: false } as const

export function NumberField(
  props: FieldProps & {
    readonly value: number
    readonly onChange: (value: number) => void
    readonly minValue?: number
    readonly maxValue?: number
    readonly step?: number
    /** A number that names something, such as a port: without separators. */
    readonly isName?: true
  },
) {
  const { label, help, className, isName, ...rest } = props
  return (
    <RacNumberField {...rest} {...(isName && { formatOptions: NAME })} className={cx('flex flex-col gap-1', className)}>
      <FieldLabel>{label}</FieldLabel>
      <Input className={cx(inputClasses, 'tabular-nums')} />
      <FieldNotes help={help} />
    </RacNumberField>
  )
}
