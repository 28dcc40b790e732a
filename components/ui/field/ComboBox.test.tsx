import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { ComboBox } from './ComboBox'

afterEach(cleanup)

const choices = ['s1.small', 's1.large', 'd2.numa2'].map((id) => ({ id, label: id }))

it.each([
  ['Enter selects the first match of the text', 'numa{Enter}', 'd2.numa2'],
  ['the arrows choose among the matches', 's1{ArrowDown}{ArrowDown}{Enter}', 's1.large'],
  ['text without a match chooses nothing', 'x9{Enter}', null],
  ['Enter without text chooses nothing', '{Enter}', null],
])('%s', async (_, keys, chosen) => {
  const onChange = vi.fn()
  render(<ComboBox label="Flavor" choices={choices} value={null} onChange={onChange} />)
  await userEvent.click(screen.getByRole('combobox'))
  await userEvent.keyboard(keys)
  expect(onChange.mock.calls).toEqual(chosen === null ? [] : [[chosen]])
})

it('Enter keeps the value whose text was not changed', async () => {
  const onChange = vi.fn()
  render(<ComboBox label="Flavor" choices={choices} value="d2.numa2" onChange={onChange} />)
  await userEvent.click(screen.getByRole('combobox'))
  await userEvent.keyboard('{Enter}')
  expect(onChange).not.toHaveBeenCalled()
})
