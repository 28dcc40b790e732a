import { expect, test } from './console'
import { readTable, rowNamed } from './table'

// Provider layouts: the conversion state of each host, and its providers before and after.

test('a layout state is a filter, and a host shows its providers now and after conversion', async ({ page }) => {
  await page.goto('/layout?q=host%3Agpu-*')
  const board = page.getByRole('table', { name: 'Hosts by layout state' })
  await expect(rowNamed(board, 'gpu-02')).toBeVisible()
  const state = (await readTable(board)).find((row) => row.Host === 'gpu-02')?.State ?? ''
  const counts = page.getByRole('list', { name: 'States' })
  await counts.getByRole('button', { name: new RegExp(`^${state}`) }).click()
  await expect(page.getByRole('button', { name: `Remove filter state:${state}` })).toBeVisible()
  await expect.poll(async () => new Set((await readTable(board)).map((row) => row.State))).toEqual(new Set([state]))
  await page.getByRole('button', { name: 'Layout of gpu-02' }).click()
  await expect(page.getByRole('dialog').getByRole('table', { name: /^Providers, Now/i })).toBeVisible()
})
