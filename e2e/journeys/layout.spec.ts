import type { Page } from '@playwright/test'
import { expect, test } from '../console'
import { expectRow, rowNamed } from '../table'
import { attemptOf } from './attempt'
import { countClicks, expectWithin } from './budget'
import { confirm } from './confirm'

// S9: nested providers, host by host. One click plans the fleet; each host is converted completely or not at all;
// nothing migrates.

test('one click plans the fleet, one host is converted, and a rollout skips it', async ({ page }, info) => {
  const [one = '', ...others] = [10, 11, 12].map((nth) => `numa4-${nth + 3 * attemptOf(info)}`)
  await page.goto('/layout')
  const board = page.getByRole('table', { name: 'Hosts by layout state' })
  const clicks = await countClicks(page)
  await page.getByRole('button', { name: 'Dry-run the fleet' }).click()
  await expect(page.getByText(/\d+ hosts planned, \d+ blocked/)).toBeVisible({ timeout: 120_000 })
  await expectWithin(clicks, 1, 'plan the whole fleet')

  await open(page, one)
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('table', { name: 'Providers, After' })).toContainText('NUMA')
  await drawer.getByRole('button', { name: `Convert ${one} to nested` }).click()
  expect(await confirm(page, `Convert ${one} to nested`)).toContain('No instance migrates')
  await expect(page.getByText(`${one}: verified`)).toBeVisible()
  await page.keyboard.press('Escape')

  await page.goto('/layout?q=numa4-1')
  for (const host of [one, ...others]) {
    await rowNamed(board, host).getByRole('checkbox').first().check({ force: true })
  }
  await page.getByRole('button', { name: 'Start rollout on 3 hosts' }).click()
  await confirm(page, 'Start rollout on 3 hosts')
  const rollout = page.getByRole('region', { name: 'Rollout' })
  await expect(rollout).toContainText('done', { timeout: 120_000 })
  await expect(rollout).toContainText(/Skipped\s*1/)
  await expectRow(board, { Host: others[0] ?? '', State: 'verified' })
})

async function open(page: Page, host: string): Promise<void> {
  await page.goto(`/layout?q=${host}`)
  await page.getByRole('button', { name: `Layout of ${host}`, exact: true }).click()
}
