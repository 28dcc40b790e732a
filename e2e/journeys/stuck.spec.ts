import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../console'
import { bestHost, openHost, openInstance, openMigrateDrawer, startOn, stepOf } from '../operator-actions'
import { expectRow } from '../table'
import { attemptOf } from './attempt'
import { countClicks, expectWithin } from './budget'
import { WHY } from './confirm'
import { runJourneysSql } from './direct-sql'

// S2: a live migration has been cleaning up its source for forty minutes, because the source refuses each time. The
// instance runs at the target, but its record was set to the source by hand. The page shows since when, what each
// witness reports, what each side still holds, and which actions are safe, with evidence. The record is repaired by a
// diff, and the migration ends automatically once its source can be cleaned up.

test('seven clicks find, explain and unblock a migration stuck in source cleanup', async ({ page, second }, info) => {
  const instance = `cache-${210 + attemptOf(info)}`
  const { source, target } = await stuckInCleanup(second, instance)
  await page.goto('/overview')
  const clicks = await countClicks(page)
  const item = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').filter({ hasText: instance })
  await item.locator('a[href^="/migrations/"]').first().click()
  await expectRow(page.getByRole('table', { name: 'Steps', exact: true }), {
    Step: 'release',
    Took: /^4\d min/,
    Result: 'retrying',
  })
  await page.getByRole('tab', { name: 'Facts' }).click()
  await expectFacts(page.getByRole('table', { name: 'Facts by source' }), { source, target })
  await expectWithin(clicks, 2, 'find what is wrong')

  await page.getByRole('tab', { name: 'Claims' }).click()
  await expect(sideOf(page, 'Claim on the source')).toContainText(new RegExp(`${source}.*its migration`))
  await expect(sideOf(page, 'Claim on the target')).toContainText(new RegExp(`${target}.*the instance`))
  await page.getByRole('tab', { name: 'Adviser' }).click()
  const advice = page.getByRole('tabpanel', { name: 'Adviser' })
  await expect(advice).toContainText('release fails and is retried')
  await expectProven(advice, { Wait: 'safe', 'Repair records': 'safe', Abort: 'impossible', Revert: 'impossible' })

  await advice.getByRole('button', { name: 'Review repair' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Repair of/ })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(source)
  await page.getByRole('textbox', { name: 'Reason' }).click()
  await page.keyboard.type(WHY)
  await page.getByRole('button', { name: /^Apply \d+ part/ }).click()
  await expect(page.getByText(/parts? applied/)).toBeVisible()
  await expectWithin(clicks, 7, 'look into it and heal it')

  await clearFaults(second, { source, instance })
  await expect(stepOf(second)).toContainText('completed')
  await second.getByRole('tab', { name: 'Events' }).click()
  await expectRow(second.getByRole('table', { name: 'Events' }), { Event: 'heal applied', Who: 'admin', Reason: WHY })
})

interface Sides {
  readonly source: string
  readonly target: string
}

const AGE = /^(now|\d.* ago)$/

/** The record names the source, both sides are held, the domain was seen only on the target. Each fact has its age. */
async function expectFacts(facts: Locator, { source, target }: Sides): Promise<void> {
  const says = [
    { Source: 'Records, source', Host: source, Reported: `active, on ${source}` },
    { Source: 'Allocations, source', Host: source, Reported: /held by the migration$/ },
    { Source: 'Allocations, target', Host: target, Reported: /held by the instance$/ },
    { Source: 'Hypervisor, source', Host: source, Reported: /^(not there|shut off here)/ },
    { Source: 'Hypervisor, target', Host: target, Reported: 'runs here' },
  ]
  for (const row of says) await expectRow(facts, { ...row, Answered: 'answered', Age: AGE })
}

/** Every action has a verdict and evidence from both hypervisors with its age. These actions have these verdicts. */
async function expectProven(advice: Locator, verdicts: Readonly<Record<string, string>>): Promise<void> {
  const list = advice.getByRole('list', { name: 'What is safe to do' })
  for (const [action, verdict] of Object.entries(verdicts)) {
    await expect(list.getByRole('listitem').filter({ hasText: `${action}.` })).toContainText(verdict)
  }
  const proof = advice.getByRole('list', { name: 'Evidence for several actions' }).getByRole('listitem')
  await expect(proof.filter({ hasText: 'hypervisor' })).toHaveText([/ago|now/, /it runs here.*(ago|now)/])
  for (const action of await list.locator(':scope > li').all()) {
    await expect(action).toContainText(/^(safe|unsafe|impossible|unknown)/)
    await expect(action).toContainText(/Evidence \d/)
  }
}

