import { expect, test } from './console'
import { readTable } from './table'

// The fleet heatmap for a custom shape: how many more fit where, by keyboard and as a table.

test('the heatmap shows capacity for a typed shape, and its table has the same totals', async ({ page }) => {
  await page.goto('/overview')
  await page.getByRole('radio', { name: 'Free capacity for' }).click()
  await expect(page.getByText('Choose a flavor or enter a custom size')).toBeVisible()
  await page.getByRole('radio', { name: 'Custom' }).click()
  const cpus = page.getByRole('textbox', { name: 'vCPUs' })
  await cpus.fill('12')
  await page.getByRole('textbox', { name: /^Extra specs/ }).fill('hw:cpu_policy=dedicated')
  await expect(page).toHaveURL(/vcpus=12/)
  const squares = page.getByRole('link', { name: /more of the custom size/ })
  await expect(squares.first()).toBeVisible()
  const summary = page.getByRole('status').filter({ hasText: 'more of the custom size' })
  await expect(summary).toContainText('Largest similar shape')

  await page.getByRole('radio', { name: 'Table' }).click()
  const fleet = page.getByRole('table', { name: 'Fleet' })
  await expect.poll(async () => (await readTable(fleet)).length).toBe(24)
  // Both show the query of the last field once it has run, so each attempt reads both.
  await expect(async () => {
    const rows = await readTable(fleet)
    const sum = rows.reduce(
      (all, row) => all + Number(row['Free capacity for'] === '–' ? 0 : row['Free capacity for']?.replace(/,/g, '')),
      0,
    )
    const text = (await summary.innerText()).replace(/,/g, '')
    const [, onAnswering] = /(\d+) more of the custom size/.exec(text) ?? []
    const [, onSilent = '0'] = /and (\d+) on \d+ hosts? that (?:does|do) not answer/.exec(text) ?? []
    expect(Number(onAnswering) + Number(onSilent)).toBe(sum)
  }).toPass()
  await summary.getByRole('link', { name: 'Explain why not elsewhere' }).click()
  await expect(page.getByRole('textbox', { name: 'vCPUs' })).toHaveValue('12')
})

test('the squares are one tab stop, arrow keys walk them, and Enter opens the host', async ({ page }) => {
  await page.goto('/overview?shade=memoryMib')
  const squares = page.getByRole('region', { name: 'Fleet' }).locator('[data-place]')
  await expect(squares).toHaveCount(24)
  await expect(squares.and(page.locator('[tabindex="0"]'))).toHaveCount(1)
  await squares.first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(squares.nth(1)).toBeFocused()
  await page.keyboard.press('End')
  await expect(squares.last()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(squares.last()).not.toBeFocused()
  await page.keyboard.press('Home')
  await expect(squares.first()).toBeFocused()
  const name = ((await squares.first().getAttribute('aria-label')) ?? '').split(',')[0] ?? ''
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})
