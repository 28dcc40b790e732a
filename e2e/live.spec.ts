import type { APIRequestContext, Page } from '@playwright/test'
import { expect, test } from './console'
import { openHost } from './operator-actions'
import { expectRow, readTable } from './table'

// How current the screen is, always visible: live, polling without a stream, stale, offline. New rows wait until the
// user applies them.

const CHANNEL = '**/api/trpc/event.stream**'
const POLLS = /\/api\/trpc\/[^?]*event\.since/
const HOST = 'std-04'
const TABS = 9 // more than the connections that a browser opens to one server

const mark = (page: Page) => page.getByRole('status').filter({ hasText: /^(Live|Polling|Connecting|Stale|Offline)/ })

async function idOf(page: Page): Promise<string> {
  await openHost(page, HOST)
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

async function setScheduling(
  request: APIRequestContext,
  id: string,
  scheduling: 'enabled' | 'disabled',
): Promise<void> {
  const data = { id, scheduling, reason: 'a test of liveness' }
  expect((await request.post('/api/trpc/host.setScheduling', { data })).ok()).toBe(true)
  disabled = scheduling === 'disabled' ? id : ''
}

let disabled = ''
test.afterEach(async ({ request }) => {
  if (disabled) await setScheduling(request, disabled, 'enabled')
})

test('the page polls while it has no channel, and switches to the channel once it opens', async ({ page, request }) => {
  await page.route(CHANNEL, (route) => route.abort())
  const id = await idOf(page)
  await expect(mark(page)).toContainText('Polling')
  await setScheduling(request, id, 'disabled')
  await expect(page.getByRole('main')).toContainText('disabled')
  await page.unroute(CHANNEL)
  await expect(mark(page)).toContainText('Live')
  await setScheduling(request, id, 'enabled')
  await expect(page.getByRole('main')).not.toContainText('disabled')
})

test('an offline browser says so, resumes after the last event, and misses nothing', async ({
  page,
  request,
  context,
}) => {
  await page.route(CHANNEL, (route) => route.abort())
  const id = await idOf(page)
  await expect(mark(page)).toContainText('Polling')
  await context.setOffline(true)
  await expect(mark(page)).toContainText('Offline')
  await setScheduling(request, id, 'disabled')
  await context.setOffline(false)
  await expect(page.getByRole('main')).toContainText('disabled')
  await page.unroute(CHANNEL)
  await expect(mark(page)).toContainText('Live')
  await setScheduling(request, id, 'enabled')
})

test('a page without news for 40 s is stale and shows for how long', async ({ page }) => {
  await page.clock.install()
  await page.route(CHANNEL, (route) => route.abort())
  await openHost(page, HOST)
  await expect(mark(page)).toContainText('Polling')
  // Queries get neither a response nor an error.
  await page.route(POLLS, () => {})
  await page.clock.fastForward('01:00')
  await expect(mark(page)).toContainText('Stale')
  await expect(mark(page)).toContainText(/1 min/)
  await page.unroute(POLLS)
})

test('new rows wait behind “n new, show” while the pointer is over the table', async ({ page, request }) => {
  const id = await idOf(page)
  await page.getByRole('tab', { name: 'Events' }).click()
  const events = page.getByRole('table', { name: 'Events' })
  await expect(events.getByRole('row').nth(1)).toBeVisible()
  const before = await readTable(events)
  await events.getByRole('row').nth(1).hover()
  await setScheduling(request, id, 'disabled')
  await expect(page.getByRole('button', { name: '1 new, show' })).toBeVisible()
  await setScheduling(request, id, 'enabled')
  const show = page.getByRole('button', { name: '2 new, show' })
  await expect(show).toBeVisible()
  expect(await readTable(events)).toEqual(before)
  await show.click()
  await expectRow(events, { Event: 'host scheduling', Who: 'admin', Reason: 'a test of liveness' })
  await expect(show).toBeHidden()
})

test('every one of many tabs updates, and a closed tab frees its channel', async ({ page, context }) => {
  const others = await Promise.all(Array.from({ length: TABS - 1 }, () => context.newPage()))
  const tabs = [page, ...others]
  for (const tab of tabs) {
    await tab.goto('/hosts')
    await expect(tab.getByRole('table', { name: 'Hosts' }).getByRole('link', { name: HOST })).toBeVisible()
    await expect(mark(tab)).toContainText(/^(Live|Polling)/)
  }
  const live: Page[] = []
  for (const tab of tabs) if ((await mark(tab).textContent())?.startsWith('Live')) live.push(tab)
  expect(live.length).toBeGreaterThan(0)
  const waiting = tabs.filter((tab) => !live.includes(tab))
  expect(waiting.length).toBeGreaterThan(0)
  for (const tab of live) await tab.close()
  // More tabs wait than streams become free, in no guaranteed order.
  const liveAmong = async () => (await Promise.all(waiting.map((tab) => mark(tab).textContent()))).join(' ')
  await expect.poll(liveAmong, { timeout: 45_000 }).toContain('Live')
})

test('a hidden page releases its channel, and misses nothing when it becomes visible', async ({ page, request }) => {
  const stream = page.waitForRequest(CHANNEL)
  const id = await idOf(page)
  await expect(mark(page)).toContainText('Live')
  const given = page.waitForEvent('requestfailed', (failed) => failed.url().includes('event.stream'))
  await stream
  await see(page, 'hidden')
  await given
  await setScheduling(request, id, 'disabled')
  await see(page, 'visible')
  await expect(page.getByRole('main')).toContainText('disabled')
  await expect(mark(page)).toContainText('Live')
})

/** Sets the visibility state, as the browser does for a hidden tab. */
const see = (page: Page, state: DocumentVisibilityState) =>
  page.evaluate((visibilityState) => {
    Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
