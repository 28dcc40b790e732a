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
  ['arrow up goes to the last match', '{ArrowUp}{Enter}', 'd2.numa2'],
  ['the arrows go round', '{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{Enter}', 's1.small'],
  ['Tab takes the match that the arrows reached', 's1{ArrowDown}{Tab}', 's1.small'],
  ['Tab without arrows chooses nothing', 's1{Tab}', null],
  ['Escape chooses nothing', 's1{ArrowDown}{Escape}', null],
  ['after Escape, Enter chooses nothing', 's1{ArrowDown}{Escape}{Enter}', null],
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

it('names the active choice to screen readers, and says when nothing matches', async () => {
  render(<ComboBox label="Flavor" choices={choices} value={null} onChange={() => {}} />)
  const field = screen.getByRole('combobox', { name: 'Flavor' })
  expect(field.getAttribute('aria-expanded')).toBe('false')
  await userEvent.click(field)
  await userEvent.keyboard('s1{ArrowDown}{ArrowDown}')
  expect(field.getAttribute('aria-expanded')).toBe('true')
  const [small, large] = screen.getAllByRole('option')
  expect([small?.textContent, large?.textContent]).toEqual(['s1.small', 's1.large'])
  expect(field.getAttribute('aria-activedescendant')).toBe(large?.id)
  await userEvent.keyboard('x')
  expect(screen.getByRole('status').textContent).toBe('No match')
  expect(field.hasAttribute('aria-activedescendant')).toBe(false)
})

it('Escape closes the list, and only the next one its dialog; Enter sends its form once the list is closed', async () => {
  const [onKeyDown, onSubmit] = [vi.fn(), vi.fn((event: { preventDefault(): void }) => event.preventDefault())]
  render(
    <form onSubmit={onSubmit} onKeyDown={({ key }) => onKeyDown(key)}>
      <ComboBox label="Flavor" choices={choices} value="d2.numa2" onChange={() => {}} />
    </form>,
  )
  await userEvent.click(screen.getByRole('combobox'))
  await userEvent.keyboard('s1{Enter}')
  expect(onSubmit).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('combobox'))
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(onKeyDown).not.toHaveBeenCalledWith('Escape')
  await userEvent.keyboard('{Escape}{Enter}')
  expect(onKeyDown).toHaveBeenCalledWith('Escape')
  expect(onSubmit).toHaveBeenCalledTimes(1)
})

it('text that was not taken is gone once the field is left', async () => {
  render(<ComboBox label="Flavor" choices={choices} value="d2.numa2" onChange={() => {}} />)
  const field = screen.getByRole<HTMLInputElement>('combobox')
  await userEvent.click(field)
  await userEvent.clear(field)
  await userEvent.keyboard('s1')
  expect(field.value).toBe('s1')
  await userEvent.tab()
  expect(field.value).toBe('d2.numa2')
})

it('matches text that was typed while its choices loaded, and takes a click', async () => {
  const onChange = vi.fn()
  const { rerender } = render(<ComboBox label="Flavor" choices={undefined} value={null} onChange={onChange} />)
  await userEvent.click(screen.getByRole('combobox'))
  await userEvent.keyboard('s1')
  expect(screen.getByRole('status').textContent).toBe('Loading')
  rerender(<ComboBox label="Flavor" choices={choices} value={null} onChange={onChange} />)
  await userEvent.click(screen.getByRole('option', { name: 's1.large' }))
  expect(onChange.mock.calls).toEqual([['s1.large']])
})

it('draws the first 200 of many matches and says how many are left', async () => {
  const many = Array.from({ length: 10_000 }, (_, n) => ({ id: `h${n}`, label: `host-${n}` }))
  render(<ComboBox label="Host" choices={many} value={null} onChange={() => {}} />)
  await userEvent.click(screen.getByRole('combobox'))
  expect(screen.getAllByRole('option')).toHaveLength(200)
  expect(screen.getByRole('status').textContent).toBe('9,800 more: type part of the name.')
})
