import type { APIRequestContext, Page } from '@playwright/test'
import { instanceNamed, queryApi } from './api'
import { expect, test } from './console'
import { movedOn, noteShifts, shiftsOn, slowDown } from './layout-shift'

// Every page with its answers, scripts and fonts arriving late and in another order each time: nothing that is already
// on the screen moves, or a click on one button hits another.

interface Rows {
  readonly rows: readonly { readonly id: string; readonly name: string }[]
}

const BUSY = '[aria-busy=true]'

test('no list moves what it has shown when slow answers arrive', async ({ page }) => {
  await expectStill(page, LISTS)
})

test('no page of an object moves what it has shown when slow answers arrive', async ({ page, request }) => {
  const addresses = await addressesOf(request)
  await expectStill(page, [...addresses, ...addresses]) // in two orders each
})

test('no page with panels moves what it has shown in a window as narrow as a laptop has', async ({ page, request }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const panels = ['/overview', '/overview?shade=room&flavor=s1.small', '/hosts', '/heal', '/capacity']
  await expectStill(page, [...panels, ...(await addressesOf(request))])
})

test('the history of a picked CPU moves nothing in the inspector when it arrives', async ({ page, request }) => {
  const host = await hostId(request)
  await noteShifts(page)
  for (const order of [0, 1, 2]) {
    const settled = await slowDown(page, order)
    await page.goto(`/hosts/${host}?unit=cpu:14`)
    await settled()
    await expect(page.getByRole('complementary', { name: 'CPU or device' }).locator(BUSY)).toHaveCount(0)
    expect.soft(await movedOn(page), `order ${order}`).toEqual([])
  }
})

test('no head of a list is cut when the list is sorted by all its columns', async ({ page }) => {
  const sorts = {
    '/hosts': 'name,status,scheduling,zone,pcpu,vcpu,memory,instances,migrations',
    '/instances': 'name,vmState,power,host,flavor,vcpus,memory,project',
    '/migrations?view=history': 'instance,operation,source,target,started,ended',
  }
  for (const [address, sort] of Object.entries(sorts)) {
    await page.goto(`${address}${address.includes('?') ? '&' : '?'}sort=${sort}`)
    const heads = page.getByRole('columnheader').locator('button .truncate')
    await expect(heads.first()).toBeVisible()
    const cut = await heads.evaluateAll((all) =>
      all.filter((head) => head.scrollWidth > head.clientWidth).map((head) => head.textContent),
    )
    expect.soft(cut, address).toEqual([])
  }
})

async function expectStill(page: Page, addresses: readonly string[]): Promise<void> {
  await noteShifts(page)
  for (const [order, address] of addresses.entries()) {
    const settled = await slowDown(page, order)
    await page.goto(address)
    await settled()
    await expect(page.locator(BUSY)).toHaveCount(0)
    await settled()
    expect.soft(await shiftsOn(page), `${address}, order ${order}`).toEqual([])
  }
}

const LISTS = [
  '/overview',
  '/overview?shade=room&flavor=s1.small',
  '/alarms',
  '/clouds',
  '/hosts',
  '/migrations?view=history',
  '/devices',
  '/capacity',
  '/explain?flavor=s1.small&zone=az9',
  '/explain?vcpus=500&memory=4096&disk=1&specs=hw:cpu_policy%3Ddedicated',
  '/heal',
  '/heal?tab=rules',
  '/drains',
  '/settings',
  '/settings/catalog',
]

/** Pages about one object. */
async function addressesOf(api: APIRequestContext): Promise<readonly string[]> {
  const host = await hostId(api)
  const { id: instance } = await instanceNamed(api, 'upf-01')
  return [
    ...['map', 'findings', 'adviser'].map((tab) => `/hosts/${host}?tab=${tab}`),
    `/hosts/${host}?at=${new Date().toISOString()}`,
    `/hosts/${host}/evacuate`,
    ...['claims', 'facts'].map((tab) => `/instances/${instance}?tab=${tab}`),
    `/explain?instance=${instance}&vcpus=400&host=${host}`,
  ]
}

async function hostId(api: APIRequestContext): Promise<string | undefined> {
  const { rows } = await queryApi<Rows>(api, 'host.list', { where: [{ key: 'host', any: ['gpu-02'] }] })
  return rows[0]?.id
}
