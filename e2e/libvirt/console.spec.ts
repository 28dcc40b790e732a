import { expect, type Page, test } from '@playwright/test'
import { instanceNamed, mutateApi } from '../api'
import { openHost, requestAction } from '../operator-actions'
import { ADMIN, signIn } from '../users'
import {
  attemptOn,
  build,
  confirmFencing,
  createFlavor,
  deleteInstance,
  enableHost,
  evacuate,
  expectEnd,
  expectEstimateAndResult,
  expectRunning,
  expectSameBoot,
  fence,
  followGuide,
  forceByPostCopy,
  hostNamed,
  markAsUp,
  measureMemory,
  type OperatorSession,
  powerCycle,
  setLimits,
  startMigration,
  untilCopying,
} from './console-actions'
import { importHost, type RealFleet, startFleet } from './fleet'
import { FOREIGN_DOMAIN, readGuestLog } from './guest'
import { diskSays, POOL, volumesAt, writeToDisk } from './pool'
import { whyNoPostCopy, whyNoRig } from './prerequisites'
import { domainsOf, expectAgreement } from './witness'

// Two real libvirt hosts and a real instance with two NUMA nodes, driven through the console. After each test `virsh`
// on both hosts, the claims and the audit agree, and foreign domains are unchanged.

const why = whyNoRig()
if (why !== null) console.log(`skipped: ${why}`)
// biome-ignore lint/suspicious/noSkippedTests: the machine cannot run the rig, and the reason is printed
test.skip(why !== null, why ?? '')
test.describe.configure({ mode: 'serial' })

const INSTANCE = 'web-1'
const DISK_INSTANCE = 'db-1'
const WITH_DISK = 'rig.disk'
const PINNED = 'rig.pinned'
const LARGER = 'rig.larger'
/** QEMU does not sample NUMA nodes smaller than 128 MiB for the dirty rate. */
const [PINNED_MIB, LARGER_MIB] = [256, 320]
/** Slow enough that a migration is still active when it is observed. */
const SLOW = ['--migration', 'bandwidth=2', '--pool', POOL]
/** Copying a disk of 1 GiB takes ten seconds. */
const WITH_DISKS = ['--migration', 'bandwidth=100', '--pool', POOL]

let fleet: RealFleet
let page: Page
let operator: OperatorSession
let boots: readonly string[]

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000)
  fleet = await startFleet(2, { bare: [INSTANCE], withDisk: [DISK_INSTANCE] })
  const context = await browser.newContext({ baseURL: fleet.server.origin })
  await signIn(context.request, ADMIN)
  page = await context.newPage()
  operator = { page, fleet }
})

test.afterAll(async () => {
  await page?.context().close()
  await fleet?.end()
})

async function beginCopying(to: string): Promise<void> {
  await startMigration(operator, INSTANCE, { operation: 'Live-migrate', to })
  await untilCopying(operator, to)
}

/** Expects the migration to end like this, and the guest to run on that host without a reboot. */
async function expectEndOn(outcome: string, host: string): Promise<void> {
  await expectEnd(operator, outcome)
  await expectRunning(operator, INSTANCE, host)
  await expectSameBoot(operator, INSTANCE, boots)
}

test.afterEach(async () => {
  if (test.info().status !== 'passed') return
  await expectAgreement(page.request, fleet)
  expect(await fleet.foreignDomains.touched()).toEqual([])
})

test('the guide leads to the map of the first host, which takes nothing before Berth may control it', async () => {
  await followGuide(operator, hostNamed(operator, 'hv1'))
  await page.getByRole('button', { name: 'Host actions' }).click()
  const enable = page.getByRole('menuitem', { name: 'Enable scheduling' })
  await expect(enable).toContainText('Unavailable: Berth may only read this host')
  await expect(enable).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
})

test('the import command adds two hosts, and they are enabled', async () => {
  const { hosts } = fleet.rig
  for (const output of await Promise.all(hosts.map((host) => importHost(host))))
    expect(output).toContain(`${FOREIGN_DOMAIN}, running`)
  await Promise.all(hosts.map((host) => importHost(host, ['--apply', ...WITH_DISKS])))
  for (const { name } of hosts) await enableHost(operator, name)
})

