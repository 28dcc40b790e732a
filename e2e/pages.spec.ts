import type { Page } from '@playwright/test'
import { expect, SIGNED_OUT, test } from './console'
import { expectAccessibleAndFitting, expectNoHorizontalScroll } from './horizontal-scroll'

// Checks every page, tab, drawer and dialog with axe: all rules in the light theme, and those that depend on colour in
// the dark theme as well. The theme follows the system, so the page need not be reloaded. Transitions are off, because
// a colour between two themes belongs to neither. No page scrolls sideways, from phone to desktop.

test.use({ contextOptions: { reducedMotion: 'reduce' } })

interface View {
  readonly name: string
  readonly address: string
  /** Waits for an element that appears with the page's data. */
  readonly ready: (page: Page) => Promise<unknown>
}

async function see(page: Page, { name, address, ready }: View): Promise<void> {
  await test.step(name, async () => {
    await page.goto(address)
    await ready(page)
    await expectAccessibleAndFitting(page, name)
  })
}

const heading = (name: string | RegExp) => (page: Page) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
const table = (name: string) => (page: Page) =>
  expect(page.getByRole('table', { name }).getByRole('row').nth(1)).toBeVisible()
const text = (words: string | RegExp) => (page: Page) => expect(page.getByText(words).first()).toBeVisible()

/** The link target of a name in a list. */
async function addressOf(page: Page, list: string, name: string): Promise<string> {
  await page.goto(list)
  return (await page.getByRole('table').getByRole('link', { name, exact: true }).getAttribute('href')) ?? ''
}

test('the lists and the overview are accessible', async ({ page }) => {
  await see(page, { name: 'overview', address: '/overview', ready: table('Capacity') })
  await see(page, { name: 'clouds', address: '/clouds', ready: text('No cloud is watched') })
  await see(page, { name: 'add cloud', address: '/clouds?add=cloud', ready: text('Read files') })
  await see(page, { name: 'hosts', address: '/hosts', ready: table('Hosts') })
  await see(page, { name: 'instances', address: '/instances?q=web', ready: table('Instances') })
  const waiting = text(/^\d+ rows?$|^No migration is waiting$/)
  await see(page, {
    name: 'migrations in flight',
    address: '/migrations',
    ready: text(/^\d+ rows?$|^No active migrations$/),
  })
  await see(page, { name: 'migrations that wait', address: '/migrations?view=waiting', ready: waiting })
  const overdue = text(/^\d+ rows?$|^No migration is overdue$/)
  await see(page, { name: 'migrations that are overdue', address: '/migrations?view=overdue', ready: overdue })
  const times = text(/^Step times$|^No migration has ended yet$/)
  await see(page, { name: 'step times', address: '/migrations?view=times', ready: times })
  await see(page, { name: 'step times as a table', address: '/migrations?view=times&as=table', ready: times })
  await see(page, {
    name: 'nothing there',
    address: '/no-such-page',
    ready: heading('Page not found'),
  })
})

