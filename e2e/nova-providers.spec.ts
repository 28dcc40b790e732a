import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { PORT } from './address'
import { expectAccessible } from './axe'
import { expect, test } from './console'
import { registerTree, tokenOf } from './placement'

// Nova registers a compute host through the Placement API, as nova-compute does at its start, and an operator finds it.

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const NAME = `nova-${randomUUID().slice(0, 8)}`
const [ROOT, INSTANCE, MIGRATION] = [randomUUID(), randomUUID(), randomUUID()]

const rowOf = (page: Page, table: string, text: string) =>
  page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text })

test('the console finds a host that Nova registers, with its consumers and what is known of it', async ({
  page,
  request,
}) => {
  await registerTree(request, await tokenOf(PORT, NAME), {
    name: NAME,
    root: ROOT,
    instance: INSTANCE,
    migration: MIGRATION,
  })

  await page.goto('/hosts')
  await page.getByRole('link', { name: 'Provider trees' }).first().click()
  const listed = rowOf(page, 'Provider trees', NAME)
  await expect(listed).toContainText('managed by Nova')
  await expect(listed).toContainText('4 / 64')
  await expectAccessible(page, 'provider trees')

  await listed.getByRole('link', { name: NAME }).click()
  await expect(page.getByRole('heading', { level: 1, name: NAME })).toBeVisible()
  await expect(rowOf(page, 'Tree and inventory', 'VCPU')).toContainText('4 / 64')
  await expect(rowOf(page, 'Consumers', INSTANCE.slice(0, 8))).toContainText('instance')
  await expect(rowOf(page, 'Consumers', MIGRATION.slice(0, 8))).toContainText('migration')
  await expect(rowOf(page, 'What still fits, by amounts', 's1.small')).toContainText('not requested')
  await expect(rowOf(page, 'What still fits, by amounts', 'n2.vf')).toContainText('unknown, needs')
  await expect(rowOf(page, 'Last writes', 'placement provider created')).toContainText(`token ${NAME}`)
  await expectAccessible(page, 'one provider tree')

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill(NAME)
  await page.getByRole('option', { name: NAME }).click()
  await expect(page).toHaveURL(new RegExp(`/providers/${ROOT}`))

  await page.goto('/explain?flavor=n2.vf')
  const fits = page.getByRole('region', { name: 'Trees managed by Nova' })
  await expect(rowOf(page, 'Trees managed by Nova', NAME)).toBeVisible()
  await expect(fits).toContainText('unknown, needs facts about their compute hosts')
  await expectAccessible(page, 'explain, with trees that Nova keeps')

  await page.goto(`/claims?q=provider:${NAME}`)
  await expect(rowOf(page, 'Claims', MIGRATION.slice(0, 8))).toContainText('managed by Nova')
  await page.goto('/capacity')
  await expect(rowOf(page, 'Managed by Nova, by class', 'VCPU')).toBeVisible()
})
