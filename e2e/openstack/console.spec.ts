import { expect, type Page, test } from '@playwright/test'
import { OPENSTACK_PORT } from '../address'
import { type ActionAsked, act, addCloud, allowActions, openPane, rowOf } from '../cloud-console'
import { ADMIN, signIn } from '../people'
import { OwnServer } from '../server'
import { whyNoCloud } from './able'
import type { Records } from './real-cloud'
import { type Rig, startRig } from './rig'

// A real Keystone, Nova and Placement, driven through the console. After each story Nova, Placement and Berth agree.

const why = whyNoCloud()
if (why !== null) console.log(`skipped: ${why}`)
// biome-ignore lint/suspicious/noSkippedTests: the machine cannot carry the rig, and the reason is printed
test.skip(why !== null, why ?? '')
test.describe.configure({ mode: 'serial' })

const RIG_LIMIT_MS = 420_000
/** Of a change until the console shows it. */
const SEEN_MS = 10_000

const berth = new OwnServer(OPENSTACK_PORT, { BERTH_DEMO: 'no' })
let rig: Rig
let page: Page
let address: string
let web: string

test.beforeAll(async ({ browser }) => {
  test.setTimeout(RIG_LIMIT_MS)
  ;[rig] = await Promise.all([startRig(), berth.startAnew()])
  const context = await browser.newContext({ baseURL: berth.origin, viewport: { width: 1920, height: 1080 } })
  await signIn(context.request, ADMIN)
  page = await context.newPage()
})
test.afterAll(async () => {
  await page?.context().close()
  await berth.stop()
  await rig?.down()
})

/** What Nova, Placement and Berth say of it, in one line each. */
async function expectAgreement(records: Records): Promise<void> {
  expect(records.held).toEqual([records.host])
  expect(records.heldByMigrations).toEqual([])
  await page.goto(`${address}?tab=instances`)
  await expect(rowOf(page, { tab: 'instances', row: 'web-1' })).toContainText(records.host ?? '')
  await page.goto(`${address}?tab=findings`)
  await expect(page.getByText('No findings')).toBeVisible()
}

const rests = ({ state }: Records) => state === 'active rests'
const ofInstance = (verb: string, choose?: ActionAsked['choose']): ActionAsked => ({
  ...{ tab: 'instances', row: 'web-1', verb, ...(choose && { choose }) },
})

test('a real cloud is added, and a server that is booted there appears within ten seconds', async () => {
  await rig.cloud.flavor('small', 1)
  await rig.cloud.flavor('large', 2)
  address = await addCloud(page, 'real', rig)
  await expect(page.getByText(/Healthy: no findings among 0 instances on 3 hosts/)).toBeVisible({ timeout: 60_000 })
  web = await rig.cloud.boot('web-1', 'cmp1')
  await rig.cloud.untilRecords(web, 'boot', rests)
  await page.goto(`${address}?tab=instances`)
  await expect(rowOf(page, { tab: 'instances', row: 'web-1' })).toContainText('cmp1', { timeout: 40_000 })
  const begun = Date.now()
  const second = await rig.cloud.boot('web-2', 'cmp2')
  await expect(rowOf(page, { tab: 'instances', row: 'web-2' })).toBeVisible({ timeout: SEEN_MS })
  console.log(`seen after ${Date.now() - begun} ms`)
  await rig.cloud.untilRecords(second, 'boot', rests)
})

test('as long as actions are not allowed, nothing but GETs and the sign-in reached it', async () => {
  const pane = await openPane(page, address, { tab: 'instances', row: 'web-1' })
  await expect(pane.getByRole('button', { name: 'Live-migrate instance' })).toHaveAttribute('aria-disabled', 'true')
  expect(rig.log.length).toBeGreaterThan(30)
  expect(rig.log.filter((line) => !/^(GET |POST \/identity\/v3\/auth\/tokens$)/.test(line))).toEqual([])
  await allowActions(page, address)
})

test('it migrates live to the host that was chosen', async () => {
  await act(page, address, ofInstance('Live-migrate instance', { Destination: /^cmp3/ }))
  const records = await rig.cloud.untilRecords(web, 'end', (now) => rests(now) && now.heldByMigrations.length === 0)
  expect([records.host, records.migration]).toEqual(['cmp3', 'completed'])
  await expectAgreement(records)
})

test('it migrates cold and is confirmed, is resized and reverted', async () => {
  await act(page, address, ofInstance('Cold-migrate instance', { Destination: /^cmp1/ }))
  await act(page, address, ofInstance('Confirm migration'))
  const moved = await rig.cloud.untilRecords(web, 'confirm', (now) => rests(now) && now.heldByMigrations.length === 0)
  expect([moved.host, moved.migration]).toEqual(['cmp1', 'confirmed'])
  await act(page, address, ofInstance('Resize instance', { Flavor: /^large/ }))
  await act(page, address, ofInstance('Revert migration'))
  const back = await rig.cloud.untilRecords(web, 'revert', (now) => rests(now) && now.heldByMigrations.length === 0)
  expect([back.host, back.migration]).toEqual(['cmp1', 'reverted'])
  await expectAgreement(back)
})