test.describe('an instance whose disk is local to its host', () => {
  const uuidOfDisk = async () => (await instanceNamed(page.request, DISK_INSTANCE)).id
  const words = () => readGuestLog(fleet.logOf(DISK_INSTANCE))
  const disksOf = () => ['hv1', 'hv2'].map((name) => volumesAt(hostNamed(operator, name)).length)

  test('is built from its image', async () => {
    await createFlavor(operator, WITH_DISK, { memoryMib: 64, diskGib: 1 })
    await build(operator, DISK_INSTANCE, { flavor: WITH_DISK, host: 'hv1' })
    await expectRunning(operator, DISK_INSTANCE, 'hv1')
    await expect.poll(() => words().ticks).toBeGreaterThan(0)
    expect(disksOf()).toEqual([1, 0])
    await writeToDisk(hostNamed(operator, 'hv1'), await uuidOfDisk())
    expect(await diskSays(hostNamed(operator, 'hv1'), await uuidOfDisk())).toBe('guest')
  })

  test('is rebuilt on its CPUs with a new disk', async () => {
    const [pins, { boots: before }] = [await expectRunning(operator, DISK_INSTANCE, 'hv1'), words()]
    await startMigration(operator, DISK_INSTANCE, { operation: 'Rebuild', to: 'hv1', image: DISK_INSTANCE })
    await expectEnd(operator, 'completed')
    expect(await expectRunning(operator, DISK_INSTANCE, 'hv1')).toEqual(pins)
    await expect.poll(() => words().boots).toHaveLength(before.length + 1)
    expect(words().boots.slice(0, -1)).toEqual(before)
    expect(disksOf()).toEqual([1, 0])
    expect(await diskSays(hostNamed(operator, 'hv1'), await uuidOfDisk())).toBe('image')
    await writeToDisk(hostNamed(operator, 'hv1'), await uuidOfDisk())
  })

  test('takes its disk along in a live migration, and the source keeps none', async () => {
    const { boots: before } = words()
    await startMigration(operator, DISK_INSTANCE, { operation: 'Live-migrate', to: 'hv2' })
    await untilCopying(operator, 'hv2')
    expect(disksOf()).toEqual([1, 1])
    await expectEnd(operator, 'completed')
    await expectRunning(operator, DISK_INSTANCE, 'hv2')
    await expectSameBoot(operator, DISK_INSTANCE, before)
    expect(disksOf()).toEqual([0, 1])
    expect(await diskSays(hostNamed(operator, 'hv2'), await uuidOfDisk())).toBe('guest')
  })

  test('keeps its disk when a live migration is aborted, and the destination keeps none', async () => {
    const { boots: before } = words()
    await startMigration(operator, DISK_INSTANCE, { operation: 'Live-migrate', to: 'hv1' })
    await untilCopying(operator, 'hv1')
    await requestAction(page, 'Abort', DISK_INSTANCE)
    await expectEnd(operator, 'aborted')
    await expectRunning(operator, DISK_INSTANCE, 'hv2')
    await expectSameBoot(operator, DISK_INSTANCE, before)
    expect(disksOf()).toEqual([0, 1])
    expect(await diskSays(hostNamed(operator, 'hv2'), await uuidOfDisk())).toBe('guest')
  })

  test('leaves no disk when it is deleted', async () => {
    await deleteInstance(operator, DISK_INSTANCE)
    await expect.poll(disksOf).toEqual([0, 0]) // deleted once no definition names them
    await Promise.all(fleet.rig.hosts.map((host) => importHost(host, ['--apply', ...SLOW])))
  })
})

test('an instance with two NUMA nodes is built with the pins of its claim', async () => {
  await createFlavor(operator, PINNED, { memoryMib: PINNED_MIB })
  await build(operator, INSTANCE, { flavor: PINNED, host: 'hv1' })
  await expectRunning(operator, INSTANCE, 'hv1')
  const words = () => readGuestLog(fleet.logOf(INSTANCE))
  await expect.poll(() => words().ticks).toBeGreaterThan(0)
  boots = words().boots
  expect(boots).toHaveLength(1)
})

test('a live migration repins the instance without an interruption, and shows its estimate', async () => {
  const before = await expectRunning(operator, INSTANCE, 'hv1')
  await measureMemory(operator, INSTANCE, 'hv2')
  await beginCopying('hv2')
  await expectEnd(operator, 'completed')
  await expectEstimateAndResult(operator)
  expect(await expectRunning(operator, INSTANCE, 'hv2')).not.toEqual(before)
  await expectSameBoot(operator, INSTANCE, boots)
})