const sideOf = (page: Page, title: string): Locator =>
  page.getByRole('tabpanel', { name: 'Claims' }).getByRole('region', { name: title })

const CLEAN_FAILS = Array.from({ length: 300 }, (_, n) => ({ on: 'clean', nth: n + 1, goes: 'fail' }))

/** The source refuses every clean-up; then the record is edited. */
async function stuckInCleanup(page: Page, instance: string): Promise<Sides> {
  const [row] = await runJourneysSql<{ host: string; name: string; id: string }>(
    `select h.id as host, h.name, i.id from instance i join host h on h.id = i.host_id where i.name = $1`,
    [instance],
  )
  if (!row) throw new Error(`there is no ${instance}`)
  await runJourneysSql(
    `insert into simulator_record (kind, key, version, hosts, record) values ('host', $1, 1, '{}', $2)
      on conflict (kind, key) do update set version = simulator_record.version + 1,
        record = jsonb_set(simulator_record.record, '{plan}', excluded.record -> 'plan')`,
    [row.host, JSON.stringify({ host: row.host, silent: false, outages: [], bandwidth: [], plan: CLEAN_FAILS })],
  )
  await openInstance(page, instance)
  const drawer = await openMigrateDrawer(page, 'Live-migrate', instance)
  const target = await bestHost(drawer)
  await startOn(page, drawer, target)
  await expect(page.getByRole('main')).toContainText('injected fault')
  await scheduleRetry(instance, '1 hour')
  await runJourneysSql('update instance set host_id = $2 where id = $1', [row.id, row.host])
  await lieBack(row.id)
  // Two surveys of the hypervisors must agree before their result is used.
  await auditNow(page, 2)
  return { source: row.name, target }
}

/**
 * Sets the time of the next retry. A retry writes the migration, so a repair planned before it must be replanned. How
 * often that happens depends on the machine, so there is no retry during the review. A retry that is already running
 * finds the migration changed and writes nothing. The deadline, because without one no migration rests for long.
 */
async function scheduleRetry(instance: string, after: string): Promise<void> {
  await runJourneysSql(
    `update migration set generation = generation + 1, next_at = now() + $2::interval, due_at = now() + $2::interval
      where instance_name = $1 and outcome is null`,
    [instance, after],
  )
}

/** Backdates everything by forty minutes. */
async function lieBack(instance: string): Promise<void> {
  const earlier = (column: string) => `${column} = ${column} - interval '40 minutes'`
  const open = 'instance_id = $1 and outcome is null'
  await runJourneysSql(
    `update migration_step set ${earlier('started_at')}, ${earlier('ended_at')}
      where migration_id in (select id from migration where ${open})`,
    [instance],
  )
  await runJourneysSql(
    `update migration set ${earlier('created_at')}, ${earlier('step_since')},
        progress = jsonb_set(progress, '{at}', to_jsonb((progress ->> 'at')::numeric - 2400000))
      where ${open}`,
    [instance],
  )
}

/** Makes the source accept the clean-up from now on, and retries immediately. Returns to the migration's page. */
async function clearFaults(page: Page, { source, instance }: { source: string; instance: string }): Promise<void> {
  const migrationPage = page.url()
  await openHost(page, source, 'Facts')
  await page.getByRole('button', { name: 'Clear planned faults' }).click()
  await expect(page.getByText('Fault applied')).toBeVisible()
  await scheduleRetry(instance, '0 minutes')
  await page.goto(migrationPage)
}

async function auditNow(page: Page, times: number): Promise<void> {
  const migrationPage = page.url()
  for (let nth = 0; nth < times; nth++) {
    await page.goto('/heal')
    await page.getByRole('button', { name: 'Audit now' }).click()
    await expect(page.getByText(/^Audited in/)).toBeVisible({ timeout: 240_000 })
  }
  await page.goto(migrationPage)
}
