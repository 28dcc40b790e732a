import type { APIRequestContext } from '@playwright/test'
import { mutateApi, queryApi } from './api'
import { expect, test } from './console'
import { openHost, openInstance, openMigrateDrawer } from './operator-actions'
import { readTable } from './table'

// Shared storage: a host joins and leaves it on its Facts tab, and a live migration says what happens to the disk.

// No other spec uses this host or an instance on it.
const HOST = 'std-10'
const WHY = 'disks move to the filer'

test('a host joins new shared storage only when it has no disks to lose, and leaves it again', async ({ page }) => {
  await openHost(page, HOST, 'Facts')
  const facts = page.getByRole('tabpanel', { name: 'Facts' })
  const join = page.getByRole('alertdialog', { name: `Join shared storage: ${HOST}` })
  const tryToJoin = async () => {
    await facts.getByRole('button', { name: 'Join shared storage' }).click()
    await join.getByRole('textbox', { name: 'Name' }).fill('nfs-e2e')
    await join.getByRole('textbox', { name: 'Size (GiB)' }).fill('500')
    await join.getByRole('textbox', { name: 'Reason' }).fill(WHY)
    await join.getByRole('button', { name: 'Join shared storage' }).click()
  }
  await test.step('a host with disks is refused, with what to do first', async () => {
    await tryToJoin()
    await expect(join.getByRole('alert')).toContainText(/\d+ disks are on the host.*Drain the host/s)
    await join.getByRole('button', { name: 'Cancel' }).click()
  })
  await drain(page.request)
  await tryToJoin()
  await expect(facts.getByText('nfs-e2e: 0 of 500 GiB in use')).toBeVisible()

  await facts.getByRole('button', { name: 'Leave shared storage' }).click()
  const leave = page.getByRole('alertdialog', { name: `Leave shared storage: ${HOST}` })
  await leave.getByRole('textbox', { name: 'Remaining local disk (GiB)' }).fill('1000')
  await leave.getByRole('textbox', { name: 'Reason' }).fill(WHY)
  await leave.getByRole('button', { name: 'Leave shared storage' }).click()
  await expect(facts.getByText('none: disks are local')).toBeVisible()
})

async function drain(api: APIRequestContext): Promise<void> {
  const { rows } = await queryApi<{ rows: readonly { id: string }[] }>(api, 'host.list', {
    where: [{ key: 'host', any: [HOST] }],
  })
  const host = rows[0]?.id
  const plan = { kind: 'drain', host, fallback: 'cold', helpers: false, reason: WHY }
  const { run: id } = await mutateApi<{ run: string }>(api, 'run.plan', plan)
  await mutateApi(api, 'run.start', { id, reason: WHY })
  await expect.poll(async () => (await queryApi<{ state: string }>(api, 'run.byId', { id })).state).toBe('done')
}

test('the drawer and the link keep the storage mode of a live migration, which decides what fits', async ({ page }) => {
  await openInstance(page, 'cache-04')
  const drawer = await openMigrateDrawer(page, 'Live-migrate', 'cache-04')
  const verdicts = drawer.getByRole('table', { name: 'Verdict' })
  const taking = async () => (await readTable(verdicts)).filter(({ Verdict }) => Verdict === 'ok').length
  const choose = async (mode: string) => {
    await drawer.getByRole('button', { name: /Storage/ }).click()
    await page.getByRole('option', { name: new RegExp(`^${mode}`) }).click()
  }
  await expect.poll(taking).toBeGreaterThan(0)
  // No host of the fleet shares storage, so only a copy of the disk can work.
  await choose('Shared')
  await expect(page).toHaveURL(/storage=shared/)
  await expect.poll(taking).toBe(0)
  await expect(verdicts.getByText(/storage not shared/).first()).toBeVisible()
  await page.reload()
  await expect(drawer.getByRole('button', { name: /Storage/ })).toContainText('Shared')
  await choose('Block')
  await expect(page).toHaveURL(/storage=block/)
  await expect.poll(taking).toBeGreaterThan(0)
})
