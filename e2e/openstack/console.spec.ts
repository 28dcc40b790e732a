import type { Page } from '@playwright/test'
import { act, addCloud, allowActions, type ConsoleAction, fence, openPane, rowOf, writesIn } from '../cloud-console'
import { NOTIFYING } from './config'
import { expect, test, whySkipped } from './on-rig'
import { type Records, until } from './real-cloud'
import type { Rig } from './rig'

// A real Keystone, Nova and Placement, driven through the console. After each test Nova, Placement and Berth agree.

// biome-ignore lint/suspicious/noSkippedTests: the machine cannot run the rig, and the reason is printed
test.skip(whySkipped !== null, whySkipped ?? '')
test.describe.configure({ mode: 'serial' })

/** From a change until the console shows it. */
const DISPLAY_LIMIT_MS = 10_000
/** Nova reports a dead host as down after 20 s without a report. */
const DOWN_MS = 60_000

let rig: Rig
let page: Page
let address: string
let web: string

test.beforeAll(({ stand }) => {
  ;({ rig, page } = stand)
})

/** Checks the instance in Nova, Placement and Berth. */
async function expectAgreement(name: string, records: Records): Promise<void> {
  expect(records.held).toEqual([records.host])
  expect(records.heldByMigrations).toEqual([])
  await page.goto(`${address}?tab=instances`)
  await expect(rowOf(page, { tab: 'instances', row: name })).toContainText(records.host ?? '')
  await page.goto(`${address}?tab=findings`)
  await expect(page.getByText('No findings')).toBeVisible()
}

const rests = ({ state }: Records) => state === 'active rests'
const isOver = (records: Records) => rests(records) && records.heldByMigrations.length === 0
const ofInstance = (row: string, verb: string, choose?: ConsoleAction['choose']): ConsoleAction => ({
  ...{ tab: 'instances', row, verb, ...(choose && { choose }) },
})

/** When the row of an instance first shows a text, by the clock of this machine. */
async function shownAt(name: string, text: string): Promise<number> {
  const shown = await page.waitForFunction(
    (texts) => {
      const rows = [...document.querySelectorAll('table tr')]
      return rows.some(({ textContent }) => texts.every((each) => textContent?.includes(each))) && Date.now()
    },
    [name, text],
    { polling: 'raf', timeout: DONE_MS },
  )
  return Number(await shown.jsonValue())
}

const OFTEN_MS = 100
/** Limit for Nova, for a boot or less. */
const DONE_MS = 60_000

/** The last time before Nova recorded the state: a delay measured from here is never too short. */
async function recordedAt(id: string, state: string): Promise<number> {
  let before = Date.now()
  return until(
    `${state} of ${id}`,
    async () => {
      const at = Date.now()
      const { server } = (await rig.cloud.nova('GET', `/servers/${id}`)).body
      if (server['OS-EXT-STS:vm_state'] === state) return before
      before = at
      return null
    },
    OFTEN_MS,
  )
}

test('an admin adds a real cloud, and a server booted there appears within ten seconds', async () => {
  await rig.cloud.flavor('small', 1)
  await rig.cloud.flavor('large', 2)
  address = await addCloud(page, 'real', rig)
  await expect(page.getByText(/Healthy: no findings among 0 instances on 4 hosts/)).toBeVisible({ timeout: 60_000 })
  web = await rig.cloud.boot('web-1', 'cmp1')
  await rig.cloud.untilRecords(web, 'boot', rests)
  await page.goto(`${address}?tab=instances`)
  await expect(rowOf(page, { tab: 'instances', row: 'web-1' })).toContainText('cmp1', { timeout: 40_000 })
  const begun = Date.now()
  const second = await rig.cloud.boot('web-2', 'cmp2')
  await expect(rowOf(page, { tab: 'instances', row: 'web-2' })).toBeVisible({ timeout: DISPLAY_LIMIT_MS })
  console.log(`seen after ${Date.now() - begun} ms`)
  await rig.cloud.untilRecords(second, 'boot', rests)
})

