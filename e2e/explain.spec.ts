import type { Page } from '@playwright/test'
import { expect, test } from './console'
import { countClicks, expectWithin } from './journeys/budget'
import { movedOn, noteShifts } from './layout-shift'
import { openInstance, openMigrateDrawer } from './operator-actions'
import { expectRow, readTable, rowNamed } from './table'

// S11 and S3: why it fits nowhere, and why not there. The URL contains the query, so that any user can open it.

const NO_FIT_URL = '/explain?vcpus=500&memory=4096&disk=1&specs=hw:cpu_policy%3Ddedicated'

test('explain shows "No valid host" rule by rule, with the largest shape that still fits', async ({ page, second }) => {
  await page.goto(NO_FIT_URL)
  const clicks = await countClicks(page)
  await expect(page.getByRole('status').filter({ hasText: /^It fits on none of 24 hosts/ })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Largest shape that fits on one host' })).toContainText(
    /Same proportions.*vCPUs?/,
  )
  await expect(page.getByRole('status').filter({ hasText: /pinned CPUs/ })).toBeVisible()
  const funnel = page.getByRole('region', { name: 'Funnel' })
  await funnel.getByRole('radio', { name: 'Table' }).click()
  await expect(funnel.getByRole('table')).toContainText('Only this rule')
  const matrix = page.getByRole('table', { name: 'Hosts and rules' })
  await rowNamed(matrix, 'std-01').click()
  await expect(page.getByRole('complementary', { name: 'On this host' })).toContainText('Why not')
  await expectWithin(clicks, 2, 'see the funnel as a table and one host in full')

  await second.goto(page.url())
  await expect(second.getByRole('complementary', { name: 'On this host' })).toContainText('std-01')
})

test('content that arrives after the verdicts shifts nothing', async ({ page, request }) => {
  await noteShifts(page)
  const some = await request.get(`/api/trpc/instance.list?input=${encodeURIComponent('{"limit":1}')}`)
  const explainPage = `/explain?instance=${(await some.json()).result.data.rows[0].id}&vcpus=400`
  for (const [width, question] of [
    [1280, NO_FIT_URL],
    [1920, NO_FIT_URL],
    [1024, '/explain?flavor=s1.small&zone=az9'],
    [1024, explainPage],
    [1280, explainPage],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(question)
    await expect(page.getByRole('region', { name: 'Request' })).toBeVisible()
    const matrix = page.getByRole('table', { name: 'Hosts and rules' })
    await expectRow(matrix, { 'Nearest fix': /^(no fix: |migrate |remove |enable|select )/ })
    await expect(page.getByRole('region', { name: 'Largest shape that fits on one host' })).not.toContainText(
      'searching',
    )
    expect(await movedOn(page)).toEqual([])
  }
})

test('leaving the page aborts its slow query', async ({ page }) => {
  // Never answered.
  await page.route(/explain\.nearest/, () => {})
  const asked = page.waitForRequest(/explain\.nearest/)
  const givenUp = page.waitForEvent('requestfailed', (each) => each.url().includes('explain.nearest'))
  await page.goto(NO_FIT_URL)
  await asked
  await page.getByRole('navigation').getByRole('link', { name: 'Hosts' }).click()
  await expect(page.getByRole('heading', { name: 'Hosts' })).toBeVisible()
  expect((await givenUp).failure()?.errorText).toContain('ABORTED')
})

test('the document preloads the query, and the page uses that response', async ({ page }) => {
  await page.goto(
    '/explain?vcpus=500&memory=4096&disk=1&specs=hw:cpu_policy%3Ddedicated%3Bhw:mem_page_size%3Dlarge&zone=az1',
  )
  await expect(page.getByRole('region', { name: 'Largest shape that fits on one host' })).toBeVisible()
  expect(await requestsFor(page, 'explain.get')).toEqual([{ by: 'link', address: expect.any(String) }])

  for (const [address, path, part] of [
    ['/claims', 'ledger.list', '"offset":0,'],
    ['/hosts', 'host.list', '"offset":0,'],
    ['/instances', 'instance.list', '"offset":0,'],
    ['/devices', 'device.list', '"offset":0,'],
    ['/devices', 'device.kinds', ''],
    ['/overview', 'overview.get', ''],
  ] as const) {
    // A fleet change may make the page repeat the query, so try again.
    await expect(async () => {
      await page.goto(address)
      await expect(page.locator('main').locator('tr[data-row], [data-host], [data-place]').first()).toBeVisible()
      expect(await requestsFor(page, path, part)).toEqual([{ by: 'link', address: expect.any(String) }])
    }).toPass()
  }
})

test('a rule of the funnel narrows the matrix, by keyboard alone', async ({ page }) => {
  await page.goto('/explain?flavor=s1.small&zone=az9')
  await expect(page.getByRole('status').filter({ hasText: /^It fits on none of/ })).toBeVisible()
  const rule = page.getByRole('region', { name: 'Funnel' }).getByRole('button', { name: /^wrong zone: / })
  await rule.focus()
  await page.keyboard.press('Enter')
  await expect(rule).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('button', { name: 'Remove filter rule:zone' })).toBeVisible()
  await expect(page).toHaveURL(/q=rule(:|%3A)zone/)
  await page.getByRole('button', { name: 'Remove filter rule:zone' }).click()
  await expect(rule).toHaveAttribute('aria-pressed', 'false')
})