test('an aborted live migration leaves the instance where it was', async () => {
  await beginCopying('hv1')
  await requestAction(page, 'Abort', INSTANCE)
  await expectEndOn('aborted', 'hv2')
})

test.describe('a running live migration', () => {
  test.beforeEach(async () => {
    await beginCopying('hv1')
  })

  for (const [side, host] of [
    ['destination', 'hv1'],
    ['source', 'hv2'],
  ] as const) {
    test(`fails when the daemon of the ${side} is killed, and the instance stays`, async () => {
      await hostNamed(operator, host).killDaemon('SIGKILL')
      await hostNamed(operator, host).startDaemon()
      await expectEndOn('failed', 'hv2')
    })
  }

  test('fails when the destination loses power, and the instance stays', async () => {
    await powerCycle(operator, 'hv1')
    await expectEndOn('failed', 'hv2')
  })

  test('continues while Berth is dead, and the next Berth completes it', async () => {
    await fleet.server.kill()
    const arrived = [expect.objectContaining({ state: 'running (migrated)' })]
    await expect.poll(() => domainsOf(fleet, hostNamed(operator, 'hv1'))).toEqual(arrived)
    await fleet.server.startAgain()
    await page.reload()
    await expectEndOn('completed', 'hv1')
  })
})

test('applies limits that change while it runs', async () => {
  const from = hostNamed(operator, 'hv1')
  await beginCopying('hv2')
  await setLimits(operator, { bandwidthMibPerS: 1, maxDowntimeMs: 250 })
  await expect.poll(async () => (await from.virsh('migrate-getmaxdowntime', await uuidOf())).trim()).toBe('250')
  await expect.poll(async () => (await from.virsh('migrate-getspeed', await uuidOf())).trim()).toBe('1')
  await setLimits(operator, { bandwidthMibPerS: 500, maxDowntimeMs: 250 })
  await expectEndOn('completed', 'hv2')
})

test('an operator confirms a cold migration and reverts a resize', async () => {
  await startMigration(operator, INSTANCE, { operation: 'Cold-migrate', to: 'hv1' })
  await expectEnd(operator, 'verify')
  await requestAction(page, 'Confirm', INSTANCE)
  await expectEnd(operator, 'completed')
  await expectRunning(operator, INSTANCE, 'hv1')

  await createFlavor(operator, LARGER, { memoryMib: LARGER_MIB })
  await startMigration(operator, INSTANCE, { operation: 'Resize', to: 'hv2', flavor: LARGER })
  await expectEnd(operator, 'verify')
  const memory = async (host: string) =>
    (await hostNamed(operator, host).virsh('dominfo', `${await uuidOf()}`)).match(/Max memory:\s+(\d+)/)?.[1]
  expect(await memory('hv2')).toBe(`${LARGER_MIB * 1024}`)
  await requestAction(page, 'Revert', INSTANCE)
  await expectEnd(operator, 'reverted')
  await expectRunning(operator, INSTANCE, 'hv1')
  expect(await memory('hv1')).toBe(`${PINNED_MIB * 1024}`)
})

test('Berth notices a host power cycle, and one button starts what ran there', async () => {
  await powerCycle(operator, 'hv1')
  await mutateApi(page.request, 'finding.audit', {})
  await openHost(page, 'hv1')
  await page.getByRole('button', { name: 'Start instances that ran here before' }).click()
  await expect(page.getByText('Start of 1 instance accepted').first()).toBeVisible()
  await expectRunning(operator, INSTANCE, 'hv1')
  await expectGuestTicking()
})

test('Redfish fences a silent host that still runs its instances before they start elsewhere', async () => {
  const silent = hostNamed(operator, 'hv1')
  const { controller } = fleet.power
  await silent.killDaemon('SIGSTOP') // the domain keeps running: starting it elsewhere now would corrupt its disk
  controller.misbehave('denies')
  await fence(operator, 'hv1')
  await expect(attemptOn(operator)).toContainText('it does not accept the account')
  expect(silent.isUp()).toBe(true)
  await expect(page.getByRole('button', { name: 'Mark as fenced…' })).toBeVisible()

  // Powering off takes a while, and Berth dies between the order and recording its result.
  controller.misbehave('slow')
  await confirmFencing(operator, 'Fence hv1 again')
  await expect.poll(orders).toHaveLength(1)
  await fleet.server.kill()
  await expect.poll(() => silent.isUp()).toBe(false)
  controller.misbehave(null)
  await fleet.server.startAgain()
  await page.reload()
  await expect(attemptOn(operator)).toContainText('verified: the machine says that it is off')
  expect(orders()).toHaveLength(1)
  await evacuate(operator, 'hv1')
  await expectRunning(operator, INSTANCE, 'hv2')
  await expectGuestTicking()
  await expectCleanReturn('hv1')
})

