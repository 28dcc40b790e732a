import { JOURNEYS_PORT } from '../address'
import { expect, test } from '../console'
import { orphanFunction } from '../direct-sql'
import { countClicks, expectWithin } from './budget'
import { WHY } from './confirm'
import { runJourneysSql } from './direct-sql'

// S10: a VF is never freed. An alert names the function; its link opens the host and shows the holder, and the repair
// is two clicks away.

test('the link of an alert leads to an orphaned VF, and a repair frees it', async ({ page }) => {
  const held = await orphanFunction(JOURNEYS_PORT, 'std-%')
  await page.goto('/heal')
  await page.getByRole('button', { name: 'Audit now' }).click()
  await expect(page.getByText(/^Audited in/)).toBeVisible({ timeout: 240_000 })

  await page.goto(`/hosts/${held.host}?unit=${encodeURIComponent(held.unit)}`)
  const clicks = await countClicks(page)
  const place = page.getByRole('region', { name: 'Findings' }).filter({ hasText: `Findings at ${held.unit}` })
  await expect(place).toContainText('orphaned claim')
  await place.getByRole('button', { name: 'Review repair' }).first().click()
  await expect(page.getByRole('region', { name: /^Part 1/ })).toContainText(held.unit)
  await expectWithin(clicks, 2, 'a way out')
  await page.getByRole('textbox', { name: 'Reason' }).fill(WHY)
  await page.getByRole('button', { name: 'Apply 1 part' }).click()
  await expect(page.getByText('1 part applied')).toBeVisible()
  const rows = await runJourneysSql('select 1 from unit_holding where unit_id = $1', [held.id])
  expect(rows).toEqual([])
})