test('the cloud receives only GETs and the sign-in while actions are not allowed', async () => {
  const pane = await openPane(page, address, { tab: 'instances', row: 'web-1' })
  await expect(pane.getByRole('button', { name: 'Live-migrate instance' })).toHaveAttribute('aria-disabled', 'true')
  expect(rig.log.length).toBeGreaterThan(30)
  expect(writesIn(rig.log)).toEqual([])
  await allowActions(page, address)
})

test('a live migration takes the server to the chosen host', async () => {
  await act(page, address, ofInstance('web-1', 'Live-migrate instance', { Destination: /^cmp3/ }))
  const records = await rig.cloud.untilRecords(web, 'end', isOver)
  expect([records.host, records.migration]).toEqual(['cmp3', 'completed'])
  await expectAgreement('web-1', records)
})

test('an operator aborts a running live migration and forces the next one to complete', async () => {
  const slow = await rig.cloud.boot('slow-1', 'cmp1', 180)
  await rig.cloud.untilRecords(slow, 'boot', rests)
  const begin = async () => {
    const asked = ofInstance('slow-1', 'Live-migrate instance', { Destination: /^cmp2/ })
    await act(page, address, { ...asked, until: /^accepted/ })
    await rig.cloud.untilRecords(slow, 'copy', ({ migration }) => migration === 'running')
  }
  await begin()
  await act(page, address, { tab: 'migrations', row: /running/, verb: 'Abort migration' })
  const aborted = await rig.cloud.untilRecords(slow, 'end', isOver)
  expect([aborted.host, aborted.migration]).toEqual(['cmp1', 'cancelled'])
  await expectAgreement('slow-1', aborted)
  await begin()
  await act(page, address, { tab: 'migrations', row: /running/, verb: 'Force migration to complete' })
  const forced = await rig.cloud.untilRecords(slow, 'end', isOver)
  expect([forced.host, forced.migration]).toEqual(['cmp2', 'completed'])
  await expectAgreement('slow-1', forced)
})

test('an operator confirms a cold migration, reverts a resize, and rebuilds the server', async () => {
  await act(page, address, ofInstance('web-1', 'Cold-migrate instance', { Destination: /^cmp1/ }))
  await act(page, address, ofInstance('web-1', 'Confirm migration'))
  const moved = await rig.cloud.untilRecords(web, 'confirm', isOver)
  expect([moved.host, moved.migration]).toEqual(['cmp1', 'confirmed'])
  await act(page, address, ofInstance('web-1', 'Resize instance', { Flavor: /^large/ }))
  await act(page, address, ofInstance('web-1', 'Revert migration'))
  const back = await rig.cloud.untilRecords(web, 'revert', isOver)
  expect([back.host, back.migration]).toEqual(['cmp1', 'reverted'])
  await act(page, address, ofInstance('web-1', 'Rebuild instance'))
  const rebuilt = await rig.cloud.untilRecords(web, 'rebuild', isOver)
  expect(rebuilt.host).toBe('cmp1')
  await expectAgreement('web-1', rebuilt)
})

test('an evacuation leaves a dead host once an operator attested that it is powered off', async () => {
  const lost = await rig.cloud.boot('lost-1', 'cmp4')
  await rig.cloud.untilRecords(lost, 'boot', rests)
  rig.signal('cmp4', 'SIGKILL')
  await page.goto(`${address}?tab=hosts`)
  await expect(rowOf(page, { tab: 'hosts', row: 'cmp4' })).toContainText('down', { timeout: DOWN_MS })
  await fence(page, address, 'cmp4')
  await act(page, address, { tab: 'hosts', row: 'cmp4', verb: 'Force service down' })
  await act(page, address, ofInstance('lost-1', 'Evacuate instance', { Destination: /^cmp1/ }))
  const away = await rig.cloud.untilRecords(lost, 'evacuation', rests)
  expect(away.migration).toBe('done')
  expect(away.host).toBe('cmp1')
  // Nova keeps its allocation on the dead host until that host is back.
  expect([...away.held].sort()).toEqual(['cmp4', away.host ?? ''].sort())
  rig.revive('cmp4')
  const cleaned = await rig.cloud.untilRecords(lost, 'clean-up', ({ held }) => held.length === 1)
  await act(page, address, { tab: 'hosts', row: 'cmp4', verb: 'Unset forced down' })
  await page.goto(`${address}?tab=hosts`)
  await expect(rowOf(page, { tab: 'hosts', row: 'cmp4' })).not.toContainText('down')
  await expectAgreement('lost-1', cleaned)
})

