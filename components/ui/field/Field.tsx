'use client'
import type { ReactNode } from 'react'
import { FieldError, Input, Label, TextField as RacTextField, Text, TextArea } from 'react-aria-components'
import { cx } from '../cx'
import { inputClasses } from './input-classes'

export function FieldLabel({ children }: { children: ReactNode }) {
  return <Label className="text-xs font-medium text-soft">{children}</Label>
}

export function FieldNotes({ help, error }: { help?: ReactNode; error?: string | null }) {
  return (
    <>
      {help ? (
        <Text slot="description" className="text-xs text-faint">
          {help}
        </Text>
      ) : null}
      <FieldError className="text-xs text-bad">{error}</FieldError>
    </>
  )
}

export interface FieldProps {
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
    readonly inputMode?: 'numeric'
    readonly autoFocus?: boolean
    readonly isRequired?: boolean
    readonly multiline?: boolean
    readonly mono?: boolean
    readonly error?: string | null
  },
) {
  const { label, help, className, multiline, mono, error, ...rest } = props
  const classes = cx(inputClasses, mono && 'font-mono')
  return (
    <RacTextField {...rest} isInvalid={Boolean(error)} className={cx('flex flex-col gap-1', className)}>
      <FieldLabel>{label}</FieldLabel>
      {multiline ? (
        <TextArea className={cx(classes, 'field-sizing-content h-auto max-h-60 min-h-14 py-1')} />
      ) : (
        <Input className={classes} autoFocus={rest.autoFocus} />
      )}
      <FieldNotes help={help} error={error} />
    </RacTextField>
  )
}
