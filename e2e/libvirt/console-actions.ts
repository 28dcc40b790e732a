import fs from 'node:fs'
import path from 'node:path'
import { expect, type Page } from '@playwright/test'
import { instanceNamed, mutateApi } from '../api'
import { confirm, WHY } from '../journeys/confirm'
import { holdingsOf, openHost, openInstance, openMigrateDrawer, pickHost, startOn, stepOf } from '../operator-actions'
import { expectRow, rowNamed } from '../table'
import type { RealFleet } from './fleet'
import { FOREIGN_DOMAIN, readGuestLog } from './guest'
import type { RigHost } from './rig-host'
import { affinityOf, domainsOf, foldedCpu, pinsOf } from './witness'

// Actions of an operator on real hosts and real instances in the console, and checks outside Berth.

export interface OperatorSession {
  readonly page: Page
  readonly fleet: RealFleet
}

export const hostNamed = ({ fleet }: OperatorSession, name: string): RigHost => {
  const found = fleet.rig.hosts.find((host) => host.name === name)
  if (!found) throw new Error(`the rig has no ${name}`)
  return found
}

/** Labels to press, in the order of the guide. */
function guideSteps(): readonly string[] {
  const guide = fs.readFileSync(path.join(import.meta.dirname, '../../docs/first-host.md'), 'utf8')
  const [, section = ''] = /## From the console\n([\s\S]*?)\n## /.exec(guide) ?? []
  const numbered = section.split('\n').filter((line) => /^\d\. /.test(line))
  return [...numbered.join(' ').matchAll(/\*([^*]+)\*/g)].map(([, label = '']) => label)
}

/** Follows the steps of docs/first-host.md until the map of the host is open. */
export async function followGuide({ page }: OperatorSession, host: RigHost): Promise<void> {
  const [hosts = '', add = '', user = '', probe = '', put = '', ...more] = guideSteps()
  expect(more).toEqual([])
  await page.goto('/overview')
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: hosts, exact: true }).click()
  await page.getByRole('button', { name: add }).first().click()
  const drawer = page.getByRole('dialog', { name: add })
  await drawer.getByRole('button', { name: /Daemon socket/ }).click()
  await page.getByRole('option', { name: host.socketPath, exact: true }).click()
  await drawer.getByText(user, { exact: true }).click()
  await drawer.getByRole('button', { name: probe }).click()
  await expect(drawer.getByRole('table', { name: 'Domains' })).toContainText(FOREIGN_DOMAIN)
  await drawer.getByLabel('CPUs for pinned instances').fill('0-7')
  await drawer.getByLabel('Reason').fill(WHY)
  await drawer.getByRole('button', { name: new RegExp(`^${put} `) }).click()
  await expect(page).toHaveURL(/\/hosts\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1, name: host.name })).toBeVisible()
}

