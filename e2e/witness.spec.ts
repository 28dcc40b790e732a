import type { Page } from '@playwright/test'
import { PORT } from './address'
import { queryApi } from './api'
import { CapturedHost } from './captured-host'
import { addCloud, addHost, openPane } from './cloud-console'
import { expect, SIGNED_OUT, test } from './console'
import { expectAccessibleAndFitting } from './horizontal-scroll'
import { ReplayedCloud } from './replayed-cloud'
import { OwnServer } from './server'
import { ADMIN, signIn } from './users'

// libvirt on a host that Nova manages, as the third witness: the map of the host, and the drift of its instances. The
// cloud is a replayed one, the daemon a captured one on its own socket.

const machine = new CapturedHost()
const server = new OwnServer(PORT + 5, { LIBVIRT_PATHS: machine.folder })
const cloud = new ReplayedCloud()
let page: Page
let address: string

test.describe.configure({ mode: 'serial' })
test.use({ contextOptions: { reducedMotion: 'reduce' } })

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000)
  const [files] = await Promise.all([cloud.start(), machine.start(), server.startAnew()])
  const context = await browser.newContext({ baseURL: server.origin, storageState: SIGNED_OUT })
  await signIn(context.request, ADMIN)
  page = await context.newPage()
  address = await addCloud(page, 'prod', files)
  await expect(page.getByText('Healthy: no findings among 6 instances on 3 hosts.')).toBeVisible()
})

test.afterAll(async () => {
  await page?.context().close()
  await Promise.all([cloud.stop(), machine.stop(), server.stop()])
})

async function instancesOn(host: string): Promise<readonly { id: string; name: string }[]> {
  const id = address.slice('/clouds/'.length)
  type Row = { readonly id: string; readonly name: string; readonly host: string }
  const { rows } = await queryApi<{ rows: readonly Row[] }>(page.request, 'cloud.instances', { id })
  return rows.filter((row) => row.host === host)
}

const drift = () => page.getByRole('table', { name: 'Nova, Placement and libvirt' })

test('a host without a libvirt connection says what is missing, and where to add it', async () => {
  const pane = await openPane(page, address, { tab: 'hosts', row: 'cmp1' })
  await pane.getByRole('link', { name: 'Show map' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'cmp1' })).toBeVisible()
  await expect(page.getByText('No libvirt connection reads this host.')).toBeVisible()
  await expect(drift().getByRole('row').nth(1)).toContainText('no libvirt connection reads cmp1')
  await expectAccessibleAndFitting(page, 'host of a cloud: unconnected')
})

test('a connected host has its real pins, pages and devices, by keyboard and as a table', async () => {
  const [one, two] = await instancesOn('cmp1')
  await machine.become('cmp1', [
    { uuid: one?.id ?? '', name: 'instance-00000001', cpus: [1, 3] },
    { uuid: two?.id ?? '', name: 'instance-00000002', cpus: [3, 4] },
    { uuid: '6f7c8f1e-6b1f-4c3e-9a51-0000000000ff', name: 'instance-000000ff', cpus: [6] },
  ])
  await addHost(page, 'cmp1')

  await page.goto(`${address}/hosts/cmp1`)
  await expect(page.getByText(/^as reported by libvirt on cmp1 at/)).toBeVisible()
  await expect(page.getByText('1 domain here is not in Nova')).toBeVisible()
  const cpu = (id: number) => page.getByRole('button', { name: new RegExp(`^CPU ${id},`) })
  await expect(cpu(1)).toHaveAccessibleName(/held, web-0/)
  await expect(cpu(3)).toHaveAccessibleName(/held twice, web-0.*web-3/)
  await expect(cpu(6)).toHaveAccessibleName(/instance-000000ff \(not in Nova\)/)
  await expect(cpu(0)).toHaveAccessibleName(/no pinned vCPU/)
  await expect(page.getByText('0000:af:00.0').first()).toBeVisible()
  await cpu(0).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press(' ')
  await expect(page).toHaveURL(/unit=cpu(:|%3A)/)
  await expect(drift().getByRole('row').filter({ hasText: 'not in Nova' })).toContainText(
    'running on cmp1, pinned 0 to 6',
  )
  await expect(drift().getByRole('row').filter({ hasText: 'web-0' })).toContainText(
    'running on cmp1, pinned 0 to 1, 1 to 3',
  )
  await expectAccessibleAndFitting(page, 'host of a cloud: map')
  await page.goto(`${address}/hosts/cmp1?as=table`)
  await expect(page.getByRole('row', { name: /cpu:3 .*held twice/ })).toBeVisible()
  await expectAccessibleAndFitting(page, 'host of a cloud: table')
})

test('the drift of the cloud has three columns, and the address filters it', async () => {
  await page.goto(`${address}?tab=drift`)
  await expect(drift().getByRole('row').nth(1)).toContainText('instance-000000ff')
  await expectAccessibleAndFitting(page, 'cloud: drift')
  await page.getByLabel('Filter instances').fill('witnessed:no')
  await expect(drift().getByRole('row')).toHaveCount(5)
  await expect(page).toHaveURL(/q=witnessed/)
})

test('a libvirt that does not answer is silent, and its old map is not shown as current', async () => {
  await machine.kill()
  await page.goto(`${address}/hosts/cmp1`)
  await expect(page.getByText('The libvirt on cmp1 does not answer.')).toBeVisible()
  await expect(page.getByText(/^as reported by libvirt on/)).toHaveCount(0)
  await expectAccessibleAndFitting(page, 'host of a cloud: silent')
})
