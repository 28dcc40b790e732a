import { expect, test } from './console'
import { expectDisabled } from './disabled'
import { openHost } from './operator-actions'
import { readTable, rowNamed } from './table'

// History and free capacity: pages that change nothing.

test('the overview shows capacity for a flavor', async ({ page }) => {
  await page.goto('/overview?shade=room&flavor=s1.small')
  await expect(page.getByRole('link', { name: /more s1\.small/ }).first()).toBeVisible()
})

test('keys replay a host, and its page says that it shows the past', async ({ page, request }) => {
  await openHost(page, 'std-02')
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const stated = await request.post('/api/trpc/host.setScheduling', {
    data: { id, scheduling: 'disabled', reason: 'a test of the past' },
  })
  expect(stated.ok()).toBe(true)
  await page.getByRole('button', { name: 'View at a time…' }).click()
  const replay = page.getByRole('region', { name: 'Replay of this host' })
  await expect(replay).toContainText('State at')
  // At least two changes: the start of the demo, and the one above.
  await expect(replay.getByRole('slider')).toHaveAttribute('max', /^[1-9]/)
  const slider = replay.getByRole('slider')
  await slider.focus()
  const last = await slider.getAttribute('aria-valuetext')
  await page.keyboard.press('Home')
  await expect(slider).not.toHaveAttribute('aria-valuetext', last ?? '')
  await expect(page).toHaveURL(/[?&]at=/)
  await expect(page.getByText(/^NUMA node 0/).first()).toBeVisible()
  await replay.getByRole('button', { name: 'Return to now' }).click()
  await expect(replay).toBeHidden()
  await expect(page).not.toHaveURL(/[?&]at=/)
  await request.post('/api/trpc/host.setScheduling', { data: { id, scheduling: 'enabled' } })
})

test('the rest of a host page says that it is current while its map shows the past, and offers no action', async ({
  page,
}) => {
  await openHost(page, 'std-02')
  const main = page.getByRole('main')
  await expect(main.getByRole('link', { name: 'Evacuate…' })).toBeVisible()
  await page.getByRole('button', { name: 'View at a time…' }).click()
  await expect(page.getByRole('region', { name: 'Replay of this host' })).toBeVisible()
  // In front of the badges, and in front of the facts.
  await expect(main.getByText('Current:')).toHaveCount(2)
  for (const name of ['Drain…', 'Evacuate…', 'Host actions']) {
    await expectDisabled(main.getByRole('button', { name, exact: true }), /Return to now to act/)
  }
  for (const name of ['Instances', 'Facts', 'Events']) {
    await page.getByRole('tab', { name }).click()
    const panel = page.getByRole('tabpanel', { name })
    await expect(panel.getByText(/^Current state, not the state at/)).toBeVisible()
    await expect(panel.getByText('Only the map is available for past times.')).toBeVisible()
  }
  await page.getByRole('tabpanel').getByRole('button', { name: 'Return to now' }).click()
  await expect(page).not.toHaveURL(/[?&]at=/)
  await expect(page).toHaveURL(/[?&]tab=events/)
  await expect(page.getByText(/^Current state/)).toBeHidden()
  await expect(main.getByText('Current:')).toHaveCount(0)
  await expect(main.getByRole('link', { name: 'Evacuate…' })).toBeVisible()
  await main.getByRole('button', { name: 'Host actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Disable scheduling' })).toBeVisible()
})

test('a past list shows its time, and refuses a time before its history and one in the future', async ({ page }) => {
  await page.goto(`/hosts?at=${new Date().toISOString()}`)
  await expect(page.getByText(/^State at/).filter({ visible: true })).toBeVisible()
  const hosts = page.getByRole('table', { name: 'Hosts' })
  await expect.poll(async () => (await readTable(hosts)).length).toBe(24)
  await page.goto('/hosts?at=2001-01-01T00:00:00.000Z')
  await expect(page.getByRole('alert').filter({ hasText: 'a time after' })).toBeVisible()
  for (const list of ['hosts', 'migrations', 'claims']) {
    await page.goto(`/${list}?at=2099-01-01T00:00:00.000Z`)
    await expect(page.getByRole('alert').filter({ hasText: 'a time in the past' })).toBeVisible()
    await expect(page.getByText('This time is in the future')).toBeVisible()
  }
  await page.goto('/hosts?at=2099-01-01T00:00:00.000Z')
  // The browser sends this query itself, so the button is interactive by then.
  await expect(page.getByRole('alert').filter({ hasText: 'a time in the past' })).toBeVisible()
  await page.getByRole('button', { name: 'Return to now' }).click()
  await expect(rowNamed(hosts, 'std-02')).toBeVisible()
})