test('evacuation of a crashed host starts once a command has verified that it is off', async () => {
  await hostNamed(operator, 'hv2').down()
  await fence(operator, 'hv2')
  await expect(attemptOn(operator)).toContainText('exit code 2: Status: OFF')
  expect(fleet.power.commands()).toEqual(['status hv2']) // it was off already, so no power-off was ordered
  await evacuate(operator, 'hv2')
  await expectRunning(operator, INSTANCE, 'hv1')
  await expectGuestTicking()
  await expectCleanReturn('hv2')
})

test('the command powers off a host without instances', async () => {
  const empty = hostNamed(operator, 'hv2')
  await empty.killDaemon('SIGSTOP')
  await fence(operator, 'hv2')
  await expect(attemptOn(operator)).toContainText('verified: the machine says that it is off')
  expect(empty.isUp()).toBe(false)
  expect(fleet.power.commands().filter((each) => each === 'off hv2')).toHaveLength(1)
  await empty.boot()
  await markAsUp(operator, 'hv2')
  await expect(page.getByRole('main')).toContainText('enabled')
})

test('a forced live migration continues as post-copy and cannot be aborted from then on', async () => {
  const whyNot = whyNoPostCopy()
  if (whyNot !== null) console.log(`skipped: post-copy, because ${whyNot}`)
  // biome-ignore lint/suspicious/noSkippedTests: the kernel does not permit it on the hosts of the rig, and the reason is printed
  test.skip(whyNot !== null, whyNot ?? '')
  const policy = ['--migration', 'bandwidth=1', '--migration', 'postcopy', '--pool', POOL]
  for (const host of fleet.rig.hosts) await importHost(host, ['--apply', ...policy])
  // Missing pages are fetched as slowly as the rest was copied, so that this phase can be observed. libvirt cannot set
  // this limit later.
  const slowly = ['--hmp', 'migrate_set_parameter max-postcopy-bandwidth 1M']
  await hostNamed(operator, 'hv1').virsh('qemu-monitor-command', await uuidOf(), ...slowly)
  await beginCopying('hv2')
  await forceByPostCopy(operator, INSTANCE)
  const over = [expect.objectContaining({ state: 'running (post-copy)' })]
  await expect.poll(() => domainsOf(fleet, hostNamed(operator, 'hv2'))).toEqual(over)
  await expect(page.getByText('post-copy: cannot be aborted')).toBeVisible()
  await expectEndOn('completed', 'hv2')
})

const uuidOf = async () => (await instanceNamed(page.request, INSTANCE)).id

const orders = () => fleet.power.controller.requests.filter((each) => each.endsWith('ForceOff'))

/** The host returns with a definition of a domain that runs elsewhere, and stays quarantined until it is cleaned up. */
async function expectCleanReturn(name: string): Promise<void> {
  const returned = hostNamed(operator, name)
  await returned.boot()
  expect(await domainsOf(fleet, returned)).toEqual([expect.objectContaining({ state: 'shut off (unknown)' })])
  await returned.killDaemon('SIGSTOP') // so that it is not cleaned up before the check
  await markAsUp(operator, name)
  await expect(page.getByRole('main')).toContainText('quarantined')
  await returned.killDaemon('SIGCONT')
  await expect.poll(() => domainsOf(fleet, returned)).toEqual([])
  await expect(page.getByRole('main')).not.toContainText('quarantined')
  await expect(page.getByRole('main')).toContainText('enabled')
}

async function expectGuestTicking(): Promise<void> {
  const words = () => readGuestLog(fleet.logOf(INSTANCE))
  const { ticks } = words()
  await expect.poll(() => words().ticks).toBeGreaterThan(ticks)
  boots = words().boots
}
