import type { Page } from '@playwright/test'
import { PORT } from './address'
import { expect, SIGNED_OUT, test } from './console'
import { lastMeasured, noteMeasurements } from './lag'
import {
  type Holding,
  holdingsOf,
  openHost,
  openInstance,
  openMigrateDrawer,
  requestAction,
  startOn,
  stepOf,
} from './operator-actions'
import { OwnServer } from './server'
import { expectRow, readTable } from './table'
import { ADMIN, signIn } from './users'

// S5. A resize on the instance's own host holds old and new CPUs and devices side by side. The server dies while it
// awaits confirm or revert; the next one on the same database still knows the old resources and reverts to them.

const INSTANCE = 'upf-06'
const OLD_FLAVOR = 'n1.vf' // four pinned CPUs on one NUMA node, a VF
const NEW_FLAVOR = 'n2.vf' // eight on two NUMA nodes, a VF of each network

const RESUMED_WITHIN_MS = 120_000 // the dead server's lease must expire first

const server = new OwnServer(PORT + 1)
let page: Page

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000)
  await server.startAnew()
  const context = await browser.newContext({ baseURL: server.origin, storageState: SIGNED_OUT })
  await signIn(context.request, ADMIN)
  page = await context.newPage()
})

test.afterAll(async () => {
  await page?.context().close()
  await server.stop()
})

test('a same-host resize reverted by another server restores the old CPUs and devices', async () => {
  await openInstance(page, INSTANCE)
  const before = await holdingsOf(page)
  const { host } = before[0] as Holding
  await resizeHere(INSTANCE, { flavor: NEW_FLAVOR, host })
  await expect(stepOf(page)).toContainText('verify')
  const migrationPage = page.url()

  await test.step('both holdings exist, and they share no unit', () => seeBoth(before))

  await test.step('the server dies, and another starts on its database', () => killAndRestart(migrationPage))

  await test.step('the dialog says what is kept, and the revert runs', async () => {
    await requestAction(page, 'Revert', INSTANCE)
    await expect(stepOf(page)).toContainText('reverted')
    await expectRow(page.getByRole('table', { name: 'Steps' }), { Step: 'verify', Result: 'rolled back' })
  })

  await test.step('the instance has its old CPUs and devices, and only those', async () => {
    await openInstance(page, INSTANCE)
    await expect.poll(() => holdingsOf(page)).toEqual(before)
    await expect(page.getByRole('main').getByRole('link', { name: OLD_FLAVOR, exact: true }).first()).toBeVisible()
    await openHost(page, host)
    await expect(page.getByText('Two claims here')).toHaveCount(0)
  })
})

test('a bulk confirm ends all migrations that wait', async () => {
  for (const [name, flavor] of [
    ['upf-08', NEW_FLAVOR],
    ['amf-01', OLD_FLAVOR],
  ] as const) {
    await openInstance(page, name)
    const [{ host }] = (await holdingsOf(page)) as [Holding]
    await resizeHere(name, { flavor, host })
    await expect(stepOf(page)).toContainText('verify')
  }

  await page.goto('/migrations?view=waiting')
  const waiting = page.getByRole('table', { name: 'Migrations, Waiting' })
  const asked = { Operation: 'resize', To: 'same host', Step: 'verify', 'Waiting for': 'awaiting confirm or revert' }
  await expectRow(waiting, { Instance: 'upf-08', ...asked, 'Held on both hosts': '4 pinned CPUs, 8 GiB' })
  await expectRow(waiting, { Instance: 'amf-01', ...asked })
  const names = (await readTable(waiting)).map((row) => row.Instance ?? '')
  await page.getByRole('checkbox', { name: 'Select all rows shown' }).press('Space')
  await page.getByRole('button', { name: `Confirm ${names.length}` }).click()
  const dialog = page.getByRole('alertdialog', { name: `Confirm ${names.length} migrations` })
  await expect(dialog).toContainText('Frees')
  await dialog.getByRole('button', { name: `Confirm ${names.length} migrations` }).click()

  await expect(page.getByText('No migration is waiting')).toBeVisible()
  await page.getByRole('tab', { name: /^History/ }).click()
  const history = page.getByRole('table', { name: 'Migrations, History' })
  for (const name of names) await expectRow(history, { Instance: name, Operation: 'resize', Step: 'completed' })
  await expectRow(history, { Instance: INSTANCE, Operation: 'resize', Step: 'reverted' })
})

async function resizeHere(name: string, { flavor, host }: { flavor: string; host: string }): Promise<void> {
  const drawer = await openMigrateDrawer(page, 'Resize', name)
  await drawer.getByRole('combobox', { name: 'New flavor' }).fill(flavor)
  await page.getByRole('option', { name: flavor }).click()
  await expectRow(drawer.getByRole('table', { name: 'Verdict' }), { Host: `${host} source`, Verdict: 'ok' })
  await startOn(page, drawer, host)
}

/** Both pages stay open: they show that they are offline, and recover without help. */
async function killAndRestart(migrationPage: string): Promise<void> {
  await openInstance(page, 'db-01')
  await page.getByRole('main').getByRole('link', { name: 'live migration' }).click()
  await page.getByRole('tab', { name: 'Transfer' }).click()
  const moving = page
  await noteMeasurements(moving)
  page = await page.context().newPage()
  await page.goto(migrationPage)
  const mark = page.getByRole('banner').getByRole('status')
  await expect(mark).toContainText('Live')

  await server.kill()
  await expect(mark).toContainText('Offline')
  await server.startAgain()
  const upAt = Date.now()
  await expect(mark).toContainText('Live')
  await expect(stepOf(page)).toContainText('verify')
  await expect.poll(() => lastMeasured(moving), { timeout: RESUMED_WITHIN_MS }).toBeGreaterThan(upAt)
  console.log(`the live migration under way goes on ${(await lastMeasured(moving)) - upAt} ms after the restart`)
  await moving.close()
}

async function seeBoth(before: readonly Holding[]): Promise<void> {
  const [old] = before as [Holding]
  await page.getByRole('tab', { name: 'Resource mapping' }).click()
  const mapping = page.getByRole('tabpanel').getByRole('table')
  await expectRow(mapping, { Resource: 'CPUs', Guest: 'vCPU 0', Old: /^CPU \d+$/, New: /^CPU \d+$/ })
  await expectRow(mapping, { Resource: 'Devices', New: /^pci:/ })

  await openInstance(page, INSTANCE)
  await expect.poll(() => holdingsOf(page)).toHaveLength(2)
  const held = await holdingsOf(page)
  expect(held.map(({ host, mark }) => `${host} ${mark}`).sort()).toEqual([
    `${old.host} incoming`,
    `${old.host} outgoing`,
  ])
  expect(held.find(({ mark }) => mark === 'outgoing')).toEqual({ ...old, mark: 'outgoing' })
  const units = held.flatMap(({ cpus, devices }) => [
    ...cpus.map((pin) => pin.replace(/^vCPU \d+ on /, '')),
    ...devices,
  ])
  expect(new Set(units).size).toBe(units.length)
  await openHost(page, old.host)
  await expect(page.getByText('Two claims here')).toBeVisible()
}