test('applying the nearest fix makes the host fit', async ({ page, request }) => {
  await page.goto('/hosts?q=std-02')
  const host = (await page.getByRole('link', { name: 'std-02', exact: true }).getAttribute('href'))?.split('/').at(-1)
  const state = (scheduling: string) =>
    request.post('/api/trpc/host.setScheduling', { data: { id: host, scheduling, reason: 'a test of explain' } })
  expect((await state('disabled')).ok()).toBe(true)
  await page.goto(`/explain?vcpus=1&memory=64&disk=0&host=${host}`)
  const panel = page.getByRole('complementary', { name: 'On this host' })
  await expect(panel).toContainText('enable the host')
  expect((await state('enabled')).ok()).toBe(true)
  await page.reload()
  await expect(panel).not.toContainText('enable the host')
  await expect(panel).not.toContainText('host disabled')
})

test('hosts with the fewest changes come first, and hosts without a fix last', async ({ page }) => {
  await page.goto('/explain?vcpus=24&memory=4096&disk=1&specs=hw:cpu_policy%3Ddedicated')
  const matrix = page.getByRole('table', { name: 'Hosts and rules' })
  await expect.poll(async () => (await readTable(matrix)).length).toBeGreaterThan(10)
  const refused = (await readTable(matrix)).filter(({ Verdict }) => Verdict === 'refused')
  const least = refused.map(({ Changes }) =>
    Changes === '–' ? Number.POSITIVE_INFINITY : Number(Changes?.replace('≥ ', '')),
  )
  expect(least).toContain(Number.POSITIVE_INFINITY)
  const unfixable = least.indexOf(Number.POSITIVE_INFINITY)
  expect(least.slice(unfixable)).toEqual(least.slice(unfixable).fill(Number.POSITIVE_INFINITY))
})

test('the migration drawer links to the same query on the explain page', async ({ page }) => {
  await openInstance(page, 'upf-01')
  const clicks = await countClicks(page)
  const drawer = await openMigrateDrawer(page, 'Live-migrate', 'upf-01')
  await drawer.getByRole('link', { name: /^Explain: every rule/ }).click()
  await expect(page).toHaveURL(/\/explain\?instance=.*operation=live-migrate/)
  const matrix = page.getByRole('table', { name: 'Hosts and rules' })
  await expect.poll(async () => (await readTable(matrix)).length).toBeGreaterThan(20)
  await expectWithin(clicks, 3, 'see every rule of every host')
  await expectRow(matrix, { Verdict: 'refused', 'is the source': /\S/ })
})

test('a custom shape starts from the chosen flavor', async ({ page }) => {
  await page.goto('/explain?flavor=s1.small')
  await page.getByRole('radio', { name: 'Custom' }).click()
  const vcpus = page.getByRole('textbox', { name: 'vCPUs' })
  await vcpus.fill('400')
  await vcpus.press('Tab')
  await expect(page.getByRole('status').filter({ hasText: /^It fits on none of 24 hosts/ })).toBeVisible()
  await expect(page).toHaveURL(/vcpus=400/)
})

/** The initiator and the URL of each request for this query. */
const requestsFor = (page: Page, path: string, part = '') =>
  page.evaluate(
    (wanted) =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .map(({ initiatorType: by, name }) => ({ by, address: decodeURIComponent(name) }))
        .filter(({ address }) => wanted.every((each) => address.includes(each))),
    [path, part],
  )
