import { expect, test } from './console'
import { holdingsOf, openHost, openInstance, stepOf, wish } from './moves'
import { expectRow } from './table'

// S4. db-01 of the demo fleet writes faster than its network sends, so its live move never ends by itself.

test('a live move that does not converge is aborted, and its source holds everything again', async ({ page }) => {
  await openInstance(page, 'db-01')
  const held = await holdingsOf(page)
  const source = held.find(({ mark }) => mark === 'outgoing')
  const target = held.find(({ mark }) => mark === 'incoming')
  expect(source?.cpus).toHaveLength(4)
  expect(target?.cpus).toHaveLength(4)

  await test.step('the figures say that it will not end', async () => {
    await page.getByRole('main').getByRole('link', { name: 'live migration' }).click()
    await expect(stepOf(page)).toContainText('transfer')
    await page.getByRole('tab', { name: 'Transfer' }).click()
    await expect(page.getByText('The guest writes as fast as it is copied; it will not end by itself.')).toBeVisible()
    for (const figure of ['Remaining', 'Dirty rate', 'Bandwidth', 'Iteration', 'Downtime']) {
      await expect(page.getByRole('term').filter({ hasText: figure })).toBeVisible()
    }
  })

  await test.step('the abort says what it frees, and is shown as asked, accepted, effective', async () => {
    await page.getByRole('button', { name: 'Abort', exact: true }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Abort db-01' })
    await expect(dialog).toContainText(`${target?.host} 4 pinned CPUs, 8 GiB`)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await wish(page, 'Abort', 'db-01')
    for (const stage of ['asked', 'accepted', 'effective']) {
      await expect(
        page
          .getByRole('main')
          .getByTitle(/^\d\d:\d\d:\d\d/)
          .filter({ hasText: stage }),
      ).toBeVisible()
    }
  })

  await test.step('it ends at its source', async () => {
    await expect(stepOf(page)).toContainText('aborted')
    await page.getByRole('tab', { name: 'Timeline' }).click()
    const steps = page.getByRole('table', { name: 'Steps' })
    await expectRow(steps, { Step: 'transfer', Heading: 'going forward', Result: 'turned back' })
    await expectRow(steps, { Step: 'switch', Heading: 'turning back to the source', Result: 'done' })
  })

  await test.step('the source holds the same places, the target nothing', async () => {
    await page.getByRole('main').getByRole('link', { name: 'db-01' }).click()
    await expect.poll(() => holdingsOf(page)).toEqual([{ ...source, mark: 'held' }])
    await openHost(page, target?.host ?? '', 'Claims')
    await expect(page.getByRole('table', { name: 'Claims' })).toBeVisible()
    await expect(page.getByRole('tabpanel').getByRole('link', { name: 'db-01' })).toHaveCount(0)
  })
})
