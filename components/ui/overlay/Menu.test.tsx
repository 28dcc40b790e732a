import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { Button } from '../Button'
import { Menu, type MenuEntry } from './Menu'

// Loaded once, so that no test waits for it.
beforeAll(async () => void (await import('./MenuList')))
afterEach(cleanup)

const pressed: string[] = []
const entries: readonly MenuEntry[] = [
  { id: 'abort', label: 'Abort', disabledReason: 'nothing is moving', onAction: () => void pressed.push('abort') },
  { id: 'stop', label: 'Stop', onAction: () => void pressed.push('stop') },
]
const entry = (name: string) => screen.getByRole('menuitem', { name })

async function openMenu() {
  pressed.length = 0
  render(<Menu label="Actions" trigger={<Button>Actions</Button>} entries={entries} />)
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }))
  await screen.findByRole('menuitem', { name: 'Abort' })
}

it('the menu stays open on an unavailable entry, whose name includes the reason', async () => {
  await openMenu()
  expect(entry('Abort').getAttribute('aria-disabled')).toBe('true')
  expect(entry('Abort').textContent).toContain('nothing is moving')
  await userEvent.click(entry('Abort'))
  expect(entry('Abort')).toBeTruthy()
  expect(document.activeElement).toBe(entry('Abort'))
  await userEvent.keyboard('{Enter}')
  expect(entry('Abort')).toBeTruthy()
  expect(pressed).toEqual([])
})

it('the menu runs an available entry and closes', async () => {
  await openMenu()
  expect(entry('Stop').hasAttribute('aria-disabled')).toBe(false)
  await userEvent.click(entry('Stop'))
  expect(pressed).toEqual(['stop'])
  expect(screen.queryByRole('menuitem')).toBeNull()
})

it('leaves other keys to the dialog around it and to the page', async () => {
  const heard: string[] = []
  render(
    // biome-ignore lint/a11y/noStaticElementInteractions: stands for a dialog
    <div onKeyDown={(event) => void heard.push(event.key)}>
      <Menu label="Actions" trigger={<Button>Actions</Button>} entries={entries} />
    </div>,
  )
  screen.getByRole('button', { name: 'Actions' }).focus()
  await userEvent.keyboard('{Escape}g')
  expect(heard).toEqual(['Escape', 'g'])
})

it('opens by an arrow key, which does not scroll the page', async () => {
  render(<Menu label="Actions" trigger={<Button>Actions</Button>} entries={entries} />)
  expect(fireEvent.keyDown(screen.getByRole('button', { name: 'Actions' }), { key: 'ArrowDown' })).toBe(false)
  expect(await screen.findByRole('menuitem', { name: 'Abort' })).toBeTruthy()
})
