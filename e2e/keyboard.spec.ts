import { expect, test } from './console'
import { openHost, openInstance } from './operator-actions'

// The console by keyboard only.

const TRANSPARENT = 'rgba(0, 0, 0, 0)'

test('keys reach the skip link, the pages and the rows of a table', async ({ page }) => {
  await page.goto('/overview')
  await expect(page.getByRole('table', { name: 'Capacity' })).toBeVisible()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()

  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(page.getByRole('heading', { level: 1, name: 'Hosts' })).toBeVisible()
  const current = page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Hosts' })
  await expect(current).toHaveAttribute('aria-current', 'page')

  const rows = page.getByRole('table', { name: 'Hosts' }).locator('tbody').getByRole('row')
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Name or id' })).toBeFocused()
  await page.keyboard.type('numa4')
  await expect(rows).toHaveCount(5)
  // The first Enter finishes the filter, the second one goes to what it found.
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(rows.first()).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(rows.nth(2)).toBeFocused()
  await page.keyboard.press('k')
  await expect(rows.nth(1)).toBeFocused()
  const name = await rows.nth(1).getByRole('link').first().innerText()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('the rows of a table are one tab stop, on a page and in a drawer', async ({ page }) => {
  await page.goto('/hosts')
  const row = page.getByRole('table', { name: 'Hosts' }).locator('tbody').getByRole('row').nth(3)
  await row.focus()
  await page.keyboard.press('Tab')
  await expect(row.getByRole('link').first()).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('columnheader').locator(':focus')).toHaveCount(1)

  await openInstance(page, 'web-03')
  await page.getByRole('main').getByRole('button', { name: 'Live-migrate' }).click()
  const drawer = page.getByRole('dialog', { name: 'Live-migrate web-03' })
  const verdict = drawer.getByRole('table', { name: 'Verdict' }).locator('tbody').getByRole('row').first()
  await verdict.focus()
  await page.keyboard.press('Enter')
  const start = drawer.getByRole('button', { name: /^Live-migrate to / })
  await expect(start).toBeEnabled()
  for (let times = 0; times < 10 && !(await start.evaluate((it) => it === document.activeElement)); times++) {
    await page.keyboard.press('Tab')
  }
  await expect(start).toBeFocused()
})

test('the first Tab reaches the skip link on a page with tabs as well', async ({ page }) => {
  for (const address of ['/settings/catalog', '/migrations?view=history', '/heal?tab=rules']) {
    await page.goto(address)
    await expect(page.getByRole('tabpanel')).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  }
})

test('the map is one tab stop, and arrow keys walk its units', async ({ page }) => {
  await openHost(page, 'std-01')
  const places = page.getByRole('region', { name: /^NUMA node \d/ }).locator('[data-place]')
  await expect(places.first()).toBeVisible()
  await expect(places.and(page.locator('[tabindex="0"]'))).toHaveCount(1)
  await places.first().focus()
  const inspector = page.getByRole('complementary', { name: 'CPU or device' })
  await expect(inspector).toContainText('CPU 0')
  await page.keyboard.press('ArrowRight')
  await expect(places.nth(1)).toBeFocused()
  await expect(inspector).toContainText(/CPU (?!0\b)\d+/)
  await page.keyboard.press('ArrowDown')
  await expect(places.nth(1)).not.toBeFocused()
  await expect(page.locator('[data-place]:focus')).toHaveCount(1)
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/unit=cpu(:|%3A)0/)
  await expect(places.first()).toHaveAttribute('aria-pressed', 'true')
})

test('a drawer traps the focus, and Escape returns it', async ({ page }) => {
  await openInstance(page, 'web-03')
  const opener = page.getByRole('main').getByRole('button', { name: 'Live-migrate' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Live-migrate web-03' })
  await expect(drawer.getByRole('table', { name: 'Verdict' }).getByRole('row').nth(1)).toBeVisible()
  for (let times = 0; times < 20; times++) {
    await page.keyboard.press('Tab')
    await expect(drawer.locator(':focus')).toHaveCount(1)
  }
  // A button with a tooltip would close that first.
  await drawer.getByRole('button', { name: 'Check again' }).focus()
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(opener).toBeFocused()
  await expect(page).not.toHaveURL(/move=/)
})

test('keys open, use and close a menu and a dialog', async ({ page }) => {
  await openHost(page, 'std-02')
  const menu = page.getByRole('button', { name: 'Host actions' })
  await menu.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('End')
  const last = page.getByRole('menuitem', { name: 'Disable scheduling' })
  await expect(last).toBeFocused()
  // Only the background distinguishes the focused entry from the others.
  await expect(last).not.toHaveCSS('background-color', TRANSPARENT)
  await expect(page.getByRole('menuitem').first()).toHaveCSS('background-color', TRANSPARENT)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog', { name: 'Disable scheduling: std-02' })
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(menu).toBeFocused()
})

test('tabs are one tab stop, arrow keys walk them, and Tab leads into their panel', async ({ page }) => {
  await openHost(page, 'std-01')
  const tab = (name: string | RegExp) => page.getByRole('tab', { name })
  await tab('Map').focus()
  await page.keyboard.press('ArrowRight')
  await expect(tab(/^Instances/)).toBeFocused()
  await expect(page.getByRole('tabpanel', { name: /^Instances/ }).getByRole('table')).toBeVisible()
  await expect(page).toHaveURL(/tab=instances/)
  await page.keyboard.press('End')
  await expect(tab('Events')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(tab('Map')).toHaveAttribute('aria-selected', 'true')
  const panel = page.getByRole('tabpanel', { name: 'Map' })
  await expect(panel.locator('[data-place]').first()).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(panel.locator(':focus')).toHaveCount(1)
})

test('the first hovered or focused button shows its tooltip', async ({ page }) => {
  await page.goto('/hosts')
  const columns = page.getByRole('button', { name: 'Columns' })
  await columns.focus()
  await page.keyboard.press('Shift')
  await columns.blur()
  await page.mouse.move(0, 0)
  await columns.hover()
  await expect(page.getByRole('tooltip', { name: 'Columns' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tooltip')).toHaveCount(0)
})
