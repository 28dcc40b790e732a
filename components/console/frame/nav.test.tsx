import fs from 'node:fs'
import { act, cleanup, render, screen, within } from '@testing-library/react'
import { PathnameContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { NavMenu } from './NavMenu'
import { homeOf, NAV, NAV_ENTRIES } from './nav-entries'

beforeAll(() => import('../../ui/overlay/overlays')) // overlays load on first open
afterEach(cleanup)

/** Opened from the user menu. */
const OF_THE_USER = ['/account']

const PAGES = fs
  .readdirSync('app/(console)', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('page.tsx') && !file.startsWith('[...'))
  .map((file) => `/${file.replace(/\/page\.tsx$/, '')}`)
  .filter((page) => !OF_THE_USER.includes(page))

it('every page of the console is in one of six groups', () => {
  expect(NAV).toHaveLength(6)
  expect(PAGES.length).toBeGreaterThan(15)
  expect(PAGES.filter((page) => homeOf(page) === undefined)).toEqual([])
  const withoutId = PAGES.filter((page) => !page.includes('['))
  expect(NAV_ENTRIES.map(({ href }) => href).toSorted()).toEqual(withoutId.toSorted())
})

it('a page belongs to the entry with the longest matching address', () => {
  expect(homeOf('/settings/catalog')?.key).toBe('catalog')
  expect(homeOf('/settings')?.key).toBe('settings')
  expect(homeOf('/hostsmith')).toBeUndefined()
})

it('no two pages share a shortcut letter', () => {
  expect(new Set(NAV_ENTRIES.map(({ letter }) => letter)).size).toBe(NAV_ENTRIES.length)
})

const at = (path: string) => (
  <PathnameContext.Provider value={path}>
    <NavMenu />
  </PathnameContext.Provider>
)
const open = async () => {
  act(() => screen.getByRole('button', { name: 'Menu' }).click())
  return screen.findByRole('dialog', { name: 'Menu' })
}

it('the menu lists every page by group, marks the open one, and closes on a choice', async () => {
  const view = render(at('/hosts'))
  const menu = await open()
  expect(within(menu).getAllByRole('list')).toHaveLength(6)
  expect(within(menu).getAllByRole('link')).toHaveLength(NAV_ENTRIES.length)
  const placement = within(menu).getByRole('list', { name: 'Placement' })
  expect(
    within(placement)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toContain('Claims')
  expect(within(menu).getByRole('link', { current: 'page' }).textContent).toBe('Hosts')
  view.rerender(at('/claims'))
  expect(screen.queryByRole('dialog')).toBeNull()
})
