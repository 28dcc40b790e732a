import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { PORT } from './address'
import { expectAccessible } from './axe'
import { expect, SIGNED_OUT, test } from './console'
import { expectNoHorizontalScroll } from './horizontal-scroll'
import { countClicks, expectWithin } from './journeys/budget'
import { OwnServer } from './server'
import { ADMIN, signIn } from './users'

// A libvirt host is added in the browser: from the list of hosts through a probe and a preview to its map. The daemon
// is a captured one on its own socket.

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-e2e-'))
const socketPath = path.join(folder, 'libvirt-sock')
const server = new OwnServer(PORT + 3, { LIBVIRT_PATHS: folder })
let daemon: ChildProcess
let page: Page

test.describe.configure({ mode: 'serial' })
test.use({ contextOptions: { reducedMotion: 'reduce' } })

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000)
  daemon = spawn(process.execPath, ['--import', 'tsx', 'server/cli/captured-host.ts', socketPath], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await Promise.all([once(daemon.stdout as NodeJS.ReadableStream, 'data'), server.startAnew()])
  const context = await browser.newContext({ baseURL: server.origin, storageState: SIGNED_OUT })
  await signIn(context.request, ADMIN)
  page = await context.newPage()
})

test.afterAll(async () => {
  await page?.context().close()
  daemon?.kill('SIGTERM')
  await server.stop()
  fs.rmSync(folder, { recursive: true, force: true })
})

const drawer = () => page.getByRole('dialog', { name: 'Add host' })
const button = (name: string) => drawer().getByRole('button', { name })

test('an admin adds a read-only host in four clicks and sees its map', async () => {
  await page.goto('/hosts')
  const clicks = await countClicks(page)
  await page.getByRole('button', { name: 'Add host' }).click()
  await expect(drawer().getByRole('button', { name: /Daemon socket/ })).toContainText(socketPath)
  await expectAccessible(page, 'add host: connection')
  await button('Probe host').click()
  for (const [step, says] of [
    ['Reached', 'done'],
    ['Versions', 'libvirt 9.0.0, QEMU 7.2.22'],
    ['Berth may change', 'nothing'],
    ['Inventory', 'NUMA nodes: 2, devices: 1, domains: 3'],
  ] as const)
    await expect(drawer().getByRole('listitem').filter({ hasText: step })).toContainText(says)
  await expect(drawer().getByText('CPU 3 is claimed by web-1 and web-2.')).toBeVisible()
  await expect(drawer().getByRole('table', { name: 'NUMA nodes' }).getByRole('row')).toHaveCount(3)
  await expect(drawer().getByRole('table', { name: 'Domains' })).toContainText('0: 1')
  await expectAccessible(page, 'add host: preview')
  await expectNoHorizontalScroll(page, 'add host: preview')
  await drawer().getByLabel('CPUs for pinned instances').fill('1,3')
  await drawer().getByLabel('Reason').fill('first real host')
  await button('Add hv1').click()
  await expect(page).toHaveURL(/\/hosts\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1, name: 'hv1' })).toBeVisible()
  await expect(page.getByText('disabled').first()).toBeVisible()
  await expectWithin(clicks, 4, 'connect a host')
})

test('a probe of a hung daemon can be cancelled, and one of a missing daemon says what to do', async () => {
  daemon.kill('SIGSTOP')
  await page.goto('/hosts?add=host')
  await button('Probe host').click()
  await expect(drawer().getByRole('listitem').filter({ hasText: 'Authenticated' })).toContainText('running')
  await button('Cancel probe').click()
  await expect(button('Probe host')).toBeVisible()
  daemon.kill('SIGKILL')
  await once(daemon, 'exit')
  await button('Probe host').click()
  await expect(drawer().getByText(/not reached: .*ECONNREFUSED/)).toBeVisible()
  await expect(drawer().getByText(/To do: check that the daemon runs/)).toBeVisible()
})

test('the palette opens the form, which refuses a host that reads as an option', async () => {
  await page.goto('/overview')
  await page.getByRole('button', { name: /^Find/ }).click()
  await page.getByRole('combobox', { name: 'Search' }).fill('add host')
  await page.getByRole('option', { name: /^Add host/ }).click()
  await expect(drawer()).toBeVisible()
  await drawer().getByText('ssh', { exact: true }).click()
  await drawer().getByLabel('Host name or address').fill('-oProxyCommand=id')
  await expect(drawer().getByText(/expected the name or the IP address of a host/)).toBeVisible()
  await drawer().getByText('TLS', { exact: true }).click()
  await expect(drawer().getByText(/No folder with cacert.pem/)).toBeVisible()
})