test('a drain migrates running servers live and stopped ones cold, and its service stays disabled', async () => {
  const there = await Promise.all(['drained-1', 'drained-2', 'drained-3'].map((name) => rig.cloud.boot(name, 'cmp3')))
  for (const id of there) await rig.cloud.untilRecords(id, 'boot', rests)
  const [stopped = ''] = there
  await act(page, address, ofInstance('drained-1', 'Stop instance'))
  const pane = await openPane(page, address, { tab: 'hosts', row: 'cmp3' })
  await pane.getByRole('button', { name: 'Drain host' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByText('1 instance stays')).toBeVisible()
  await dialog.getByLabel(/^Cold-migrate/).check()
  await expect(dialog.getByText('3 migrations in 2 batches')).toBeVisible()
  await dialog.getByLabel('Reason').fill('new memory')
  await dialog.getByRole('button', { name: 'Drain host' }).click()
  await expect(pane.getByText('No instance is left on cmp3.')).toBeVisible({ timeout: 180_000 })
  const verbs = await pane.getByRole('list', { name: 'Actions of the drain' }).getByRole('listitem').allTextContents()
  expect(verbs.every((line) => line.startsWith('done'))).toBe(true)
  for (const [at, id] of there.entries()) {
    const records = await rig.cloud.untilRecords(id, 'end', ({ heldByMigrations }) => heldByMigrations.length === 0)
    expect(records.host).not.toBe('cmp3')
    expect([records.state, records.migration]).toEqual(
      id === stopped ? ['stopped rests', 'confirmed'] : ['active rests', 'completed'],
    )
    await expectAgreement(`drained-${at + 1}`, records)
  }
  await page.goto(`${address}?tab=hosts`)
  await expect(rowOf(page, { tab: 'hosts', row: 'cmp3' })).toContainText('disabled')
})

test('a boot and a state change appear once Nova sends their notifications', async () => {
  const heard = await addCloud(page, NOTIFYING, rig)
  await expect(page.getByText(/^listening/)).toBeVisible({ timeout: 60_000 })
  await page.goto(`${heard}?tab=instances`)
  await expect(rowOf(page, { tab: 'instances', row: 'web-1' })).toBeVisible({ timeout: 60_000 })
  const id = await rig.cloud.boot('heard-1', 'cmp1')
  const accepted = Date.now()
  const [listed, active, recorded] = await Promise.all([
    shownAt('heard-1', ''),
    shownAt('heard-1', 'active'),
    recordedAt(id, 'active'),
  ])
  expect(listed - accepted).toBeLessThan(DISPLAY_LIMIT_MS)
  expect(active - recorded).toBeLessThan(DISPLAY_LIMIT_MS)
  console.log(
    `a boot is shown ${listed - accepted} ms after Nova accepted it, active ${active - recorded} ms after Nova was`,
  )
  for (const [verb, state] of [
    ['os-stop', 'stopped'],
    ['os-start', 'active'],
  ] as const) {
    await rig.cloud.act(id, { [verb]: null })
    const [shown, known] = await Promise.all([shownAt('heard-1', state), recordedAt(id, state)])
    expect(shown - known).toBeLessThan(DISPLAY_LIMIT_MS)
    console.log(`${state} is shown ${shown - known} ms after Nova recorded it`)
  }
})
