import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { NumberField } from './NumberField'

afterEach(cleanup)

function Amount({ first, isName }: { first: number; isName?: true }) {
  const [value, setValue] = useState(first)
  return (
    <>
      <NumberField label="Memory" value={value} onChange={setValue} minValue={1} maxValue={20_000} isName={isName} />
      <output>{String(value)}</output>
    </>
  )
}

it.each([
  ['text becomes the value when the field is left', '4096{Tab}', '4096', '4,096'],
  ['Enter takes the text', '4096{Enter}', '4096', '4,096'],
  ['separators are read', '4,096{Tab}', '4096', '4,096'],
  ['letters are not typed', '4x0{Tab}', '40', '40'],
  ['arrow keys change typed text by one', '40{ArrowUp}{ArrowUp}{ArrowDown}', '41', '41'],
  ['a number outside the bounds becomes the nearest one inside', '99999{Tab}', '20000', '20,000'],
  ['an empty field is no number', '{Tab}', 'NaN', ''],
])('%s', async (_, keys, value, text) => {
  render(<Amount first={512} />)
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Memory' })
  await userEvent.clear(field)
  await userEvent.keyboard(keys)
  expect(screen.getByRole('status').textContent).toBe(value)
  expect(field.value).toBe(text)
})

it('a number that names something has no separators', () => {
  render(<Amount first={16509} isName />)
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('16509')
})