export async function enableHost({ page }: OperatorSession, host: string): Promise<void> {
  await openHost(page, host)
  await page.getByRole('button', { name: 'Host actions' }).click()
  await page.getByRole('menuitem', { name: 'Enable scheduling' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Enable scheduling' }).click()
  await expect(page.getByText(`${host} enabled`)).toBeVisible()
}

/** Two pinned vCPUs on two NUMA nodes. */
export async function createFlavor(
  { page }: OperatorSession,
  name: string,
  { memoryMib, diskGib = 0 }: { readonly memoryMib: number; readonly diskGib?: number },
): Promise<void> {
  await page.goto('/settings/catalog')
  await page.getByRole('button', { name: 'Create flavor' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  for (const [label, value] of [
    ['vCPUs', 2],
    ['Memory (MiB)', memoryMib],
    ['Disk (GiB)', diskGib],
  ] as const)
    await dialog.getByRole('textbox', { name: label }).fill(String(value))
  await dialog.getByRole('textbox', { name: 'Extra specs' }).fill('hw:cpu_policy=dedicated\nhw:numa_nodes=2')
  await confirm(page, 'Create flavor')
  await expect(page.getByText(`Flavor ${name} created`)).toBeVisible()
}

/** Uses the image with the instance's name, whose domain XML sets the console log. */
export async function build(
  { page }: OperatorSession,
  instance: string,
  on: { flavor: string; host: string },
): Promise<void> {
  await page.goto('/instances')
  await page.getByRole('button', { name: 'Build instance' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Build instance' })
  await drawer.getByRole('textbox', { name: 'Name' }).fill(instance)
  for (const [label, option] of [
    ['Flavor', on.flavor],
    ['Image', instance],
  ] as const) {
    await drawer.getByRole('combobox', { name: label }).fill(option)
    await page.getByRole('option', { name: option }).click()
  }
  await rowNamed(drawer.getByRole('table', { name: 'Verdict' }), on.host).click()
  await drawer.getByRole('button', { name: `Build ${instance} on ${on.host}` }).click()
  await page.getByRole('link', { name: 'Open instance' }).click()
}

/** On the page of a migration in transfer. */
export async function setLimits(
  { page }: OperatorSession,
  limits: { readonly bandwidthMibPerS: number; readonly maxDowntimeMs: number },
): Promise<void> {
  await page.getByRole('tab', { name: 'Transfer' }).click()
  await page.getByRole('button', { name: 'Change limits' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('textbox', { name: 'Bandwidth (MiB/s)' }).fill(String(limits.bandwidthMibPerS))
  await dialog.getByRole('textbox', { name: 'Longest downtime (ms)' }).fill(String(limits.maxDowntimeMs))
  await confirm(page, 'Change limits')
  await expect(page.getByText(`Bandwidth ${limits.bandwidthMibPerS} MiB/s`)).toBeVisible()
}

interface Start {
  readonly operation: string
  readonly to: string
  readonly flavor?: string
  readonly image?: string
}

/** Leaves the page of the migration open. */
export async function startMigration(
  { page }: OperatorSession,
  instance: string,
  { operation, to, flavor, image }: Start,
): Promise<void> {
  await openInstance(page, instance)
  const drawer = await openMigrateDrawer(page, operation, instance)
  for (const [label, option] of [
    ['New flavor', flavor],
    ['New image', image],
  ] as const) {
    if (option === undefined) continue
    await drawer.getByRole('combobox', { name: label }).fill(option)
    await page.getByRole('option', { name: option }).click()
  }
  await startOn(page, drawer, to)
}

/** In the drawer that starts a live migration: the hypervisor samples the dirty rate for the estimate. */
export async function measureMemory({ page }: OperatorSession, instance: string, to: string): Promise<void> {
  await openInstance(page, instance)
  const drawer = await openMigrateDrawer(page, 'Live-migrate', instance)
  await pickHost(drawer, to)
  const panel = drawer.getByRole('complementary')
  await expect(panel).not.toContainText('would choose this host')
  await expect(panel).toContainText('for each round over the memory')
  await expect(panel).toContainText('unknown, needs a memory measurement')
  // A failure says whether the click sent no request, the request got no answer, or the answer was not shown.
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().includes('migrate.measureMemory')),
    panel.getByRole('button', { name: 'Measure memory' }).click(),
  ])
  expect(answer.status()).toBe(200)
  await expect(panel).toContainText('up to about')
  await expect(panel).toContainText('up to 300 ms (set by the hypervisor)')
  await expect(panel).toContainText('0 B/s')
}

/** On the page of a completed live migration. */
export async function expectEstimateAndResult({ page }: OperatorSession): Promise<void> {
  await page.getByRole('tab', { name: 'Transfer' }).click()
  const rows = page.getByRole('table', { name: 'Estimate and result' })
  const measured = { Duration: /\d/, Downtime: / m?s$/, Bandwidth: /MiB\/s$/ }
  for (const [Figure, Measured] of Object.entries(measured))
    await expectRow(rows, { Figure, 'Estimated at the start': /\d/, Measured })
}

/** Deletes the instance and waits until no host has its domain. */
export async function deleteInstance({ page, fleet }: OperatorSession, instance: string): Promise<void> {
  await openInstance(page, instance)
  await page.getByRole('main').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: `Delete ${instance}` }).click()
  await confirm(page, `Delete ${instance}`, { typed: instance })
  for (const host of fleet.rig.hosts) await expect.poll(() => domainsOf(fleet, host)).toEqual([])
}

/** The host loses power and boots again. */
export async function powerCycle(operator: OperatorSession, name: string): Promise<void> {
  const host = hostNamed(operator, name)
  await host.down()
  await host.boot()
}

/** The host does not answer: the operator lets a fencing device power it off. */
export async function fence({ page }: OperatorSession, host: string): Promise<void> {
  await mutateApi(page.request, 'finding.audit', {})
  await openHost(page, host)
  await page.getByRole('link', { name: 'Evacuate…' }).click()
  await expect(page.getByRole('button', { name: `Fence ${host}`, exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Mark as fenced…' })).toBeHidden() // the fencing device can verify it
  await confirmFencing({ page }, `Fence ${host}`)
}

/** On the page of the evacuation. */
export async function confirmFencing({ page }: Pick<OperatorSession, 'page'>, button: string): Promise<void> {
  const host = button.replace(/^Fence (\S+).*$/, '$1')
  await page.getByRole('button', { name: button, exact: true }).click()
  await confirm(page, `Fence ${host}`, { typed: host })
}

/** Commands and answers of the fencing device, on the page of the evacuation. */
export const attemptOn = ({ page }: Pick<OperatorSession, 'page'>) =>
  page.getByRole('region', { name: 'Fencing device' })

/** On the page of the evacuation, once the host is confirmed powered off. */
export async function evacuate({ page }: OperatorSession, host: string): Promise<void> {
  await page.getByRole('button', { name: 'Start evacuation' }).click()
  await confirm(page, `Evacuate ${host}`, { asked: false })
  await page.getByRole('link', { name: 'Open evacuation' }).click()
  await expect(page.getByRole('main')).toContainText(/(\d+) of \1 rebuilt/)
}

export async function markAsUp({ page }: OperatorSession, host: string): Promise<void> {
  await openHost(page, host)
  await page.getByRole('button', { name: 'Host actions' }).click()
  await page.getByRole('menuitem', { name: 'Mark as up' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Mark as up' }).click()
}

/** Waits until memory is copied: the target's daemon shows the paused target domain. */
export async function untilCopying(operator: OperatorSession, to: string): Promise<void> {
  const arriving = expect.objectContaining({ state: 'paused (migrating)' })
  await expect.poll(() => domainsOf(operator.fleet, hostNamed(operator, to))).toEqual([arriving])
}

/** On the page of a live migration; the dialog names the method. */
export async function forceByPostCopy({ page }: OperatorSession, instance: string): Promise<void> {
  await page
    .getByRole('group', { name: 'Actions on this migration' })
    .getByRole('button', { name: 'Force-complete' })
    .click()
  const dialog = page.getByRole('alertdialog', { name: `Force-complete ${instance}` })
  await expect(dialog).toContainText('Method: post-copy')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(WHY)
  await dialog.getByRole('button', { name: `Force-complete ${instance}` }).click()
  await expect(dialog).toBeHidden()
}

export async function expectEnd({ page }: OperatorSession, outcome: string): Promise<void> {
  await expect(stepOf(page)).toContainText(outcome)
}

/** It has a claim on that host only, runs there only, and QEMU's threads run on the CPUs of the claim. */
export async function expectRunning(
  operator: OperatorSession,
  instance: string,
  host: string,
): Promise<readonly string[]> {
  const { page, fleet } = operator
  await openInstance(page, instance)
  await expect.poll(() => holdingsOf(page)).toEqual([expect.objectContaining({ host, mark: 'held' })])
  const { id: uuid } = await instanceNamed(page.request, instance)
  const shown = { uuid, state: expect.stringMatching(/^running/) }
  for (const each of fleet.rig.hosts.filter((one) => one.isUp()))
    await expect.poll(() => domainsOf(fleet, each)).toEqual(each.name === host ? [shown] : [])
  const [holding] = await holdingsOf(page)
  const pins = (holding?.cpus ?? []).map((text) => text.replace(/^vCPU (\d+) on CPU (\d+)$/, '$1→$2')).sort()
  expect(pins).toHaveLength(2)
  expect(await pinsOf(hostNamed(operator, host), uuid)).toEqual({ live: pins, stored: pins })
  expect(affinityOf(uuid)).toEqual(pins.map((pin) => pin.replace(/\d+$/, foldedCpu)))
  return pins
}

/** It still runs and has not booted again since. */
export async function expectSameBoot(
  { fleet }: OperatorSession,
  instance: string,
  boots: readonly string[],
): Promise<void> {
  const words = () => readGuestLog(fleet.logOf(instance))
  const { ticks } = words()
  await expect.poll(() => words().ticks).toBeGreaterThan(ticks)
  expect(words().boots).toEqual(boots)
}