test('explain, claims, devices, users, the audit log, settings and capacity are accessible', async ({ page }) => {
  const typed = '/explain?vcpus=48&memory=4096&disk=1&specs=hw:cpu_policy%3Ddedicated'
  await see(page, {
    name: 'explain, nothing asked',
    address: '/explain',
    ready: text('Choose a flavor or enter a custom shape.'),
  })
  await see(page, { name: 'explain', address: typed, ready: table('Hosts and rules') })
  await page.getByRole('table', { name: 'Hosts and rules' }).getByRole('row').nth(1).click()
  await text('Why not')(page)
  await expectAccessibleAndFitting(page, 'explain, one host')
  await see(page, { name: 'claims', address: '/claims', ready: table('Claims') })
  await see(page, { name: 'devices', address: '/devices?q=state%3Aheld', ready: table('Functions') })
  await page.getByRole('table', { name: 'Functions' }).getByRole('row').nth(1).click()
  await text('Holders, newest first')(page)
  await expectAccessibleAndFitting(page, 'devices, one device')
  await see(page, { name: 'users and tokens', address: '/users', ready: table('Roles') })
  await see(page, { name: 'audit log', address: '/audit-log', ready: table('Audit log') })
  await see(page, { name: 'settings', address: '/settings', ready: text('Two-person approval') })
  await page.getByRole('radio', { name: 'Pack' }).check()
  await page.getByRole('button', { name: 'Review change' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await expectAccessibleAndFitting(page, 'settings, reviewing a change')
  await see(page, { name: 'capacity', address: '/capacity', ready: table('Fragmentation') })
})

test('alarms, tasks, the catalog, the account and the API page are accessible', async ({ page }) => {
  await see(page, { name: 'alarms', address: '/alarms', ready: heading('Alarms') })
  await see(page, { name: 'tasks', address: '/tasks', ready: heading('Tasks') })
  await see(page, { name: 'catalog', address: '/settings/catalog', ready: table('Flavors') })
  await see(page, { name: 'account', address: '/account', ready: text('Two-factor sign-in') })
  await see(page, { name: 'provider trees', address: '/providers', ready: table('Provider trees') })
  await see(page, { name: 'add host', address: '/hosts?add=host', ready: text('Probe host') })
  await page.goto('/api/v1')
  await heading(/^REST API/)(page)
  await expectNoHorizontalScroll(page, 'API')
  // One template renders all operations and another all types: axe would read the rest of 15,000 elements for a minute.
  await page
    .locator('main > details:nth-of-type(n + 7), main > h3[id] ~ :is(h3, p, table):nth-of-type(n + 7)')
    .evaluateAll((repeated) => repeated.forEach((element) => void element.remove()))
  await expectAccessibleAndFitting(page, 'API, first operations and types')
  for (const at of [0, 1, 2, 3]) await page.locator('summary').nth(at).press('Enter')
  await expectAccessibleAndFitting(page, 'API, operations that are open')
})

test('past views and the fleet heatmap are accessible', async ({ page }) => {
  const now = new Date().toISOString()
  await see(page, { name: 'hosts as they were', address: `/hosts?at=${now}`, ready: table('Hosts') })
  await see(page, { name: 'migrations as they were', address: `/migrations?at=${now}`, ready: text(/^State at/) })
  const room = '/overview?shade=room&flavor=s1.small'
  await see(page, { name: 'overview, room for a flavor', address: room, ready: text('migrations in') })
  await see(page, { name: 'overview as a table', address: '/overview?as=table', ready: table('Fleet') })
})

test('a host with all its tabs is accessible', async ({ page }) => {
  const host = await addressOf(page, '/hosts?q=gpu-02', 'gpu-02')
  await see(page, { name: 'map', address: host, ready: text('NUMA node 0') })
  await see(page, { name: 'map, a place kept', address: `${host}?unit=cpu:6`, ready: text('CPU 6') })
  await see(page, { name: 'map as a table', address: `${host}?as=table`, ready: table('Map') })
  const then = `${host}?at=${new Date().toISOString()}`
  await see(page, { name: 'map as it was', address: then, ready: text('NUMA node 0') })
  await see(page, { name: 'instances', address: `${host}?tab=instances`, ready: table('Instances') })
  await see(page, { name: 'claims', address: `${host}?tab=claims`, ready: table('Claims') })
  await see(page, { name: 'migrations', address: `${host}?tab=migrations`, ready: text(/^\d+ rows?$/) })
  await see(page, { name: 'facts', address: `${host}?tab=facts`, ready: table('Resource providers') })
  await see(page, { name: 'events', address: `${host}?tab=events`, ready: text(/^\d+ rows?$/) })
})

test('an instance and its drawers are accessible', async ({ page }) => {
  const instance = await addressOf(page, '/instances?q=upf-01', 'upf-01')
  const id = instance.split('/').at(-1)
  await see(page, { name: 'claims', address: instance, ready: text('guest NUMA node 0') })
  await see(page, { name: 'migrations', address: `${instance}?tab=migrations`, ready: text('No migration yet') })
  await see(page, { name: 'facts', address: `${instance}?tab=facts`, ready: text('Extra specs') })
  const migrateDrawer = `${instance}?move=${id}&operation=resize&flavor=n2.vf`
  await see(page, { name: 'migration drawer', address: migrateDrawer, ready: table('Verdict') })
  await page
    .getByRole('table', { name: 'Verdict' })
    .getByRole('row', { name: /refused/ })
    .first()
    .click()
  await text('Why not')(page)
  await expectAccessibleAndFitting(page, 'migration drawer, a refusal')
  const build = '/instances?q=upf&build=yes&flavor=s1.small&image=debian-12'
  await see(page, { name: 'build drawer', address: build, ready: table('Verdict') })
})

test('a migration and its dialogs are accessible', async ({ page }) => {
  const migrationPage = await addressOf(page, '/migrations?view=waiting', 'web-02')
  await see(page, { name: 'timeline', address: migrationPage, ready: table('Steps') })
  const lanes = 'Steps and claims of each side'
  await see(page, { name: 'timeline as a table', address: `${migrationPage}?as=table`, ready: table(lanes) })
  await page.goto(migrationPage)
  await page.getByRole('figure', { name: lanes }).getByRole('button').last().focus()
  await expectAccessibleAndFitting(page, 'timeline, a bar chosen')
  await see(page, { name: 'facts', address: `${migrationPage}?tab=facts`, ready: table('Facts by source') })
  await see(page, { name: 'raw data', address: `${migrationPage}?tab=raw`, ready: text('Copy as JSON') })
  await see(page, { name: 'old to new', address: `${migrationPage}?tab=mapping`, ready: table('Resource mapping') })
  await see(page, { name: 'claims', address: `${migrationPage}?tab=claims`, ready: text('Claim on the source') })
  await see(page, { name: 'transfer', address: `${migrationPage}?tab=transfer`, ready: heading(/^web-02/) })
  await see(page, { name: 'events', address: `${migrationPage}?tab=events`, ready: table('Events') })
  await page.getByRole('button', { name: 'Revert' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Frees')
  await expectAccessibleAndFitting(page, 'revert dialog')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectAccessibleAndFitting(page, 'keys')
})

test('findings, repairs, layouts and the runbook are accessible', async ({ page }) => {
  await see(page, { name: 'heal', address: '/heal', ready: text('Last audit') })
  await see(page, { name: 'plans of heals', address: '/heal?tab=plans', ready: text(/^\d+ rows?$/) })
  await see(page, { name: 'rules', address: '/heal?tab=rules', ready: table('Automatic repair') })
  await see(page, { name: 'runbook', address: '/runbook/unit-held-twice', ready: heading(/^Runbook/) })
  await see(page, { name: 'layout', address: '/layout', ready: table('Hosts by layout state') })
  await page.getByRole('button', { name: 'Layout of gpu-02' }).click()
  await table('Providers, After')(page)
  await expectAccessibleAndFitting(page, 'a host’s layout')
  const host = await addressOf(page, '/hosts?q=gpu-02', 'gpu-02')
  const drift = table('Records, allocations, hypervisor')
  await see(page, { name: 'findings of a host', address: `${host}?tab=findings`, ready: drift })
  const advice = (of: Page) => expect(of.getByRole('list', { name: 'What is safe to do' })).toBeVisible()
  await see(page, { name: 'adviser of a host', address: `${host}?tab=adviser`, ready: advice })
  const migrationPage = await addressOf(page, '/migrations?view=waiting', 'web-02')
  await see(page, { name: 'adviser of a migration', address: `${migrationPage}?tab=adviser`, ready: advice })
  await see(page, {
    name: 'findings of a migration',
    address: `${migrationPage}?tab=findings`,
    ready: text('No discrepancies'),
  })
})

test('drains and evacuations are accessible', async ({ page }) => {
  await see(page, { name: 'drains', address: '/drains', ready: text(/^\d+ rows?$/) })
  await page.getByRole('button', { name: 'Plan drain…' }).click()
  await expect(page.getByRole('option').first()).toBeVisible()
  await expectAccessibleAndFitting(page, 'drain dialog with its hosts')
  const host = await addressOf(page, '/hosts?q=std-02', 'std-02')
  await see(page, { name: 'evacuation', address: `${host}/evacuate`, ready: text('Fencing') })
  await page.goto(host)
  await page.getByRole('button', { name: 'Drain…' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('new firmware')
  await expectAccessibleAndFitting(page, 'drain dialog')
  await page.getByRole('button', { name: 'Plan drain' }).click()
  await table('Plan')(page)
  await expectAccessibleAndFitting(page, 'plan of a drain')
  await page.getByRole('tab', { name: 'Placement view' }).click()
  await page.getByRole('button', { name: 'Step' }).click()
  await text(/^Step 1 of/)(page)
  await expectAccessibleAndFitting(page, 'placement')
  await page.getByRole('radio', { name: 'Table' }).click()
  await table('Placement view')(page)
  await expectAccessibleAndFitting(page, 'placement view as a table')
  await page.getByRole('tab', { name: 'Plan changes' }).click()
  await expectAccessibleAndFitting(page, 'changes of a plan')
})

test.describe('an anonymous user', () => {
  test.use({ storageState: SIGNED_OUT })
  test('finds the sign-in page accessible', async ({ page }) => {
    await see(page, { name: 'sign in', address: '/sign-in', ready: heading('Sign in') })
    await page.getByLabel('Username or email').fill('admin')
    await page.getByLabel('Password').fill('not-my-password')
    await page.keyboard.press('Enter')
    await text('Wrong username')(page)
    await expectAccessibleAndFitting(page, 'sign in, refused')
  })
})
