import type { Page } from '@playwright/test'
import { instanceNamed, queryApi, startMigration } from '../api'
import { expect, test } from '../console'
import { expectRow, readTable } from '../table'
import { attemptOf } from './attempt'
import { countClicks, expectWithin } from './budget'

// S5 at its specified size: fifty migrations await confirmation. The list shows what each one holds twice and for how
// long. They are confirmed together, and a single one takes two clicks.

const MANY = 50
const CARRIED_WITHIN_MS = 300_000

test('a bulk confirm of fifty waiting migrations shows the result of each', async ({ page }, info) => {
  const hundred = `web-${3 + attemptOf(info)}`
  const names = Array.from({ length: MANY }, (_, n) => `${hundred}${String(n + 1).padStart(2, '0')}`)
  for (const name of names) await startMigration(page.request, name, { operation: 'cold-migrate' })
  await expect
    .poll(() => waitingFor(page, hundred), { timeout: CARRIED_WITHIN_MS, message: 'migrations in verify' })
    .toBe(MANY)

  await page.goto(`/migrations?view=waiting&q=instance%3A${hundred}*`)
  const waiting = page.getByRole('table', { name: 'Migrations, Waiting' })
  await expect(waiting).toHaveAttribute('aria-rowcount', String(MANY + 1))
  for (const row of await readTable(waiting)) {
    expect(row).toMatchObject({
      'Held on both hosts': expect.stringMatching(/vCPUs?, .*GiB/),
      'Held for': expect.stringMatching(/\d/),
    })
  }
  const clicks = await countClicks(page)
  await page.getByRole('checkbox', { name: 'Select all rows shown' }).press('Space')
  await page.getByRole('button', { name: `Confirm ${MANY}` }).click()
  const dialog = page.getByRole('alertdialog', { name: `Confirm ${MANY} migrations` })
  await expect(dialog).toContainText('Frees')
  await dialog.getByRole('button', { name: `Confirm ${MANY} migrations` }).click()
  await expectWithin(clicks, 3, 'confirm fifty migrations, choosing them included')
  // Then fifty sources are cleaned up, which takes a while on a busy machine.
  await expect(page.getByText('No migration is waiting')).toBeVisible({ timeout: CARRIED_WITHIN_MS })
  const ended = { view: 'history', where: [{ key: 'instance', any: names.slice(0, 20) }] }
  const completed = async () => {
    const { rows } = await queryApi<{ rows: readonly { outcome: string }[] }>(page.request, 'migration.list', ended)
    return rows.filter(({ outcome }) => outcome === 'completed').length
  }
  await expect.poll(completed, { timeout: CARRIED_WITHIN_MS }).toBe(20)
})

test('two clicks revert a same-host resize and restore its old units', async ({ page }, info) => {
  const single = `web-${400 + attemptOf(info)}`
  const { id: instance } = await instanceNamed(page.request, single)
  const held = async () =>
    (
      await queryApi<{ claims: readonly { host: { id: string; name: string }; held: object }[] }>(
        ...([page.request, 'instance.byId', { id: instance }] as const),
      )
    ).claims.map(({ host, held }) => ({ host, held }))
  const before = await held()
  const { host } = before[0] ?? { host: { id: '', name: '' } }
  const id = await startMigration(page.request, single, { operation: 'resize', flavor: 's1.large', host: host.id })
  await page.goto(`/migrations/${id}`)
  await expect(page.getByRole('main')).toContainText('awaiting confirm or revert')
  await expect(page.getByRole('main')).toContainText(/Claimed on both sides: .*, for/)
  const clicks = await countClicks(page)
  await page.getByRole('button', { name: 'Revert', exact: true }).click()
  const dialog = page.getByRole('alertdialog', { name: `Revert ${single}` })
  await expect(dialog).toContainText('Keeps')
  await dialog.getByRole('button', { name: `Revert ${single}` }).click()
  await expectWithin(clicks, 2, 'revert a migration')
  await expectRow(page.getByRole('table', { name: 'Steps' }), { Step: 'verify', Result: 'rolled back' })
  await expect(page.getByRole('main').locator('[aria-current=step]')).toContainText('reverted')
  await expect.poll(held).toEqual(before)
})

async function waitingFor(page: Page, hundred: string): Promise<number> {
  const where = [
    { key: 'instance', any: [`${hundred}*`] },
    { key: 'step', any: ['verify'] },
  ]
  return (await queryApi<{ total: number }>(page.request, 'migration.list', { view: 'waiting', where })).total
}
