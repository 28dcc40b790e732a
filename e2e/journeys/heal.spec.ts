import type { Page } from '@playwright/test'
import { JOURNEYS_PORT } from '../address'
import { expect, test } from '../console'
import { changeAmount, dropAmount } from '../direct-sql'
import { expectRow, readTable, rowNamed } from '../table'
import { countClicks, expectWithin } from './budget'

// S8: rows edited by mistake are found, shown as a diff, repaired by exactly that diff, and undone. Findings about
// active migrations are listed and locked.

const WHY = 'ticket 4711: rows edited by hand'

/** Only findings of these edits, because other specs leave findings on this fleet. */
const FINDINGS = '/heal?q=kind%3Aallocation-missing%2Camount-wrong'

test('the audit finds rows edited by SQL, and a repair is applied, undone and applied again', async ({ page }) => {
  await dropAmount(JOURNEYS_PORT, { instance: 'api-101', resourceClass: 'MEMORY_MB' })
  await changeAmount(JOURNEYS_PORT, { instance: 'api-102', resourceClass: 'VCPU', by: 3 })
  await changeAmount(JOURNEYS_PORT, { instance: 'db-01', resourceClass: 'MEMORY_MB', by: 1 })
  await auditNow(page)
  const findings = page.getByRole('table', { name: 'Findings' })
  await expectRow(findings, { Instance: 'api-101', Finding: 'allocation missing', Repair: 'Review repair' })
  await expectRow(findings, { Instance: 'api-102', Finding: 'wrong amount allocated', Repair: 'Review repair' })
  await expectRow(findings, { Instance: 'db-01', Finding: 'wrong amount allocated', Repair: 'locked' })
  await expect(rowNamed(findings, 'db-01').getByRole('checkbox')).toBeDisabled()

  const clicks = await countClicks(page)
  await planHeal(page, ['api-101', 'api-102'])
  await expect(page.getByRole('region', { name: /^Part 1/ })).toContainText('MEMORY_MB')
  await apply(page, 'Apply 2 parts')
  await expectWithin(clicks, 4, 'choose two findings and repair them')
  await auditNow(page)
  await expect.poll(() => instancesIn(page)).not.toContain('api-101')

  await test.step('undo is a plan like any other, and restores the old rows', async () => {
    await page.getByRole('tab', { name: 'Repairs' }).click()
    await page.getByRole('table', { name: 'Repairs' }).getByRole('link').first().click()
    await page.getByRole('button', { name: 'Review undo' }).click()
    await apply(page, 'Undo 2 parts')
    await auditNow(page)
    await expectRow(findings, { Instance: 'api-102', Finding: 'wrong amount allocated' })
  })
  await planHeal(page, ['api-101', 'api-102'])
  await apply(page, 'Apply 2 parts')
  await changeAmount(JOURNEYS_PORT, { instance: 'db-01', resourceClass: 'MEMORY_MB', by: -1 })
})

async function auditNow(page: Page): Promise<void> {
  await page.goto(FINDINGS)
  await page.getByRole('button', { name: 'Audit now' }).click()
  await expect(page.getByText(/^Audited in/)).toBeVisible({ timeout: 240_000 })
}

async function planHeal(page: Page, instances: readonly string[]): Promise<void> {
  const findings = page.getByRole('table', { name: 'Findings' })
  for (const name of instances) await rowNamed(findings, name).getByRole('checkbox').first().check({ force: true })
  await page.getByRole('button', { name: /^Review repair of/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Repair of/ })).toBeVisible()
}

async function apply(page: Page, verb: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Reason' }).fill(WHY)
  await page.getByRole('button', { name: verb }).click()
  await expect(page.getByText('2 parts applied')).toBeVisible()
}

const instancesIn = async (page: Page) =>
  (await readTable(page.getByRole('table', { name: 'Findings' }))).map((row) => row.Instance)
