import { ensureMigrating } from '../api'
import { expect, test } from '../console'
import { lagOf, median, noteMeasurements } from '../lag'
import { expectStages, stepOf } from '../operator-actions'
import { countClicks, expectWithin } from './budget'

// S4 at its specified size: db-01 dirties memory faster than the link copies it. An operator finds the migration in the
// list, reads why it does not converge, and aborts it. Each stage of the abort has its time.

const MEASUREMENTS = 5

test('an operator watches a migration that does not converge and aborts it in four clicks', async ({
  page,
  second,
}, info) => {
  await ensureMigrating(page.request, 'db-01')
  await page.goto('/migrations?q=instance%3Adb-01')
  const clicks = await countClicks(page)
  await page.getByRole('table').getByRole('link', { name: 'db-01', exact: true }).click()
  await expect(stepOf(page)).toContainText('transfer')
  await page.getByRole('tab', { name: 'Transfer' }).click()
  await expect(page.getByText('The transfer will not finish on its own')).toBeVisible()
  for (const figure of ['Remaining', 'Dirty rate', 'Iteration', 'Downtime']) {
    await expect(page.getByRole('term').filter({ hasText: figure })).toBeVisible()
  }
  await second.goto(page.url())
  for (const view of [page, second]) await noteMeasurements(view)
  await expect
    .poll(async () => (await lagOf(page, second)).apart.length, { timeout: 120_000 })
    .toBeGreaterThan(MEASUREMENTS)
  const { delays } = await lagOf(page, second)
  info.annotations.push({ type: 'figure', description: `half of the figures were drawn within ${median(delays)} ms` })

  await page.getByRole('button', { name: 'Abort', exact: true }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Abort db-01' })
  await expect(dialog).toContainText('Frees')
  await dialog.getByRole('button', { name: 'Abort db-01' }).click()
  await expectWithin(clicks, 4, 'abort a migration that does not converge')
  await expectStages(page)
  await expect(stepOf(page)).toContainText('aborted')
})
