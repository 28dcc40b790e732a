import type { Page } from '@playwright/test'
import { instanceNamed, mutateApi, queryApi } from './api'
import { expect, test } from './console'
import { countClicks, expectWithin } from './journeys/budget'
import { expectStages, setWrites, startSlowly, stepOf } from './operator-actions'
import { readTable } from './table'

// S4: a live migration that does not converge is forced to complete. The chart shows the remaining memory and the dirty
// rate and can be read by keyboard. Once the switch to the target begins, the page says that it cannot be aborted.

const INSTANCE = 'web-07'
const SLOW_BYTES_PER_S = 4_000_000 // so that the switch takes long enough to be seen
const DEFAULT_BYTES_PER_S = 1_250_000_000
const WHY = 'it has to leave before the maintenance window ends'

test('an operator reads a migration that does not converge by keyboard and forces it', async ({ page }) => {
  const { source } = await startSlowly(page, INSTANCE)
  const host = await hostOf(page, source)
  await mutateApi(page.request, 'simulator.fault', { do: 'bandwidth', host, bytesPerS: SLOW_BYTES_PER_S })

  await test.step('the chart works by keyboard, and its table has the same content', () => readChart(page))
  const clicks = await countClicks(page)
  await test.step('the dialog shows the consequences of forcing and requires a reason', () => force(page))
  await expectWithin(clicks, 2, 'force a migration to complete')
  await expect(page.getByText('It cannot be aborted.').first()).toBeVisible()
  await mutateApi(page.request, 'simulator.fault', { do: 'bandwidth', host, bytesPerS: DEFAULT_BYTES_PER_S })
  await expect(stepOf(page)).toContainText('completed')
  await expectStages(page)
  await setWrites(page, INSTANCE, 20)
})

/** Id of the host with this name, which holds a claim of the instance. */
async function hostOf(page: Page, name: string): Promise<string> {
  const { id } = await instanceNamed(page.request, INSTANCE)
  const { claims } = await queryApi<{ claims: readonly { host: { id: string; name: string } }[] }>(
    page.request,
    'instance.byId',
    { id },
  )
  const [claim] = claims.filter(({ host }) => host.name === name)
  if (!claim) throw new Error(`${INSTANCE} holds nothing on ${name}`)
  return claim.host.id
}

async function readChart(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Transfer' }).click()
  const figures = page.getByRole('table', { name: 'Statistics over time' })
  await expect.poll(async () => (await readTable(figures)).length).toBeGreaterThan(3)
  const chart = page.getByRole('slider', { name: 'Remaining against dirty rate' })
  await chart.focus()
  await page.keyboard.press('Home')
  await expect(chart).toHaveAttribute('aria-valuenow', '0')
  const first = (await readTable(figures)).at(-1)
  await expect(chart).toHaveAttribute(
    'aria-valuetext',
    `${first?.['Time, UTC']}, iteration ${first?.Iteration}: ${first?.Remaining} left, dirty ${first?.['Dirty rate']}, bandwidth ${first?.Bandwidth}`,
  )
  await page.keyboard.press('ArrowRight')
  await expect(chart).toHaveAttribute('aria-valuenow', '1')
}

async function force(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Force-complete' }).click()
  const dialog = page.getByRole('alertdialog', { name: `Force-complete ${INSTANCE}` })
  await expect(dialog).toContainText('This cannot be undone.')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(WHY)
  await dialog.getByRole('button', { name: `Force-complete ${INSTANCE}` }).click()
  await expect(dialog).toBeHidden()
}
