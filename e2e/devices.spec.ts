import { expect, test } from './console'
import { openHost } from './operator-actions'
import { readTable } from './table'

// Devices: from a kind to its cards and functions, with current and past holders.

test('a click on a kind narrows the functions, and a second click shows all again', async ({ page }) => {
  await page.goto('/devices')
  const kinds = page.getByRole('table', { name: 'Kinds' })
  const functions = page.getByRole('table', { name: 'Functions' })
  const label = await kinds.getByRole('row').nth(1).getByRole('button').innerText()
  await kinds.getByRole('row').nth(1).click()
  await expect(page).toHaveURL(/q=label/)
  const others = async () => (await readTable(functions)).filter((row) => !row.Kind?.startsWith(label))
  await expect.poll(others).toEqual([])
  await kinds.getByRole('row').nth(1).click()
  await expect(page).not.toHaveURL(/q=label/)
})

test('a function shows its card and holders, and links to the host map and back', async ({ page }) => {
  await page.goto('/devices?q=state%3Aheld')
  const functions = page.getByRole('table', { name: 'Functions' })
  await functions.getByRole('row').nth(1).click()
  const panel = page.getByRole('complementary', { name: 'Device' })
  await expect(panel).toContainText('Holders, newest first')
  await panel.getByRole('link', { name: 'Show on the host map' }).click()
  await expect(page).toHaveURL(/\/hosts\/.*unit=/)
  await page.getByRole('link', { name: 'Device history' }).click()
  await expect(panel).toContainText('now')
})

test('the past holders of a core are two clicks from its host', async ({ page }) => {
  await openHost(page, 'gpu-02')
  await page.goto(`${page.url()}?unit=cpu:6`)
  await page.getByRole('link', { name: 'CPU history' }).click()
  await expect(page.getByRole('complementary', { name: 'CPU' })).toContainText('History starts')
})
