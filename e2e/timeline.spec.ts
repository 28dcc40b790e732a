import { expect, test } from './console'
import { readTable } from './table'

// The timeline of a migration (N1, N15) by keyboard: web-02 of the demo fleet is resized on its own host and awaits
// confirm or revert. Keys step through the chart bar by bar, and its table says the same.

const TITLE = 'Steps and claims of each side'

test('keys walk the timeline, and its table has the same content', async ({ page }) => {
  await page.goto('/migrations?view=waiting&q=instance%3Aweb-02')
  await page.getByRole('table').getByRole('link', { name: 'web-02', exact: true }).click()
  const picture = page.getByRole('figure', { name: TITLE })
  const bars = picture.getByRole('button')
  await expect(bars.filter({ hasText: 'verify' })).toBeVisible()

  await page.getByRole('radiogroup', { name: TITLE }).getByRole('radio', { name: 'Picture' }).focus()
  await page.keyboard.press('Tab')
  const focused = page.locator(':focus')
  await expect(focused).toHaveAccessibleName(/^claim, forward, from \d\d:\d\d:\d\d, /)
  await page.keyboard.press('ArrowRight')
  await expect(focused).toHaveAccessibleName(/^prepare, /)
  await page.keyboard.press('End')
  await expect(focused).toHaveAccessibleName(/^verify, .*still running$/)
  await expect(picture).toContainText('still running')
  await page.keyboard.press('ArrowDown')
  await expect(focused).toHaveAccessibleName(/^held by the migration: 2 vCPUs, 4 GiB/)
  await page.keyboard.press('ArrowDown')
  await expect(focused).toHaveAccessibleName(/^held by the instance: 4 vCPUs, 8 GiB/)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowLeft')
  await expect(focused).toHaveAccessibleName(/^held by the instance: 2 vCPUs, 4 GiB/)

  const drawn = await bars.evaluateAll((all) => all.map((bar) => bar.getAttribute('aria-label') ?? ''))
  await page.getByRole('radiogroup', { name: TITLE }).getByRole('radio', { name: 'Table' }).press('Space')
  await expect(page).toHaveURL(/[?&]as=table/)
  const rows = await readTable(page.getByRole('table', { name: TITLE }))
  expect(rows).toHaveLength(drawn.length)
  for (const [at, row] of rows.entries()) expect(drawn[at]).toMatch(new RegExp(`^${row.Content}, `))
  expect(rows.filter((row) => row.Lane?.startsWith('source: ')).length).toBe(2)
})

test('each source reports the instance with its age, and the raw data are available', async ({ page }) => {
  await page.goto('/migrations?view=waiting&q=instance%3Aweb-02')
  await page.getByRole('table').getByRole('link', { name: 'web-02', exact: true }).click()
  await page.getByRole('tab', { name: 'Facts' }).click()
  const facts = page.getByRole('table', { name: 'Facts by source' })
  await expect.poll(async () => (await readTable(facts)).length).toBeGreaterThan(2)
  const rows = await readTable(facts)
  expect(rows.map((row) => row.Source)).toEqual(
    expect.arrayContaining(['Records, source', 'Allocations, source', 'Hypervisor, source']),
  )
  for (const row of rows) expect(row.Age).not.toBe('')
  await page.getByRole('tab', { name: 'Raw data' }).click()
  await expect(page.getByRole('region', { name: 'Raw data' })).toContainText('"operation": "resize"')
})
