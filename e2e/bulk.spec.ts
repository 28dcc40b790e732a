import { endMigrationsOf, mutateApi, queryApi, startMigration } from './api'
import { expectAccessible } from './axe'
import { expect, test } from './console'
import { expectRow, rowNamed } from './table'

// A bulk action applies to each migration separately. Two are confirmed together, but another user has reverted one of
// them: the other one is still confirmed, and the results say which one was not, and why.

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('confirming two migrations of which one has gone shows a result for each', async ({ page, second }) => {
  const [stays, goes] = ['api-02', 'api-03'] as const
  await endMigrationsOf(page.request, stays, goes)
  const ids: string[] = []
  for (const name of [stays, goes]) ids.push(await startMigration(page.request, name, { operation: 'cold-migrate' }))
  await page.goto('/migrations?view=waiting&q=instance%3Aapi-*')
  const waiting = page.getByRole('table', { name: 'Migrations, Waiting' })
  for (const name of [stays, goes]) {
    await expectRow(waiting, {
      Instance: name,
      'Waiting for': 'awaiting confirm or revert',
      'Held on both hosts': '4 vCPUs',
      'Held for': /\d/,
    })
  }
  // Selecting rows freezes the list: later rows appear on request only.
  for (const name of [stays, goes]) await rowNamed(waiting, name).getByRole('checkbox').press('Space')
  await page.getByRole('button', { name: 'Confirm 2' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Confirm 2 migrations' })
  await expect(dialog).toContainText('Frees')

  await mutateApi(second.request, 'migration.requestAction', { ids: [ids[1]], requestedAction: 'revert' })
  const outcome = async () =>
    (await queryApi<{ outcome: string }>(second.request, 'migration.byId', { id: ids[1] })).outcome
  await expect.poll(outcome).toBe('reverted')
  await dialog.getByRole('button', { name: 'Confirm 2 migrations' }).click()

  const results = page.getByRole('dialog', { name: 'Confirm: 1 accepted, 1 not' })
  const table = results.getByRole('table', { name: 'Result per migration' })
  await expectRow(table, {
    'Migration of': goes,
    Result: 'not accepted',
    Why: /./,
    'Not changed': 'Nothing was released.',
  })
  await expectRow(table, { 'Migration of': stays, Result: 'accepted', 'Not changed': '–' })
  await expectAccessible(page, 'results of several migrations')
  await table.getByRole('link', { name: goes }).click()
  await expect(page.getByRole('heading', { level: 1, name: `${goes}: cold migration` })).toBeVisible()

  await page.goto('/migrations?view=history&q=instance%3Aapi-*')
  const history = page.getByRole('table', { name: 'Migrations, History' })
  await expectRow(history, { Instance: stays, Step: 'completed' })
  await expectRow(history, { Instance: goes, Step: 'reverted' })
})
