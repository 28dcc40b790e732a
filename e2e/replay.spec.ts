import type { APIRequestContext } from '@playwright/test'
import { expect, test } from './console'
import { openHost } from './operator-actions'
import { expectRow } from './table'

// View at a time (N12): the history of a host is stepped through by dragging, by keyboard and automatically, and a past
// list links to past hosts.

const HOST = 'std-03'
const TIMES = 3

test('keys, dragging and playback replay the past of a host', async ({ page, request }) => {
  await openHost(page, HOST)
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const before = (await schedulingOf(request, id)).schedulingEvents
  for (let time = 0; time < TIMES; time++) {
    for (const scheduling of ['disabled', 'enabled']) {
      const data = { id, scheduling, reason: 'a test of the past' }
      expect((await request.post('/api/trpc/host.setScheduling', { data })).ok()).toBe(true)
    }
  }
  await page.getByRole('button', { name: 'View at a time…' }).click()
  const replay = page.getByRole('region', { name: 'Replay of this host' })
  const slider = replay.getByRole('slider')
  // A change to a host appears shortly after its request, even in an open slider.
  await expect.poll(async () => (await schedulingOf(request, id)).schedulingEvents).toBe(before + 2 * TIMES)
  const last = (await schedulingOf(request, id)).moments - 1
  await expect(slider).toHaveAttribute('max', String(last))

  await slider.focus()
  await page.keyboard.press('End')
  await expect(slider).toHaveValue(String(last))
  await expect(replay).toContainText(`${last + 1} of ${last + 1}`)
  await page.keyboard.press('ArrowLeft')
  await expect(slider).toHaveValue(String(last - 1))
  await expect(replay).toContainText(`${last} of ${last + 1}`)
  await expect(page).toHaveURL(/[?&]at=/)
  await page.keyboard.press('Home')
  await expect(slider).toHaveValue('0')

  await test.step('the pointer drags the slider', async () => {
    const box = await slider.boundingBox()
    if (!box) throw new Error('no slider on the screen')
    await page.mouse.move(box.x + 8, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 8, box.y + box.height / 2, { steps: 6 })
    await page.mouse.up()
    await expect(slider).toHaveValue(String(last))
  })
  await test.step('the replay stops at its end', async () => {
    await replay.getByRole('button', { name: 'Previous change' }).click()
    await replay.getByRole('button', { name: 'Previous change' }).click()
    await expect(slider).toHaveValue(String(last - 2))
    await replay.getByRole('button', { name: 'Play' }).click()
    await expect(slider).toHaveValue(String(last))
    await expect(slider).toHaveAttribute('aria-valuetext', /host scheduling changed, by admin$/)
    await expect(replay.getByRole('button', { name: 'Play' })).toBeVisible()
  })
  await test.step('the table view shows the same time', async () => {
    await page.getByRole('radio', { name: 'Table' }).click()
    await expectRow(page.getByRole('table', { name: 'Map' }), { 'CPU or device': 'cpu:0' })
    await expect(page).toHaveURL(/at=.*as=table|as=table.*at=/)
  })
})

/** The number of changes in the history, and how many of them concern scheduling. */
async function schedulingOf(request: APIRequestContext, host: string) {
  const input = encodeURIComponent(JSON.stringify({ host }))
  const answer = await request.get(`/api/trpc/past.changes?input=${input}`)
  const moments: readonly { readonly kind: string }[] = (await answer.json()).result.data
  return { moments: moments.length, schedulingEvents: moments.filter(({ kind }) => kind === 'host.scheduling').length }
}

test('a past list links to the host at the same time', async ({ page }) => {
  const at = new Date().toISOString()
  await page.goto(`/hosts?at=${at}&q=${HOST}`)
  await page.getByRole('table', { name: 'Hosts' }).getByRole('link', { name: HOST, exact: true }).click()
  await expect(page.getByRole('region', { name: 'Replay of this host' })).toContainText('State at')
  expect(new URL(page.url()).searchParams.get('at')).toBe(at)
})

test('the ledger of a past time says so, and leads back to now', async ({ page }) => {
  await page.goto(`/claims?at=${new Date().toISOString()}&q=web-03`)
  // The server streams a hidden copy first.
  await expect(page.getByText(/^State at/).filter({ visible: true })).toBeVisible()
  await expectRow(page.getByRole('table', { name: 'Claims' }), { Consumer: 'web-03' })
  await page.getByRole('button', { name: 'Return to now' }).click()
  await expect(page).not.toHaveURL(/[?&]at=/)
  await expectRow(page.getByRole('table', { name: 'Claims' }), { Consumer: 'web-03' })
})
