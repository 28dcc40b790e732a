'use client'
import { Input, NumberField as RacNumberField } from 'react-aria-components'
import { cx } from '../cx'
import { FieldLabel, FieldNotes, type FieldProps } from './Field'
import { inputClasses } from './input-classes'

const NAME = { formatOptions: { useGrouping: false }, minValue: 1 } as const

export function NumberField(
  props: FieldProps & {
    readonly value: number
    readonly onChange: (value: number) => void
    readonly minValue?: number
    readonly maxValue?: number
    readonly step?: number
    /** A number that names something, such as a port: at least 1, without separators. */
    readonly isName?: true
  },
) {
  const { label, help, className, isName, ...rest } = props
  return (
    <RacNumberField {...(isName && NAME)} {...rest} className={cx('flex flex-col gap-1', className)}>
      <FieldLabel>{label}</FieldLabel>
      <Input className={cx(inputClasses, 'tabular-nums')} />
      <FieldNotes help={help} />
    </RacNumberField>
  )
}
