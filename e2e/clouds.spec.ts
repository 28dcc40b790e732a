import fs from 'node:fs'
import type { Page } from '@playwright/test'
import { writesIn } from './cloud-console'
import { expect, test } from './console'
import { expectAccessibleAndFitting } from './horizontal-scroll'
import { ReplayedCloud } from './replayed-cloud'

// A cloud is added from its clouds.yaml, watched and audited. Only GET requests and the sign-in reach it.

const cloud = new ReplayedCloud()
let files: { readonly clouds: string; readonly secure: string }

test.describe.configure({ mode: 'serial' })
test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.beforeAll(async () => {
  files = await cloud.start()
})
test.afterAll(() => cloud.stop())

const drawer = (page: Page) => page.getByRole('dialog', { name: 'Add cloud' })
const button = (page: Page, name: string) => drawer(page).getByRole('button', { name, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) })

async function openCloud(page: Page): Promise<void> {
  await page.goto('/clouds')
  await page.getByRole('link', { name: 'prod', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'prod' })).toBeVisible()
}

test('an admin adds a cloud from its files by keyboard and sees every step of the probe', async ({ page }) => {
  await page.goto('/clouds')
  await expect(page.getByText('No cloud is watched')).toBeVisible()
  await expectAccessibleAndFitting(page, 'clouds: none')
  await page.getByRole('button', { name: 'Add cloud' }).first().press('Enter')
  await drawer(page).getByLabel('clouds.yaml', { exact: true }).fill(files.clouds)
  await drawer(page)
    .getByLabel(/^secure.yaml/)
    .fill(files.secure)
  await expectAccessibleAndFitting(page, 'add cloud: files')
  await button(page, 'Read files').press('Enter')
  await expect(drawer(page).getByRole('button', { name: /Cloud/ }).first()).toContainText('replayed')
  await expectAccessibleAndFitting(page, 'add cloud: choice')
  await button(page, 'Probe cloud').press('Enter')
  for (const [step, says] of [
    ['Sign-in', 'reader'],
    ['Nova', 'microversions 2.1 to 2.93'],
    ['Allocations', 'readable, 3 providers'],
  ] as const)
    await expect(
      drawer(page)
        .getByRole('listitem')
        .filter({ hasText: new RegExp(`^${step}`) }),
    ).toContainText(says)
  await expect(drawer(page).getByText(/Nova has no API for them/)).toBeVisible()
  await expectAccessibleAndFitting(page, 'add cloud: probe')
  await drawer(page).getByLabel('Name in Berth').fill('prod')
  await drawer(page).getByLabel('Reason').fill('we run it')
  await button(page, 'Add prod').press('Enter')
  await expect(page).toHaveURL(/\/clouds\/[0-9a-f-]{36}$/)
  await expect(page.getByText('Healthy: no findings among 6 instances on 3 hosts.')).toBeVisible()
  await expect(page.getByText('read-only', { exact: true }).first()).toBeVisible()
  await expectAccessibleAndFitting(page, 'cloud: overview')
  for (const secret of ['replayed-password', 'replayed-token']) expect(await page.content()).not.toContain(secret)
})

test('a cloud lists its hosts, instances and migrations, and changes in it appear', async ({ page }) => {
  await openCloud(page)
  await tab(page, 'Hosts').click()
  const hosts = page.getByRole('table', { name: 'Hosts of the cloud' })
  await expect(hosts.getByRole('row')).toHaveCount(4)
  await expect(hosts.getByRole('row').nth(1)).toContainText('cmp1')
  await expectAccessibleAndFitting(page, 'cloud: hosts')
  await tab(page, 'Instances').click()
  await page.getByLabel('Filter instances').fill('host:cmp2')
  const instances = page.getByRole('table', { name: 'Instances of the cloud' })
  await expect(instances.getByRole('row')).toHaveCount(3)
  await expectAccessibleAndFitting(page, 'cloud: instances')
  cloud.change('migrate')
  await tab(page, 'Migrations').click()
  const migrations = page.getByRole('table', { name: 'Migrations of the cloud' })
  await expect(migrations.getByRole('row').nth(1)).toContainText('running')
  await expectAccessibleAndFitting(page, 'cloud: migrations')
  cloud.change('end')
  await expect(migrations.getByRole('row').nth(1)).toContainText('completed')
})

test('a lost allocation appears as a finding with evidence, and its repair downloads as a script', async ({ page }) => {
  cloud.change('lose')
  await openCloud(page)
  await tab(page, 'Findings').click()
  const row = page.getByRole('row').filter({ hasText: 'An instance has no allocation' })
  // Two polls that are at least half a minute apart must agree.
  await expect(row).toBeVisible({ timeout: 120_000 })
  await row.press('Enter')
  const pane = page.getByRole('complementary', { name: 'Repair' })
  await expect(pane.getByText('the instance holds nothing')).toBeVisible()
  await expect(pane.getByText('placement POST /allocations (1.28)')).toBeVisible()
  await expectAccessibleAndFitting(page, 'cloud: finding')
  await page.getByRole('button', { name: 'Review repair plan' }).click()
  const plan = page.getByRole('dialog', { name: 'Repair plan' })
  await expect(plan.getByText(/Nothing is sent/)).toBeVisible()
  await expectAccessibleAndFitting(page, 'cloud: plan')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    plan.getByRole('button', { name: 'Download script' }).click(),
  ])
  const script = fs.readFileSync(await download.path(), 'utf8')
  expect(script).toContain('openstack --os-placement-api-version 1.28 resource provider allocation set')
  expect(download.suggestedFilename()).toBe('repair-prod.sh')
})

test('the cloud received only GETs and the sign-in', () => {
  expect(cloud.log.length).toBeGreaterThan(50)
  expect(writesIn(cloud.log)).toEqual([])
})
