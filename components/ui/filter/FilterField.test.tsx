import { cleanup, configure, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { FilterKey } from './check-terms'
import { FilterField } from './FilterField'

const keys: readonly FilterKey[] = [
  { id: 'host', label: 'name of the host' },
  { id: 'state', label: 'state', values: ['up', 'down', 'gone'] },
]
const texts: string[] = []

function Field({ first = '' }: { first?: string }) {
  const [text, setText] = useState(first)
  texts.push(text)
  return (
    <>
      <FilterField label="Name or id" value={text} onChange={setText} keys={keys} />
      <button type="button" onClick={() => setText('host:a')}>
        elsewhere
      </button>
    </>
  )
}

const field = () => screen.getByRole('searchbox', { name: 'Name or id' })
const options = () => screen.queryAllByRole('option').map((option) => option.textContent)
const chips = () => screen.queryAllByRole('button', { name: /^Remove filter/ }).map((chip) => chip.textContent)

// Generous, for busy machines.
configure({ asyncUtilTimeout: 20_000 })
// A menu loads on first open; preloaded here so that no test waits for the disk.
beforeAll(async () => void (await import('../overlay/MenuList')))
afterEach(() => {
  cleanup()
  texts.length = 0
})

describe('a filter field', () => {
  it('sends the query while the user types, and keeps plain words in the field', async () => {
    render(<Field />)
    await userEvent.type(field(), 'web')
    expect(texts.at(-1)).toBe('web')
    expect(chips()).toEqual([])
  })

  it('completes by keys alone: key, then value, then the next', async () => {
    render(<Field />)
    await userEvent.type(field(), 'st{ArrowDown}{Enter}')
    expect(options()).toEqual(['up', 'down', 'gone'])
    expect(field()).toHaveProperty('value', 'state:')
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    const active = field().getAttribute('aria-activedescendant')
    expect(active && document.getElementById(active)?.textContent).toBe('down')
    await userEvent.keyboard('{Tab}')
    expect(texts.at(-1)).toBe('state:down')
    expect(chips()).toEqual(['state:down'])
    expect(document.activeElement).toBe(field())
  })

  it('returns a chip to the field for editing, and removes one', async () => {
    render(<Field first="host:a state:up web" />)
    expect(field()).toHaveProperty('value', 'web')
    await userEvent.clear(field())
    await userEvent.type(field(), '{Backspace}')
    expect(field()).toHaveProperty('value', 'state:up')
    await userEvent.click(screen.getByRole('button', { name: 'Remove filter host:a' }))
    expect(texts.at(-1)).toBe('state:up')
  })

  it('shows what it does not understand, and what it accepts', async () => {
    render(<Field first="colour:red state:sideways" />)
    expect(screen.getByText(/Unknown filter colour; known are host, state/)).toBeTruthy()
    expect(screen.getByText(/state cannot be sideways; use one of up, down, gone. It is not applied./)).toBeTruthy()
    expect(screen.getAllByRole('button', { name: /which is not applied/ })).toHaveLength(2)
  })

  it('shows no error for a value that is still being typed', async () => {
    render(<Field />)
    await userEvent.type(field(), 'state:do')
    expect(screen.queryByText(/never/)).toBeNull()
    await userEvent.keyboard('x')
    expect(screen.getByText(/state cannot be dox/)).toBeTruthy()
  })

  it('follows a changed address', async () => {
    render(<Field first="web" />)
    await userEvent.click(screen.getByRole('button', { name: 'elsewhere' }))
    expect(field()).toHaveProperty('value', '')
    expect(chips()).toEqual(['host:a'])
  })

  it('closes its list with Escape, and then clears the field', async () => {
    render(<Field />)
    await userEvent.type(field(), 'h')
    expect(options()).toHaveLength(1)
    await userEvent.keyboard('{Escape}')
    expect(options()).toEqual([])
    expect(field()).toHaveProperty('value', 'h')
    await userEvent.keyboard('{Escape}')
    expect(texts.at(-1)).toBe('')
  })

  it('offers its keys in a menu', async () => {
    render(<Field first="web" />)
    await userEvent.click(screen.getByRole('button', { name: 'Add a filter' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: /state/ }))
    expect(field()).toHaveProperty('value', 'state:')
    expect(chips()).toEqual(['web'])
  })
})
