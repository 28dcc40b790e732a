import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { act, addCloud, allowActions, writesIn } from '../cloud-console'
import { readGuestLog } from '../libvirt/guest'
import { whyNoRig } from '../libvirt/prerequisites'
import { isNoSuchDomain } from '../libvirt/witness'
import { DEDICATED_CPUS, HYPERVISORS, type Hypervisor, hypervisorFolder, socketPath } from './config'
import { FindingsPage, FOUND_MS, runPlacementTool } from './findings-page'
import type { Hypervisors } from './hypervisors'
import { expect, test, whyNoModules, whySkipped } from './on-rig'
import { type Records, until } from './real-cloud'
import type { Rig } from './rig'

// Nova's libvirt driver with real domains, and libvirt on its hosts as the third witness, for what no Nova tool sees.

const whyNot = whySkipped ?? whyNoRig() ?? whyNoModules(['libvirt'])
// biome-ignore lint/suspicious/noSkippedTests: the machine cannot run the rig, and the reason is printed
test.skip(whyNot !== null, whyNot ?? '')
test.describe.configure({ mode: 'serial', timeout: 600_000 })

let rig: Rig
let page: Page
let hypervisors: Hypervisors
let address: string
let findings: FindingsPage

test.beforeAll(async ({ stand }) => {
  ;({ rig, page } = stand)
  if (rig.hypervisors === null) throw new Error('This project has no libvirt hosts.')
  hypervisors = rig.hypervisors
  await rig.cloud.pinnedFlavor('pinned', 128)
  await rig.cloud.pinnedFlavor('wide', 192)
  address = await addCloud(page, 'witnessed', rig)
  findings = new FindingsPage(page, address)
  for (const host of HYPERVISORS) await connect(host)
})

async function connect(host: Hypervisor): Promise<void> {
  await page.goto('/hosts?add=host')
  const drawer = page.getByRole('dialog', { name: 'Add host' })
  await drawer.getByRole('button', { name: /Daemon socket/ }).click()
  await page.getByRole('option', { name: socketPath(rig.folder, host), exact: true }).click()
  await drawer.getByRole('button', { name: 'Probe host' }).click()
  await drawer.getByLabel('CPUs for pinned instances').fill(DEDICATED_CPUS)
  await drawer.getByLabel('Reason').fill('third witness')
  await drawer.getByRole('button', { name: `Add ${host}` }).click()
  await expect(page).toHaveURL(/\/hosts\/[0-9a-f-]{36}$/)
}

async function booted(name: string, host: Hypervisor): Promise<string> {
  const id = await rig.cloud.bootGuest(name, host, 'pinned')
  await rig.cloud.untilRecords(id, 'boot', ({ state }) => state === 'active rests')
  return id
}

/** Serial output of the guest on the machine where it runs. */
const wordsOf = (id: string, host: Hypervisor) =>
  readGuestLog(path.join(hypervisorFolder(rig.folder, host), 'disks', id, 'console.log'))

const bootOf = (id: string, host: Hypervisor) => until(`${id} speaks on ${host}`, async () => wordsOf(id, host).boot)

interface Domain {
  readonly state: string
  /** vCPU to CPU, such as `0 to 2, 1 to 5`. */
  readonly pins: string
}

/** The domain on each machine, from `virsh`. */
async function domainsOf(id: string): Promise<Readonly<Partial<Record<Hypervisor, Domain>>>> {
  const domains = HYPERVISORS.map(async (host) => {
    const ask = (...words: readonly string[]) => hypervisors.virsh(host, ...words)
    // It may be migrating to the other machine.
    const output = await Promise.all([ask('domstate', id), ask('dumpxml', id)]).catch((error) => {
      if (isNoSuchDomain(error)) return null
      throw error
    })
    if (output === null) return []
    const [state, xml] = [output[0].trim(), output[1]]
    const pins = [...xml.matchAll(/vcpupin vcpu='(\d+)' cpuset='([\d,-]+)'/g)]
    return [[host, { state, pins: pins.map(([, guest, cpu]) => `${guest} to ${cpu}`).join(', ') }]]
  })
  return Object.fromEntries((await Promise.all(domains)).flat())
}

