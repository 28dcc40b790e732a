import fs from 'node:fs'
import path from 'node:path'
import { cleanup, configure, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ComponentType, useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { lateOverlay } from './LateOverlay'

// Generous, for busy machines.
configure({ asyncUtilTimeout: 20_000 })
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function page(load: () => Promise<ComponentType<{ onClose: () => void }>>) {
  const Overlay = lateOverlay(load)
  const Page = () => {
    const [open, setOpen] = useState(false)
    return (
      <>
        <input aria-label="Filter" />
        <button type="button" onClick={() => setOpen(true)}>
          Drain host
        </button>
        {open ? <Overlay onClose={() => setOpen(false)} /> : null}
      </>
    )
  }
  render(<Page />)
}

it('an overlay whose code does not arrive leaves the page as it is, and offers a reload', async () => {
  page(() => Promise.reject(new Error('Failed to load chunk /_next/static/chunks/36xm.js from module 89627')))
  await userEvent.type(screen.getByLabelText('Filter'), 'zone:az-1')
  await userEvent.click(screen.getByRole('button', { name: 'Drain host' }))
  expect(await screen.findByRole('button', { name: 'Reload page' })).toBeTruthy()
  expect(screen.getByRole('alert').textContent).not.toContain('_next')
  expect(screen.getByLabelText<HTMLInputElement>('Filter').value).toBe('zone:az-1')
})

it.each([
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['Close', () => userEvent.click(screen.getByRole('button', { name: 'Close' }))],
])('%s closes the notice, and the focus returns to the button', async (_, close) => {
  page(() => Promise.reject(new Error('Failed to load chunk 1')))
  await userEvent.click(screen.getByRole('button', { name: 'Drain host' }))
  await screen.findByRole('alert')
  await close()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Drain host' }))
})

it('every dialog that loads late has the notice', () => {
  const root = path.join(import.meta.dirname, '../..')
  const files = fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'))
  const bare = files
    .filter((name) => path.dirname(name) !== 'ui/overlay')
    .filter((name) =>
      /(dynamic|lazy)\(\(\) => import\('[^']*(Dialog|Drawer)'\)/.test(fs.readFileSync(path.join(root, name), 'utf8')),
    )
  expect(bare).toEqual([])
})
