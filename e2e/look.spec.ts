import { expect, test } from './console'
import { openHost } from './moves'
import { expectRow, readTable, rowNamed } from './table'

// Ledger, devices, capacity, and how it was: pages that look into the books and change nothing.

test('the ledger is read by consumer and by provider, and a filter is a link', async ({ page, second }) => {
  await page.goto('/claims?q=upf-01')
  const ledger = page.getByRole('table', { name: 'Claims ledger' })
  await expectRow(ledger, { Consumer: 'upf-01', Amounts: /PCPU/, Marks: '–' })
  await page.getByRole('radio', { name: 'By provider' }).click()
  await expect(ledger.getByRole('columnheader').first()).toHaveText(/Provider/)
  await second.goto(page.url())
  await expectRow(second.getByRole('table', { name: 'Claims ledger' }), { Consumer: 'upf-01' })
  await ledger.getByRole('link', { name: 'upf-01' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'upf-01' })).toBeVisible()
})

test('a function shows its card and holders, on the map of its host and back', async ({ page }) => {
  await page.goto('/devices?state=held')
  const functions = page.getByRole('table', { name: 'Functions' })
  await functions.getByRole('row').nth(1).click()
  const panel = page.getByRole('complementary', { name: 'One device' })
  await expect(panel).toContainText('Holders, the newest first')
  await panel.getByRole('link', { name: 'On the map of its host' }).click()
  await expect(page).toHaveURL(/\/hosts\/.*unit=/)
  await page.getByRole('link', { name: 'History of this place' }).click()
  await expect(panel).toContainText('now')
})

test('who held a core is two clicks from its host', async ({ page }) => {
  await openHost(page, 'gpu-02')
  await page.goto(`${page.url()}?unit=cpu:6`)
  await page.getByRole('link', { name: 'History of this place' }).click()
  await expect(page.getByRole('complementary', { name: 'One device' })).toContainText('Known since')
})

test('capacity tells how many more of each flavor fit, and leads to why not more', async ({ page }) => {
  await page.goto('/capacity')
  await expectRow(page.getByRole('table', { name: 'By resource class' }), { Class: 'PCPU', Free: /\d/ })
  const flavors = page.getByRole('table', { name: 'Fragmentation' })
  await expectRow(flavors, { Flavor: 's1.small', Fleet: /\d/ })
  await flavors.getByRole('link', { name: 's1.small' }).click()
  await expect(page.getByRole('region', { name: 'Funnel' })).toBeVisible()
})

test('the overview is shaded by room for a flavor', async ({ page }) => {
  await page.goto('/overview?shade=room&flavor=s1.small')
  await expect(page.getByRole('link', { name: /more s1\.small/ }).first()).toBeVisible()
})

test('a host is replayed by keys, and its page says that it is the past', async ({ page, request }) => {
  await openHost(page, 'std-02')
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const stated = await request.post('/api/trpc/host.setAdmission', {
    data: { id, admission: 'disabled', reason: 'a test of the past' },
  })
  expect(stated.ok()).toBe(true)
  await page.getByRole('button', { name: 'As it was…' }).click()
  const replay = page.getByRole('region', { name: 'Replay of this host' })
  await expect(replay).toContainText('As it was at')
  // Two moments at least: the demo's, and this one.
  await expect(replay.getByRole('slider')).toHaveAttribute('max', /^[1-9]/)
  const slider = replay.getByRole('slider')
  await slider.focus()
  const last = await slider.getAttribute('aria-valuetext')
  await page.keyboard.press('Home')
  await expect(slider).not.toHaveAttribute('aria-valuetext', last ?? '')
  await expect(page).toHaveURL(/[?&]at=/)
  await expect(page.getByText(/^Cell 0/).first()).toBeVisible()
  await replay.getByRole('button', { name: 'Back to now' }).click()
  await expect(replay).toBeHidden()
  await expect(page).not.toHaveURL(/[?&]at=/)
  await request.post('/api/trpc/host.setAdmission', { data: { id, admission: 'open' } })
})

test('lists as they were name their moment, and one from before anything was kept is refused', async ({ page }) => {
  await page.goto(`/hosts?at=${new Date().toISOString()}`)
  await expect(page.getByText(/^As it was at/)).toBeVisible()
  const hosts = page.getByRole('table', { name: 'Hosts' })
  await expect.poll(async () => (await readTable(hosts)).length).toBe(24)
  await page.goto('/hosts?at=2001-01-01T00:00:00.000Z')
  await expect(page.getByRole('alert').filter({ hasText: 'a moment after' })).toBeVisible()
  await page.getByRole('button', { name: 'Back to now' }).click()
  await expect(rowNamed(hosts, 'std-02')).toBeVisible()
})