const drift = (name: string) =>
  page.getByRole('table', { name: 'Nova, Placement and libvirt' }).getByRole('row').filter({ hasText: name })

/** Nova, Placement and libvirt agree on the instance, and Berth shows the same. */
async function expectAgreement(name: string, id: string, host: Hypervisor): Promise<void> {
  const pins = await rig.cloud.pins(id)
  const records = await rig.cloud.records(id)
  expect([records.state, records.host, records.held, records.heldByMigrations]).toEqual([
    ...['active rests', host, [host], []],
  ])
  expect(await domainsOf(id)).toEqual({ [host]: { state: 'running', pins } })
  await page.goto(`${address}?tab=drift`)
  await expect(drift(name)).toContainText(`active on ${host}, running, pinned ${pins}`)
  await expect(drift(name)).toContainText(`2 PCPU on ${host}`)
  await expect(drift(name)).toContainText(`running on ${host}, pinned ${pins}`)
}

test('the map of a host has the pins of libvirt, and three columns of drift agree', async () => {
  const id = await booted('pinned-1', 'hv1')
  await bootOf(id, 'hv1')
  await page.goto(`${address}/hosts/hv1`)
  await expect(page.getByText(/^as reported by libvirt on hv1 at/)).toBeVisible()
  for (const cpu of cpusOf(await rig.cloud.pins(id)))
    await expect(page.getByRole('button', { name: new RegExp(`^CPU ${cpu},`) })).toHaveAccessibleName(/held, pinned-1/)
  await expectAgreement('pinned-1', id, 'hv1')
  await findings.open()
  await expect(findings.none()).toBeVisible()
})

test('the cloud received only GETs and the sign-in while actions were not allowed', async () => {
  expect(rig.log.length).toBeGreaterThan(30)
  expect(writesIn(rig.log)).toEqual([])
  await allowActions(page, address)
})

test('a live migration through the console keeps the boot, on the CPUs that Nova records', async () => {
  const id = await booted('moved-1', 'hv1')
  const boot = await bootOf(id, 'hv1')
  const live = { tab: 'instances', row: 'moved-1', verb: 'Live-migrate instance' } as const
  await act(page, address, { ...live, choose: { Destination: /^hv2/ } })
  await rig.cloud.untilRecords(id, 'end', ({ heldByMigrations }) => heldByMigrations.length === 0)
  expect(await bootOf(id, 'hv2')).toBe(boot)
  await expectAgreement('moved-1', id, 'hv2')
})

test('cold migration and resize end on the CPUs that Nova records each time', async () => {
  const id = await booted('cold-1', 'hv1')
  const boots = [await bootOf(id, 'hv1')]
  const ask = (verb: string, choose = {}) => act(page, address, { tab: 'instances', row: 'cold-1', verb, choose })
  const isOver = ({ heldByMigrations, state }: Records) => state === 'active rests' && heldByMigrations.length === 0
  const expectNewBoot = async () => {
    await expect.poll(() => wordsOf(id, 'hv2').boot).toEqual(expect.any(String))
    await expect.poll(() => boots.includes(wordsOf(id, 'hv2').boot ?? '')).toBe(false)
    boots.push(await bootOf(id, 'hv2'))
  }
  await ask('Cold-migrate instance', { Destination: /^hv2/ })
  await ask('Confirm migration')
  expect((await rig.cloud.untilRecords(id, 'confirm', isOver)).migration).toBe('confirmed')
  await expectNewBoot()
  await expectAgreement('cold-1', id, 'hv2')
  await ask('Resize instance', { Flavor: /^wide/ })
  await ask('Revert migration')
  expect((await rig.cloud.untilRecords(id, 'revert', isOver)).migration).toBe('reverted')
  await expectNewBoot()
  await expectAgreement('cold-1', id, 'hv2')
})

