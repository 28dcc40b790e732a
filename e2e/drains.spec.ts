import { expect, test } from './console'
import { openHost } from './operator-actions'
import { expectRow } from './table'

// Drains and evacuations as a list.

test('the list of drains shows a plan, filters it, and exports it as shown', async ({ page }) => {
  await openHost(page, 'std-03')
  await page.getByRole('button', { name: 'Drain…' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('a new fan')
  await page.getByRole('button', { name: 'Plan drain' }).click()
  await expect(page.getByRole('table', { name: 'Plan' })).toBeVisible()

  await page.goto('/drains?q=reason%3A*fan+kind%3Adrain&cols=host,state,reason')
  const runs = page.getByRole('table', { name: 'Drains and evacuations' })
  await expectRow(runs, { Host: 'std-03', State: 'planned', Reason: 'a new fan' })
  await expect(runs.getByRole('columnheader')).toHaveCount(3)
  await page.getByRole('button', { name: 'Export rows' }).click()
  await expect(page.getByRole('menuitem', { name: /As CSV/ })).toContainText(/with the visible columns/)
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox', { name: 'Host, person, reason or id' }).fill('-host:std-03 ')
  await expect(page.getByText('No drain matches')).toBeVisible()
})
