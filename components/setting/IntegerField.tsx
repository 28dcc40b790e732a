'use client'
import { useState } from 'react'
import { TextField } from '../ui/field/Field'
import { settingWords as words } from './words'

/**
 * An integer with its unit. Input is validated at once and never corrected automatically: a limit that silently becomes
 * another number is worse than an error. NaN means unreadable input.
 */
export function IntegerField(props: {
  readonly label: string
  readonly unit: string
  readonly help?: string
  readonly value: number
  readonly least: number
  readonly most: number
  readonly onChange: (value: number) => void
}) {
  const { label, unit, help, value, least, most, onChange } = props
  const [text, setText] = useState(String(value))
  const typed = parseInteger(text, least, most)
  return (
    <div className="flex items-start gap-2">
      <TextField
        label={label}
        help={help}
        className="w-28 [&_input]:text-right"
        inputMode="numeric"
        value={text}
        error={typed === null ? words.bounds(least, most) : null}
        onChange={(next) => {
          setText(next)
          onChange(parseInteger(next, least, most) ?? Number.NaN)
        }}
      />
      <span className="pt-7 text-xs text-soft">{unit}</span>
    </div>
  )
}

export function parseInteger(text: string, least: number, most: number): number | null {
  const value = /^\d{1,9}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN
  return value >= least && value <= most ? value : null
}
