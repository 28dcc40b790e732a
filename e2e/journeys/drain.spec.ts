import { expect, test } from '../console'
import { openHost } from '../operator-actions'
import { readTable } from '../table'
import { attemptOf } from './attempt'
import { countClicks, expectWithin } from './budget'
import { confirm } from './confirm'

// S6: forty instances and 500 hosts. The whole plan is shown before anything migrates; then it runs to its end.

const HOSTS = ['numa8-01', 'numa8-02', 'numa8-03'] // forty instances of every kind each

test('a drain empties a host with forty instances exactly as its plan showed', async ({ page }, info) => {
  const host = HOSTS[attemptOf(info)] ?? ''
  await openHost(page, host)
  const clicks = await countClicks(page)
  await page.getByRole('button', { name: 'Drain…' }).click()
  // A drain stops no instance unless an operator chooses to.
  const fallback = page.getByRole('button', { name: /Instances that cannot live-migrate/ })
  await expect(fallback).toContainText('Leave running')
  await fallback.press('ArrowRight')
  await expect(fallback).toContainText('Cold-migrate')
  await confirm(page, 'Plan drain')
  await expect(page.getByRole('heading', { level: 1, name: `Drain of ${host}` })).toBeVisible()
  await expectWithin(clicks, 2, 'a plan')
  info.annotations.push({ type: 'figure', description: await page.getByText(/planned in/).innerText() })

  const plan = page.getByRole('table', { name: 'Plan' })
  const rows = await readTable(plan)
  expect(rows.length).toBeGreaterThanOrEqual(35)
  for (const row of rows) {
    expect(row.To, `target of ${row.Guest}`).not.toBe('')
    expect(row.Method, `method of ${row.Guest}`).toMatch(/live|cold/)
    expect(row.Why, `why of ${row.Guest}`).not.toBe('')
  }
  await test.step('the placement view plays the plan without touching the host', async () => {
    await page.getByRole('tab', { name: 'Placement view' }).click()
    await page.getByRole('button', { name: 'After' }).click()
    await expect(page.getByText(`Step ${rows.length} of ${rows.length}`)).toBeVisible()
    await page.getByRole('tab', { name: /^Plan \d/ }).click()
  })
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  expect(await confirm(page, `Start drain of ${host}`, { asked: false })).toContain(`${host} is disabled`)
  await expectWithin(clicks, 7, 'play the plan and start it')
  // Migrations on other hosts that make room are in the plan, but do not count as the host's own.
  const own = rows.filter((row) => !row.Method?.includes('makes room'))
  await expect(page.getByRole('main')).toContainText(`${own.length} of ${own.length} migrated`, { timeout: 240_000 })
  await test.step('a finished drain offers to return the host to service', async () => {
    await page.getByRole('button', { name: `Return ${host} to service` }).click()
    await confirm(page, `Return ${host} to service`, { asked: false })
    await expectWithin(clicks, 9, 'return an empty host to service')
  })
  await openHost(page, host)
  await expect(page.getByRole('main')).not.toContainText('disabled')
})
