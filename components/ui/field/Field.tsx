'use client'
import { type ReactNode, useId } from 'react'
import { cx } from '../cx'
import { inputClasses } from './input-classes'

// Fields of the browser itself, with a label and notes: a library's would bring 10 kB of code to every form.

export interface FieldProps {
  readonly label: string
  readonly help?: ReactNode
  readonly className?: string
}

interface FieldAttributes {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

/** A label above a control, and notes below it, which describe it. */
export function FieldFrame(
  props: FieldProps & { readonly error?: string | null; readonly children: (field: FieldAttributes) => ReactNode },
) {
  const { label, help, error, className, children } = props
  const id = useId()
  const notes = { help: `${id}-help`, error: `${id}-error` }
  const described = [help ? notes.help : '', error ? notes.error : ''].filter(Boolean).join(' ')
  return (
    <div className={cx('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className="text-xs font-medium text-soft">
        {label}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {help ? (
        <span id={notes.help} className="text-xs text-faint">
          {help}
        </span>
      ) : null}
      {error ? (
        <span id={notes.error} className="text-xs text-bad">
          {error}
        </span>
      ) : null}
    </div>
  )
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
  const { label, help, className, error, multiline, mono, isRequired, value, onChange, ...rest } = props
  const classes = cx(inputClasses, mono && 'font-mono')
  return (
    <FieldFrame {...{ label, help, className, error }}>
      {(field) => {
        const all = { ...field, ...rest, value, required: isRequired }
        return multiline ? (
          <textarea
            {...all}
            onChange={(event) => onChange(event.target.value)}
            className={cx(classes, 'field-sizing-content h-auto max-h-60 min-h-14 py-1')}
          />
        ) : (
          <input type="text" {...all} onChange={(event) => onChange(event.target.value)} className={classes} />
        )
      }}
    </FieldFrame>
  )
}
