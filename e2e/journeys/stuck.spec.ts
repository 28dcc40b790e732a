import type { Page } from '@playwright/test'
import { expect, test } from '../console'
import { bestHost, openHost, openInstance, openMoveDrawer, startOn, stepOf } from '../moves'
import { expectRow } from '../table'
import { attemptOf } from './attempt'
import { behindItsBack } from './behind'
import { countClicks, expectWithin } from './budget'
import { WHY } from './confirm'

// S2: a live move has sat in the cleanup of its source for forty minutes, because the source says no each time. The
// guest runs at the target, and somebody has set the record to the source by hand. What is safe is told with its proof,
// the record is healed by a diff, and the move ends by itself once its source can be cleaned.

test('a move stuck in source cleanup is found in two clicks and put right in seven', async ({ page, second }, info) => {
  const guest = `cache-${210 + attemptOf(info)}`
  const source = await stuckInCleanup(second, guest)
  await page.goto('/overview')
  const clicks = await countClicks(page)
  const item = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').filter({ hasText: guest })
  await item.locator('a[href^="/migrations/"]').first().click()
  await page.getByRole('tab', { name: 'Adviser' }).click()
  await expectWithin(clicks, 2, 'find what is wrong')
  const advice = page.getByRole('tabpanel', { name: 'Adviser' })
  await expect(advice).toContainText('release fails and is tried again')
  await expect(advice).toContainText('the guest runs here')
  await expect(advice.getByRole('listitem').filter({ hasText: 'Abort' })).toContainText('impossible')

  await advice.getByRole('button', { name: 'Plan heal' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Heal of/ })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(source)
  await page.getByRole('textbox', { name: 'Reason' }).fill(WHY)
  await page.getByRole('button', { name: /^Apply \d+ part/ }).click()
  await expect(page.getByText(/parts? applied/)).toBeVisible()
  await expectWithin(clicks, 7, 'heal it')

  const move = second.url()
  await openHost(second, source, 'Facts')
  await second.getByRole('button', { name: 'Clear planned faults' }).click()
  await second.goto(move)
  await expect(stepOf(second)).toContainText('completed')
  await second.getByRole('tab', { name: 'Events' }).click()
  await expectRow(second.getByRole('table', { name: 'Events' }), { What: 'heal applied', Who: 'admin', Reason: WHY })
})

const CLEAN_FAILS = Array.from({ length: 300 }, (_, n) => ({ on: 'clean', nth: n + 1, goes: 'fail' }))

/** The source refuses every cleanup; then somebody edits the record. Answers its name. */
async function stuckInCleanup(page: Page, guest: string): Promise<string> {
  const [row] = await behindItsBack<{ host: string; name: string; id: string }>(
    `select h.id as host, h.name, i.id from instance i join host h on h.id = i.host_id where i.name = $1`,
    [guest],
  )
  if (!row) throw new Error(`there is no ${guest}`)
  await behindItsBack(
    `insert into simulator_record (kind, key, version, hosts, record) values ('host', $1, 1, '{}', $2)
      on conflict (kind, key) do update set version = simulator_record.version + 1,
        record = jsonb_set(simulator_record.record, '{plan}', excluded.record -> 'plan')`,
    [row.host, JSON.stringify({ host: row.host, silent: false, outages: [], bandwidth: [], plan: CLEAN_FAILS })],
  )
  await openInstance(page, guest)
  const drawer = await openMoveDrawer(page, 'Live-migrate', guest)
  await startOn(page, drawer, await bestHost(drawer))
  await expect(page.getByRole('main')).toContainText('planned fault')
  await behindItsBack('update instance set host_id = $2 where id = $1', [row.id, row.host])
  await behindItsBack(
    `update migration set step_since = step_since - interval '40 minutes',
        progress = jsonb_set(progress, '{at}', to_jsonb((progress ->> 'at')::numeric - 2400000))
      where instance_id = $1 and outcome is null`,
    [row.id],
  )
  // Two looks at the hypervisors must agree before anything rests on them.
  await auditNow(page, 2)
  return row.name
}

async function auditNow(page: Page, times: number): Promise<void> {
  const move = page.url()
  for (let nth = 0; nth < times; nth++) {
    await page.goto('/heal')
    await page.getByRole('button', { name: 'Audit now' }).click()
    await expect(page.getByText(/^Audited in/)).toBeVisible({ timeout: 240_000 })
  }
  await page.goto(move)
}
