import path from 'node:path'
import type { Page } from '@playwright/test'
import { act, addCloud, allowActions, writesIn } from '../cloud-console'
import { whyNoRig } from '../libvirt/able'
import { readGuestLog } from '../libvirt/guest'
import { DEDICATED_CPUS, HYPERVISORS, type Hypervisor, hypervisorFolder, socketPath } from './config'
import { FindingsPage } from './findings-page'
import type { Hypervisors } from './hypervisors'
import { expect, test, whySkipped } from './on-rig'
import { until } from './real-cloud'
import type { Rig } from './rig'

// Nova's libvirt driver with real guests, and the libvirt of its hosts as the third witness: what no tool of Nova sees.

const whyNot = whySkipped ?? whyNoRig()
// biome-ignore lint/suspicious/noSkippedTests: the machine cannot carry the rig, and the reason is printed
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
  await rig.cloud.pinnedFlavor('pinned')
  address = await addCloud(page, 'witnessed', rig)
  findings = new FindingsPage(page, address)
  for (const host of HYPERVISORS) await connect(host)
})

async function connect(host: Hypervisor): Promise<void> {
  await page.goto('/hosts?add=host')
  const drawer = page.getByRole('dialog', { name: 'Add host' })
  await drawer.getByRole('button', { name: /Socket of the daemon/ }).click()
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

/** What the guest says on the machine where it runs. */
const wordsOf = (id: string, host: Hypervisor) =>
  readGuestLog(path.join(hypervisorFolder(rig.folder, host), 'disks', id, 'console.log'))

const bootOf = (id: string, host: Hypervisor) => until(`${id} speaks on ${host}`, async () => wordsOf(id, host).boot)

interface Domain {
  readonly state: string
  /** Such as `0 to 2, 1 to 5`. */
  readonly pins: string
}

/** By machine, as `virsh` says there. */
async function domainsOf(id: string): Promise<Readonly<Partial<Record<Hypervisor, Domain>>>> {
  const domains = HYPERVISORS.map(async (host) => {
    const all = await hypervisors.virsh(host, 'list', '--all', '--uuid')
    if (!all.includes(id)) return []
    const state = (await hypervisors.virsh(host, 'domstate', id)).trim()
    const pins = [
      ...(await hypervisors.virsh(host, 'dumpxml', id)).matchAll(/vcpupin vcpu='(\d+)' cpuset='([\d,-]+)'/g),
    ]
    return [[host, { state, pins: pins.map(([, guest, cpu]) => `${guest} to ${cpu}`).join(', ') }]]
  })
  return Object.fromEntries((await Promise.all(domains)).flat())
}

const drift = (name: string) =>
  page.getByRole('table', { name: 'Nova, Placement and libvirt' }).getByRole('row').filter({ hasText: name })

/** Nova, Placement and libvirt say the same of it, and Berth shows what they say. */
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

test('the map of a host has the pins that libvirt has, and three columns of drift say the same', async () => {
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

test('with actions not allowed, nothing but GETs and the sign-in has reached the cloud', async () => {
  expect(rig.log.length).toBeGreaterThan(30)
  expect(writesIn(rig.log)).toEqual([])
  await allowActions(page, address)
})

test('a guest migrates live through the console: the same boot goes on, on the CPUs that Nova records', async () => {
  const id = await booted('moved-1', 'hv1')
  const boot = await bootOf(id, 'hv1')
  const live = { tab: 'instances', row: 'moved-1', verb: 'Live-migrate instance' } as const
  await act(page, address, { ...live, choose: { Destination: /^hv2/ } })
  await rig.cloud.untilRecords(id, 'end', ({ heldByMigrations }) => heldByMigrations.length === 0)
  expect(await bootOf(id, 'hv2')).toBe(boot)
  await expectAgreement('moved-1', id, 'hv2')
})

const cpusOf = (pins: string) => pins.split(', ').map((pin) => pin.split(' to ')[1])
