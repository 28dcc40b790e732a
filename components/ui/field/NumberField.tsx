'use client'
import { type KeyboardEvent, useState } from 'react'
import { cx } from '../cx'
import { FieldFrame, type FieldProps } from './Field'
import { inputClasses } from './input-classes'

interface NumberFieldProps extends FieldProps {
  readonly value: number
  readonly onChange: (value: number) => void
  readonly minValue?: number
  readonly maxValue?: number
  /** A number that names something, such as a port: at least 1, without separators. */
  readonly isName?: true
}

/** An integer. Typed text becomes the value when the field is left, or with Enter; arrow keys change it by one. */
export function NumberField(props: NumberFieldProps) {
  const { label, help, className, value, onChange, isName } = props
  const { minValue = isName ? 1 : Number.MIN_SAFE_INTEGER, maxValue = Number.MAX_SAFE_INTEGER } = props
  /** Null while the field shows its value. */
  const [typed, setTyped] = useState<string | null>(null)
  const set = (next: number) => {
    setTyped(null)
    const within = Number.isNaN(next) ? next : Math.min(Math.max(next, minValue), maxValue)
    if (!Object.is(within, value)) onChange(within)
  }
  const current = () => (typed === null ? value : parsed(typed))
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (event.key === 'Enter' && typed !== null) set(current())
    if (step === undefined) return
    event.preventDefault()
    set(Number.isNaN(current()) ? minValue : current() + step)
  }
  return (
    <FieldFrame {...{ label, help, className }}>
      {(field) => (
        <input
          {...field}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          value={typed ?? written(value, isName)}
          onChange={({ target }) => /^[\d,\s-]*$/.test(target.value) && setTyped(target.value)}
          onBlur={() => typed !== null && set(current())}
          onKeyDown={onKeyDown}
          className={cx(inputClasses, 'tabular-nums')}
        />
      )}
    </FieldFrame>
  )
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowUp: 1, ArrowDown: -1 }

const written = (value: number, isName?: true) =>
  Number.isNaN(value) ? '' : isName ? String(value) : value.toLocaleString('en-US')

/** NaN for an empty or unreadable text. */
function parsed(text: string): number {
  const digits = text.replace(/[,\s]/g, '')
  return /^-?\d+$/.test(digits) ? Number(digits) : Number.NaN
}
