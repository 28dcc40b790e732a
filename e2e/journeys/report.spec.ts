import fs from 'node:fs'
import { startMigration } from '../api'
import { expect, test } from '../console'
import { readTable } from '../table'
import { countClicks, expectWithin } from './budget'

// S12, the day after: what a colleague or a vendor needs about one migration, as files: its support bundle, and who
// requested what, from where and why.

const BUNDLE_LIMIT_MS = 5_000
const INSTANCE = 'web-12'

test('six clicks save the support bundle and the audit log of a migration', async ({ page }, info) => {
  const id = await startMigration(page.request, INSTANCE, { operation: 'live-migrate' })
  await page.goto(`/migrations?view=history&q=instance%3A${INSTANCE}`)
  const clicks = await countClicks(page)
  // Newest first.
  await page.locator(`tr[data-row] a[href$="${id}"]`).click()

  const asked = Date.now()
  const bundle = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Support bundle' }).click()
  const saved = fs.readFileSync(await (await bundle).path(), 'utf8')
  info.annotations.push({ type: 'figure', description: `the bundle was saved in ${Date.now() - asked} ms` })
  expect(Date.now() - asked).toBeLessThan(BUNDLE_LIMIT_MS)
  expect(saved.includes(id), 'the bundle is about the migration').toBe(true)
  await expectWithin(clicks, 2, 'save the support bundle')

  await page.getByRole('tab', { name: 'Events' }).click()
  await page.getByRole('link', { name: 'Audit log entries' }).click()
  const entries = page.getByRole('table', { name: 'Audit log' })
  await expect.poll(async () => (await readTable(entries)).map((row) => row.Action)).toContain('migration accepted')
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export rows' }).click()
  await page.getByRole('menuitem', { name: /CSV/ }).click()
  expect(fs.readFileSync(await (await file).path(), 'utf8')).toContain('migration.accepted')
  await expectWithin(clicks, 6, 'save the audit log of the migration')
})
