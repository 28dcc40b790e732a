import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { TextField } from './Field'

afterEach(cleanup)

it('a required field is not marked as wrong before it was used', () => {
  render(<TextField isRequired label="Name" value="" onChange={() => {}} />)
  const { required, className } = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' })
  expect(required).toBe(true)
  // `:invalid` holds from the first paint on, `:user-invalid` after an attempt.
  expect(className.split(' ').filter((name) => name.includes('invalid:'))).toEqual([
    ...['user-invalid:border-bad', 'aria-invalid:border-bad'],
  ])
})