const cpusOf = (pins: string) => pins.split(', ').map((pin) => pin.split(' to ')[1])
const overlap = (one: string, other: string) => cpusOf(one).some((cpu) => cpusOf(other).includes(cpu))
const another = (host: Hypervisor) => booted(`second-${Date.now()}`, host)

/** Pinned CPUs as recorded by Nova. */
async function cpusTaken(host: Hypervisor): Promise<readonly (string | undefined)[]> {
  const { servers } = (await rig.cloud.nova('GET', `/servers/detail?all_tenants=1&host=${host}`)).body
  const pins: readonly string[] = await Promise.all(
    servers.map(({ id }: { readonly id: string }) => rig.cloud.pins(id)),
  )
  return pins.flatMap(cpusOf)
}

/** Nova's resource tracker updates each host every 20 s. */
const AUDIT_MS = 25_000
/** Nova saves the CPUs while it cleans up on the target, after it has set the migration to failed. */
const SAVED_MS = 15_000
const FAILURES_MS = 240_000
const PINS_DIFFER = 'An instance runs on other CPUs than Nova records'
const PINNED_TWICE = 'Two instances are pinned to one CPU'

test('Berth names two instances that a failed live migration left on one CPU, and one plan repairs it', async () => {
  const victim = await booted('victim-1', 'hv1')
  const boot = await bootOf(victim, 'hv1')
  const real = await rig.cloud.pins(victim)
  // Occupy on the target all CPUs that are in use here, so that a claim there gets CPUs that are free here.
  const here = await cpusTaken('hv1')
  const neighbours: string[] = []
  for (let there = await cpusTaken('hv2'); here.some((cpu) => !there.includes(cpu)); there = await cpusTaken('hv2'))
    neighbours.push(await another('hv2'))
  const inTheWay = path.join(hypervisorFolder(rig.folder, 'hv2'), 'disks', victim)
  const pinsAfterFailure = async () => {
    fs.mkdirSync(inTheWay)
    await rig.cloud.act(victim, { 'os-migrateLive': { host: 'hv2', block_migration: 'auto' } })
    await rig.cloud.untilRecords(
      victim,
      'failure',
      ({ migration, state }) => `${migration} ${state}` === 'failed active rests',
    )
    fs.rmSync(inTheWay, { recursive: true, force: true })
    await pause(SAVED_MS)
    return rig.cloud.pins(victim)
  }
  // Both hosts save the instance during clean-up, and the last one wins, so not every failure leaves the target's CPUs.
  await expect.poll(pinsAfterFailure, { timeout: FAILURES_MS }).not.toBe(real)
  for (const each of neighbours) await rig.cloud.remove(each)
  const recorded = await rig.cloud.pins(victim)
  // From its next update of the host on, Nova counts the real CPUs of the domain as free. Before that it gives the CPUs
  // just recorded to another instance, and then the update fails.
  await pause(AUDIT_MS)
  const more = [await another('hv1')]
  while (!overlap(await rig.cloud.pins(more[0] ?? ''), real)) more.unshift(await another('hv1'))
  const [second = ''] = more
  const begun = Date.now()
  expect(await domainsOf(victim)).toEqual({ hv1: { state: 'running', pins: real } })
  expect(await domainsOf(second)).toEqual({ hv1: { state: 'running', pins: await rig.cloud.pins(second) } })
  await findings.open()
  const differs = { title: PINS_DIFFER, about: 'victim-1' }
  const twice = { title: PINNED_TWICE, about: '' }
  await findings.expectOnly([differs, twice])
  console.log(`found after ${Date.now() - begun} ms`)
  await findings.row(differs).click()
  await expect(
    findings.pane().getByText(/^Migration \d+ failed, and Nova saved the CPUs that it had claimed/),
  ).toBeVisible()
  await findings.row(twice).click()
  await expect(
    findings.pane().getByText(/^(victim-1 and second-\d+|second-\d+ and victim-1) both run on CPUs? /),
  ).toBeVisible()

  await sayTools()
  await findings.repair(differs)
  await expect(findings.none()).toBeVisible({ timeout: FOUND_MS })
  await expect.poll(() => wordsOf(victim, 'hv1').boot).not.toBe(boot)
  expect(await rig.cloud.pins(victim)).toBe(recorded)
  await expectAgreement('victim-1', victim, 'hv1')
  const { server } = (await rig.cloud.nova('GET', `/servers/${second}`)).body
  await expectAgreement(server.name, second, 'hv1')
  expect(await runPlacementTool(rig, 'audit')).toBe('')
  for (const each of more) await rig.cloud.remove(each)
})

