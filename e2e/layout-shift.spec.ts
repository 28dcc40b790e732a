import type { APIRequestContext, Page } from '@playwright/test'
import { instanceNamed, mutateApi, queryApi } from './api'
import { expect, test } from './console'
import { noteShifts, shiftsOn, slowDown } from './layout-shift'

// Every page with its answers, scripts and fonts arriving late and in another order each time: nothing that is already
// on the screen moves, or a click on one button hits another.

interface Rows {
  readonly rows: readonly { readonly id: string; readonly name: string }[]
}

const BUSY = '[aria-busy=true]'

test('no list moves what it has shown when slow answers arrive', async ({ page }) => {
  test.slow()
  await expectStill(page, LISTS)
})

test('no page of an object moves what it has shown when slow answers arrive', async ({ page, request }) => {
  test.slow()
  await expectStill(page, await addressesOf(request))
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
  '/tasks',
  '/hosts',
  '/instances',
  '/migrations?view=waiting',
  '/migrations?view=history',
  '/migrations?view=times',
  '/providers',
  '/claims',
  '/devices',
  '/capacity',
  '/explain?flavor=s1.small&zone=az9',
  '/explain?vcpus=500&memory=4096&disk=1&specs=hw:cpu_policy%3Ddedicated',
  '/heal',
  '/heal?tab=plans',
  '/heal?tab=rules',
  '/drains',
  '/layout',
  '/audit-log',
  '/users',
  '/settings',
  '/settings/catalog',
  '/account',
]

const HOST_TABS = ['map', 'instances', 'claims', 'migrations', 'findings', 'adviser', 'facts', 'events']
const INSTANCE_TABS = ['claims', 'migrations', 'findings', 'facts', 'events']
const MIGRATION_TABS = ['timeline', 'mapping', 'claims', 'facts', 'adviser', 'findings', 'events', 'raw']

/** Pages about one object. */
async function addressesOf(api: APIRequestContext): Promise<readonly string[]> {
  const first = async (list: string, input: object) => (await queryApi<Rows>(api, list, input)).rows[0]?.id
  const host = await first('host.list', { where: [{ key: 'host', any: ['gpu-02'] }] })
  const { id: instance } = await instanceNamed(api, 'upf-01')
  const migration = await first('migration.list', { view: 'flight' })
  const tabs = (path: string, names: readonly string[]) => names.map((tab) => `${path}?tab=${tab}`)
  return [
    ...tabs(`/hosts/${host}`, HOST_TABS),
    `/hosts/${host}?at=${new Date().toISOString()}`,
    `/hosts/${host}/evacuate`,
    ...tabs(`/instances/${instance}`, INSTANCE_TABS),
    ...(migration ? tabs(`/migrations/${migration}`, MIGRATION_TABS) : []),
    `/explain?instance=${instance}&vcpus=400&host=${host}`,
    `/drains/${await stoppedDrain(api)}`,
  ]
}

/** Its host stays disabled, which its page says above the plan. */
async function stoppedDrain(api: APIRequestContext): Promise<string> {
  const { rows } = await queryApi<Rows>(api, 'host.list', { order: [{ by: 'instances', dir: 'asc' }], limit: 50 })
  const host = rows.find(({ name }) => name.startsWith('std-'))?.id
  const plan = { kind: 'drain', host, fallback: 'stay', helpers: false, reason: 'layout shifts' }
  const { run } = await mutateApi<{ run: string }>(api, 'run.plan', plan)
  await mutateApi(api, 'run.start', { id: run, reason: 'layout shifts' })
  await expect
    .poll(async () => (await queryApi<{ state: string }>(api, 'run.byId', { id: run })).state)
    .toMatch(/^(done|stopped)$/)
  return run
}
