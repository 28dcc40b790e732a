import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './console'
import { readTable } from './table'

// Lists: filter, order, columns, export and saved views, all of them in the URL.

const table = (page: Page, name = 'Hosts') => page.getByRole('table', { name })
const hosts = async (page: Page) => (await readTable(table(page))).map((row) => row.Host ?? '')
const filter = (page: Page) => page.getByRole('searchbox', { name: 'Name or id' })

test('a filter completes by keyboard, and a link to it shows the same rows', async ({ page, second }) => {
  await page.goto('/hosts')
  await expect(table(page).getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('/')
  await expect(filter(page)).toBeFocused()
  await page.keyboard.type('statu')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.type('u')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Remove filter status:up' })).toBeVisible()
  await page.keyboard.type('host:std-0* -host:std-03 ')
  await expect.poll(() => hosts(page)).toContain('std-01')
  await expect.poll(async () => (await hosts(page)).filter((name) => !/^std-0[^3]/.test(name))).toEqual([])
  await expect(page).toHaveURL(/q=/)

  await second.goto(page.url())
  await expect.poll(() => hosts(second)).toEqual(await hosts(page))

  await page.getByRole('button', { name: 'Remove filter -host:std-03' }).click()
  await expect.poll(() => hosts(page)).toContain('std-03')
})

test('a filter names the terms it does not understand and does not apply them', async ({ page }) => {
  await page.goto('/hosts?q=colour%3Ared+status%3Asideways')
  await expect(page.getByText(/Unknown filter colour; known are host, state/)).toBeVisible()
  await expect(page.getByText(/status cannot be sideways; use one of up, down, fenced, lost/)).toBeVisible()
  await expect.poll(() => hosts(page)).toContain('std-01')
})

test('a click on a count lists those hosts, and the next click lists all again', async ({ page }) => {
  await page.goto('/hosts')
  const never = page.getByRole('group', { name: 'Hosts by state' }).getByRole('button', { name: /never answered/ })
  await expect(never).toHaveText(/^1/)
  // Hosts with problems come first by default; another spec may have left a second one.
  await expect.poll(async () => (await hosts(page)).slice(0, 3)).toContain('std-07')
  await never.click()
  await expect(never).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('button', { name: 'Remove filter status:never-answered' })).toBeVisible()
  await expect.poll(() => hosts(page)).toEqual(['std-07'])
  await never.click()
  await expect(page).not.toHaveURL(/q=/)
  await expect.poll(async () => (await hosts(page)).length).toBeGreaterThan(5)
})

test('rows sort by several columns, by keyboard, in the address', async ({ page }) => {
  await page.goto('/hosts')
  const head = (name: RegExp) => table(page).getByRole('columnheader', { name }).getByRole('button')
  await head(/^Zone/).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/sort=zone/)
  await head(/^Host/).focus()
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.press('Shift+Enter')
  await expect(page).toHaveURL(/sort=zone(,|%2C)-name/)
  await expect(head(/^Host.*sort key 2, descending/)).toBeVisible()
  const rows = async () => (await readTable(table(page))).map((row) => [row.Zone1 ?? row.Zone ?? '', row.Host ?? ''])
  await expect.poll(async () => (await rows()).length).toBeGreaterThan(5)
})

test('the address keeps the columns, and an export has every row with the visible ones', async ({ page }) => {
  await page.goto('/instances?cols=name,project')
  const instances = table(page, 'Instances')
  // Two columns, after the one with the checkboxes.
  await expect(instances.getByRole('columnheader')).toHaveCount(3)
  const total = Number(/(\d+) rows/.exec(await page.getByText(/^[\d ,of]* rows$/).innerText())?.[1])
  await page.getByRole('button', { name: 'Export rows' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /As JSON/ }).click(),
  ])
  const rows = JSON.parse(await readFile(await file.path(), 'utf8')) as Record<string, unknown>[]
  expect(rows).toHaveLength(total)
  expect(Object.keys(rows[0] ?? {})).toEqual(['name', 'nameId', 'project'])
  expect(file.suggestedFilename()).toBe('instances.json')
})

test('a user saves, shares, opens and removes a view', async ({ page, second }) => {
  const name = `Silent hosts ${randomUUID().slice(0, 8)}`
  await page.goto('/hosts?q=status%3Adown&cols=name,status')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: /Save this view/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Save this view' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByText('Share with everyone').click()
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(dialog).toBeHidden()

  await second.goto('/hosts')
  await second.getByRole('button', { name: 'Views' }).click()
  await second.getByRole('menuitem', { name: new RegExp(name) }).click()
  await expect(second).toHaveURL(/q=status%3Adown/)
  await expect(second.getByRole('button', { name: 'Remove filter status:down' })).toBeVisible()
  await expect(table(second).getByRole('columnheader')).toHaveCount(2)

  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: /Remove a view/ }).click()
  await page.getByRole('button', { name: `Remove ${name}` }).click()
  await expect(page.getByRole('dialog').getByText(name)).toBeHidden()
})