/** Prints what Nova's own tools report. */
async function sayTools(): Promise<void> {
  console.log(await runPlacementTool(rig, 'heal_allocations', '--dry-run'))
  console.log(await runPlacementTool(rig, 'audit'))
}

/** Nothing but reads and sign-ins is sent while a page is open. */
async function expectNoWrites(look: () => Promise<void>): Promise<void> {
  const before = rig.log.length
  await look()
  expect(writesIn(rig.log.slice(before))).toEqual([])
}

/** The finding is critical, and no repair is offered. */
async function expectFoundAndLeft(title: string, { about, cause }: { about: string; cause: RegExp }): Promise<void> {
  await findings.open()
  const row = findings.row({ title, about })
  await expect(row).toContainText('critical', { timeout: FOUND_MS })
  await row.click()
  await expect(findings.pane().getByText(cause)).toBeVisible()
  await expect(findings.pane().getByRole('button', { name: 'Apply repair' })).toBeHidden()
}

test('Berth finds an instance that arrived while nova-compute was dead, and changes nothing', async () => {
  const id = await booted('arrived-1', 'hv1')
  const boot = await bootOf(id, 'hv1')
  await rig.cloud.act(id, { 'os-migrateLive': { host: 'hv2', block_migration: 'auto' } })
  await rig.cloud.untilRecords(id, 'copy', ({ migration }) => migration === 'running')
  rig.signal('hv1', 'SIGKILL')
  await until('the instance arrives', async () => {
    const { hv1, hv2 } = await domainsOf(id)
    return hv1 === undefined && hv2?.state === 'running'
  })
  rig.revive('hv1')
  await rig.cloud.untilRecords(
    id,
    'return of nova-compute',
    ({ migration, state }) => `${migration} ${state}` === 'error active rests',
  )
  await expectNoWrites(() =>
    expectFoundAndLeft('An instance runs on another host than Nova records', {
      about: 'arrived-1',
      cause: /^The instance runs on hv2, and Nova records it on hv1/,
    }),
  )
  await sayTools()
  expect(await bootOf(id, 'hv2')).toBe(boot)
  expect((await domainsOf(id)).hv2?.state).toBe('running')
})

test('Berth finds both copies after an evacuation of a live instance, and stops neither', async () => {
  const id = await booted('twice-1', 'hv1')
  const boot = await bootOf(id, 'hv1')
  rig.signal('hv1', 'SIGKILL')
  await rig.cloud.forceDown('hv1', true)
  await rig.cloud.act(id, { evacuate: { host: 'hv2' } })
  await rig.cloud.untilRecords(
    id,
    'evacuation',
    ({ migration, state }) => `${migration} ${state}` === 'done active rests',
  )
  const copy = await bootOf(id, 'hv2')
  expect(copy).not.toBe(boot)
  await expectNoWrites(() =>
    expectFoundAndLeft('An instance runs on two hosts', {
      about: 'twice-1',
      cause: /^The instance runs on hv\d and hv\d/,
    }),
  )
  await sayTools()
  expect(await domainsOf(id)).toMatchObject({ hv1: { state: 'running' }, hv2: { state: 'running' } })
  expect([await bootOf(id, 'hv1'), await bootOf(id, 'hv2')]).toEqual([boot, copy])
})
