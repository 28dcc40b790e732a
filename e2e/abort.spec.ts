import type { Page } from '@playwright/test'
import { ensureMigrating } from './api'
import { expect, test } from './console'
import {
  expectStages,
  type Holding,
  holdingsOf,
  openHost,
  openInstance,
  requestAction,
  stepOf,
} from './operator-actions'
import { expectRow } from './table'

// S4. db-01 of the demo fleet dirties memory faster than the link copies it, so its live migration never converges.

test('aborting a live migration that does not converge restores everything at its source', async ({ page }) => {
  await ensureMigrating(page.request, 'db-01')
  await openInstance(page, 'db-01')
  await expect.poll(async () => (await holdingsOf(page)).length).toBe(2)
  const held = await holdingsOf(page)
  const [source, target] = ['outgoing', 'incoming'].map((mark) => held.find((holding) => holding.mark === mark)!)
  expect(held.map(({ cpus }) => cpus.length)).toEqual([4, 4])

  await page.getByRole('main').getByRole('link', { name: 'live migration' }).click()
  await expect(stepOf(page)).toContainText('transfer')
  await test.step('the figures show that it will not end', () => readFigures(page))
  await test.step('the abort dialog shows what it frees and the progress so far', () => abort(page, target!.host))
  await test.step('the migration ends at its source', async () => {
    await expect(stepOf(page)).toContainText('aborted')
    await page.getByRole('tab', { name: 'Timeline' }).click()
    const steps = page.getByRole('table', { name: 'Steps' })
    await expectRow(steps, { Step: 'transfer', Direction: 'forward', Result: 'rolled back' })
    await expectRow(steps, { Step: 'switch', Direction: 'rolling back to the source', Result: 'done' })
  })
  await test.step('the source holds the same units, the target nothing', () => seeSides(page, source!, target!.host))
})

async function readFigures(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Transfer' }).click()
  await expect(
    page.getByText(
      'Not converging: the instance dirties memory faster than the link copies it. The transfer will not finish on its own.',
    ),
  ).toBeVisible()
  for (const figure of ['Remaining', 'Dirty rate', 'Bandwidth', 'Iteration', 'Downtime']) {
    await expect(page.getByRole('term').filter({ hasText: figure })).toBeVisible()
  }
}

async function abort(page: Page, frees: string): Promise<void> {
  await page.getByRole('button', { name: 'Abort', exact: true }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Abort db-01' })
  await expect(dialog).toContainText(`${frees} 4 pinned CPUs, 8 GiB`)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await requestAction(page, 'Abort', 'db-01')
  await expectStages(page)
}

async function seeSides(page: Page, source: Holding, target: string): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'db-01' }).click()
  await expect.poll(() => holdingsOf(page)).toEqual([{ ...source, mark: 'held' }])
  await openHost(page, target, 'Claims')
  await expect(page.getByRole('table', { name: 'Claims' })).toBeVisible()
  await expect(page.getByRole('tabpanel').getByRole('link', { name: 'db-01' })).toHaveCount(0)
}
