import type { Page } from '@playwright/test'
import { type Ids, NOTHING } from './screenshot-subjects'
import { ADMIN } from './users'

// Every page of the console, with its tabs, drawers, dialogs and menus, for `npm run screenshots`.

export interface Shot {
  readonly name: string
  readonly address: (ids: Ids) => string
  /** Actions before the screenshot. */
  readonly act?: (page: Page, ids: Ids) => Promise<unknown>
  /** Viewed without signing in. */
  readonly signedOut?: true
}

const NO_FIT_URL = '/explain?vcpus=500&memory=4096&disk=1&specs=hw:cpu_policy%3Ddedicated'

/** Picks the first row of a table; there is none on an empty fleet. */
const pickRow = (table: string) => async (page: Page) => {
  const row = page.getByRole('table', { name: table }).locator('tr[data-row]').first()
  if ((await row.count()) > 0) await row.click()
}

type Step = readonly ['button' | 'menuitem' | 'radio' | 'row' | 'tab', string | RegExp]

const SENT_WITHIN_MS = 30_000 // before each call of a repair its facts are read again
const OPENS_WITHIN_MS = 3_000 // an overlay is loaded when it first opens

/** Waits until the overlay has rendered, if there is anything to open. */
const opened = (page: Page) =>
  page
    .locator('[role=dialog], [role=alertdialog], [role=menu]')
    .first()
    .waitFor({ timeout: OPENS_WITHIN_MS })
    .catch(() => null)

/** Clicks these one after the other and skips those that are missing: a page without its object has no buttons. */
const press =
  (...steps: readonly Step[]) =>
  async (page: Page) => {
    for (const [role, name] of steps) {
      const part = page.getByRole(role, { name }).first()
      await part.click({ timeout: OPENS_WITHIN_MS }).catch(() => null)
      await opened(page)
    }
  }

const keys =
  (...pressed: readonly string[]) =>
  async (page: Page) => {
    for (const key of pressed) {
      await page.keyboard.press(key)
      await opened(page)
    }
  }

const tabs = (noun: string, names: readonly string[], address: (ids: Ids) => string): readonly Shot[] =>
  names.map((tab) => ({ name: `${noun}-${tab}`, address: (ids) => `${address(ids)}?tab=${tab}` }))

const fleet: readonly Shot[] = [
  { name: 'overview', address: () => '/overview' },
  { name: 'overview-table', address: () => '/overview?as=table' },
  { name: 'overview-room', address: () => '/overview?shade=room&flavor=s1.small' },
  { name: 'capacity', address: () => '/capacity' },
  { name: 'settings', address: () => '/settings' },
  { name: 'catalog', address: () => '/settings/catalog' },
  {
    name: 'catalog-create-flavor',
    address: () => '/settings/catalog',
    act: press(['button', 'Create flavor']),
  },
  {
    name: 'settings-change',
    address: () => '/settings',
    act: press(['radio', 'Pack'], ['button', 'Review change']),
  },
  { name: 'users', address: () => '/users' },
  { name: 'users-add', address: () => '/users', act: press(['button', 'Add user']) },
  { name: 'users-token', address: () => '/users', act: press(['button', 'Create token']) },
  { name: 'users-role', address: () => '/users', act: press(['button', 'Change role']) },
  {
    name: 'users-scopes',
    address: () => '/users',
    act: press(['button', /^Actions|^More/], ['menuitem', /scope|grant/i]),
  },
  { name: 'users-sessions', address: () => '/users', act: press(['button', 'Sessions']) },
  { name: 'audit-log', address: () => '/audit-log' },
  { name: 'tasks', address: () => '/tasks' },
  { name: 'alarms', address: () => '/alarms' },
  { name: 'devices', address: () => '/devices' },
  { name: 'devices-one', address: () => '/devices?q=state%3Aheld', act: pickRow('Functions') },
  { name: 'claims', address: () => '/claims' },
  { name: 'claims-filtered', address: () => '/claims?by=provider&q=class%3APCPU+-kind%3Amigration&sort=-since' },
  { name: 'providers', address: () => '/providers' },
  { name: 'provider', address: ({ tree }) => `/providers/${tree}` },
  { name: 'provider-not-found', address: () => `/providers/${NOTHING}` },
]

const atCloud =
  (tab: string) =>
  ({ cloud }: Ids) =>
    `/clouds/${cloud}?tab=${tab}`

/** From the files to the report of the probe, if there are files. */
const probeCloud = async (page: Page, { files }: Ids) => {
  await page.getByLabel('clouds.yaml', { exact: true }).fill(files.clouds)
  await page.getByLabel(/^secure.yaml/).fill(files.secure)
  await press(['button', 'Read files'], ['button', 'Probe cloud'])(page)
}

/** Repairs the last instance without an allocation. There are enough for every folder. */
const applyRepair = async (page: Page) => {
  const rows = page.getByRole('table', { name: 'Findings of the cloud' }).locator('tr[data-row]')
  const row = rows.filter({ hasText: 'An instance has no allocation' }).last()
  if ((await row.count()) === 0) return
  await row.click()
  await press(['button', 'Apply repair'])(page)
  const dialog = page.getByRole('alertdialog')
  if ((await dialog.count()) === 0) return
  await dialog.getByLabel('Reason').fill('no allocation since the outage')
  await dialog.getByRole('button', { name: 'Apply repair' }).click()
  await dialog.waitFor({ state: 'hidden', timeout: SENT_WITHIN_MS }).catch(() => null)
}

const clouds: readonly Shot[] = [
  { name: 'clouds', address: () => '/clouds' },
  { name: 'clouds-add', address: () => '/clouds?add=cloud' },
  { name: 'clouds-add-probed', address: () => '/clouds?add=cloud', act: probeCloud },
  ...tabs(
    'cloud',
    ['overview', 'hosts', 'instances', 'migrations', 'drift', 'findings'],
    ({ cloud }) => `/clouds/${cloud}`,
  ),
  { name: 'cloud-actions', address: atCloud('overview'), act: press(['button', 'Set to read-only']) },
  { name: 'cloud-host-pane', address: atCloud('hosts'), act: pickRow('Hosts of the cloud') },
  {
    name: 'cloud-host-drain-dialog',
    address: atCloud('hosts'),
    act: async (page) => {
      await pickRow('Hosts of the cloud')(page)
      await press(['button', 'Drain host'])(page)
    },
  },
  { name: 'cloud-instance-pane', address: atCloud('instances'), act: pickRow('Instances of the cloud') },
  {
    name: 'cloud-instance-dialog',
    address: atCloud('instances'),
    act: async (page) => {
      await pickRow('Instances of the cloud')(page)
      await press(['button', /^(Live-migrate|Live migrate)/])(page)
    },
  },
  { name: 'cloud-migration-pane', address: atCloud('migrations'), act: pickRow('Migrations of the cloud') },
  { name: 'cloud-finding', address: atCloud('findings'), act: pickRow('Findings of the cloud') },
  { name: 'cloud-plan', address: atCloud('findings'), act: press(['button', 'Review repair plan']) },
  {
    name: 'cloud-repair-dialog',
    address: atCloud('findings'),
    act: async (page) => {
      await pickRow('Findings of the cloud')(page)
      await press(['button', 'Apply repair'])(page)
    },
  },
  { name: 'cloud-repair-outcome', address: atCloud('findings'), act: applyRepair },
  { name: 'cloud-host', address: ({ cloud }) => `/clouds/${cloud}/hosts/cmp1` },
  { name: 'cloud-host-table', address: ({ cloud }) => `/clouds/${cloud}/hosts/cmp1?as=table` },
  { name: 'cloud-host-place', address: ({ cloud }) => `/clouds/${cloud}/hosts/cmp1?unit=cpu:3` },
  { name: 'cloud-host-unread', address: ({ cloud }) => `/clouds/${cloud}/hosts/cmp2` },
  { name: 'cloud-not-found', address: () => `/clouds/${NOTHING}` },
]

const hosts: readonly Shot[] = [
  { name: 'hosts-add', address: () => '/hosts?add=host' },
  { name: 'hosts-add-probed', address: () => '/hosts?add=host', act: press(['button', 'Probe host']) },
  { name: 'hosts', address: () => '/hosts' },
  { name: 'hosts-filtered', address: () => '/hosts?q=host%3Ah*+-zone%3Aa+colour%3Ared&sort=zone,-memory' },
  { name: 'hosts-no-match', address: () => '/hosts?q=there-is-none' },
  { name: 'hosts-filter-list', address: () => '/hosts', act: (page) => page.keyboard.type('/s') },
  { name: 'hosts-columns', address: () => '/hosts', act: press(['button', 'Columns']) },
  { name: 'hosts-views', address: () => '/hosts', act: press(['button', 'Views']) },
  {
    name: 'hosts-save-view',
    address: () => '/hosts',
    act: press(['button', 'Views'], ['menuitem', /^Save this view/]),
  },
  { name: 'hosts-past', address: () => `/hosts?at=${new Date().toISOString()}` },
  { name: 'host-preview', address: ({ host }) => `/hosts?preview=host:${host}&in-tab=instances` },
  ...tabs(
    'host',
    ['map', 'instances', 'claims', 'migrations', 'findings', 'adviser', 'facts', 'events'],
    ({ host }) => `/hosts/${host}`,
  ),
  { name: 'host-map-place', address: ({ host }) => `/hosts/${host}?unit=cpu:14` },
  { name: 'host-map-table', address: ({ host }) => `/hosts/${host}?as=table` },
  { name: 'host-past', address: ({ host }) => `/hosts/${host}?at=${new Date().toISOString()}` },
  { name: 'host-actions', address: ({ host }) => `/hosts/${host}`, act: press(['button', 'Host actions']) },
  {
    name: 'host-action-dialog',
    address: ({ host }) => `/hosts/${host}`,
    act: press(['button', 'Host actions'], ['menuitem', 'Mark as down']),
  },
  { name: 'host-drain-dialog', address: ({ host }) => `/hosts/${host}`, act: press(['button', 'Drain…']) },
  { name: 'host-evacuate', address: ({ host }) => `/hosts/${host}/evacuate` },
  { name: 'lost', address: ({ lost }) => `/hosts/${lost}` },
  { name: 'lost-evacuate', address: ({ lost }) => `/hosts/${lost}/evacuate` },
  {
    name: 'lost-evacuate-dialog',
    address: ({ lost }) => `/hosts/${lost}/evacuate`,
    act: press(['button', /^(Start evacuation|Request evacuation)$/]),
  },
  { name: 'silent-evacuate', address: ({ silent }) => `/hosts/${silent}/evacuate` },
  { name: 'fenced-evacuate', address: ({ fenced }) => `/hosts/${fenced}/evacuate` },
  {
    name: 'fenced-evacuate-dialog',
    address: ({ fenced }) => `/hosts/${fenced}/evacuate`,
    act: press(['button', /^(Start evacuation|Request evacuation)$/]),
  },
  { name: 'evacuated', address: ({ evacuated }) => `/hosts/${evacuated}` },
  { name: 'evacuated-evacuate', address: ({ evacuated }) => `/hosts/${evacuated}/evacuate` },
  { name: 'host-not-found', address: () => `/hosts/${NOTHING}` },
]

const instances: readonly Shot[] = [
  { name: 'instances', address: () => '/instances' },
  { name: 'instance-preview', address: ({ instance }) => `/instances?preview=instance:${instance}` },
  { name: 'instance-build-drawer', address: () => '/instances?build=yes&flavor=s1.small&image=debian-12' },
  ...tabs(
    'instance',
    ['claims', 'migrations', 'findings', 'facts', 'events'],
    ({ instance }) => `/instances/${instance}`,
  ),
  {
    name: 'instance-move-drawer',
    address: ({ instance }) => `/instances/${instance}?move=${instance}&operation=live-migrate`,
  },
  {
    name: 'instance-move-picked',
    address: ({ instance }) => `/instances/${instance}?move=${instance}&operation=live-migrate`,
    act: press(['row', /\bok\b/]),
  },
  {
    name: 'instance-move-refused',
    address: ({ instance }) => `/instances/${instance}?move=${instance}&operation=live-migrate`,
    act: press(['row', /refused/]),
  },
  {
    name: 'instance-actions',
    address: ({ instance }) => `/instances/${instance}`,
    act: press(['button', 'More actions']),
  },
  {
    name: 'instance-delete-dialog',
    address: ({ instance }) => `/instances/${instance}`,
    act: press(['button', 'More actions'], ['menuitem', /^Delete/]),
  },
]

const migrations: readonly Shot[] = [
  ...['flight', 'waiting', 'overdue', 'history', 'times'].map((view) => ({
    name: `migrations-${view}`,
    address: () => `/migrations?view=${view}`,
  })),
  { name: 'migrations-times-table', address: () => '/migrations?view=times&as=table' },
  { name: 'migrations-past', address: () => `/migrations?at=${new Date().toISOString()}` },
  { name: 'migration-preview', address: ({ migration }) => `/migrations?preview=migration:${migration}` },
  ...tabs(
    'migration',
    ['timeline', 'mapping', 'claims', 'transfer', 'facts', 'adviser', 'findings', 'events', 'raw'],
    ({ migration }) => `/migrations/${migration}`,
  ),
  { name: 'migration-timeline-table', address: ({ migration }) => `/migrations/${migration}?as=table` },
  ...tabs('waiting', ['timeline', 'mapping', 'claims'], ({ waiting }) => `/migrations/${waiting}`),
  {
    name: 'waiting-confirm-dialog',
    address: ({ waiting }) => `/migrations/${waiting}`,
    act: press(['button', 'Confirm']),
  },
  ...tabs('failed', ['timeline', 'adviser'], ({ failed }) => `/migrations/${failed}`),
  ...tabs('parked', ['timeline', 'adviser', 'facts'], ({ parked }) => `/migrations/${parked}`),
  { name: 'ended', address: ({ ended }) => `/migrations/${ended}` },
]

const work: readonly Shot[] = [
  { name: 'explain', address: () => '/explain' },
  { name: 'explain-flavor', address: () => '/explain?flavor=s1.small' },
  {
    name: 'explain-nobody',
    address: () => NO_FIT_URL,
    act: (page) => page.getByText('searching', { exact: true }).first().waitFor({ state: 'detached' }),
  },
  { name: 'explain-host', address: ({ host }) => `${NO_FIT_URL}&host=${host}` },
  { name: 'heal', address: () => '/heal' },
  { name: 'heal-finding', address: ({ finding }) => `/heal?finding=${finding}` },
  { name: 'heal-closed', address: () => '/heal?q=state%3Aclosed,open+colour%3Ared' },
  { name: 'heal-plans', address: () => '/heal?tab=plans' },
  { name: 'heal-plan', address: ({ heal }) => `/heal/${heal}` },
  { name: 'heal-rules', address: () => '/heal?tab=rules' },
  { name: 'heal-rule-dialog', address: () => '/heal?tab=rules', act: press(['button', /^Change automatic repair/]) },
  { name: 'runbook', address: () => '/runbook/unit-held-twice' },
  { name: 'runbook-stray', address: () => '/runbook/stray-allocation' },
  { name: 'drains', address: () => '/drains' },
  { name: 'drains-dialog', address: () => '/drains', act: press(['button', 'Plan drain…']) },
  ...tabs('drain', ['plan', 'placement', 'changes'], ({ run }) => `/drains/${run}`),
  { name: 'drain-placement-table', address: ({ run }) => `/drains/${run}?tab=placement&as=table` },
  { name: 'layout', address: () => '/layout' },
  { name: 'layout-host', address: ({ host }) => `/layout?host=${host}` },
  { name: 'layout-wave-dialog', address: () => '/layout', act: press(['button', 'Start rollout on all']) },
]

/** Expands the first operations on the page. */
const openOperations = async (page: Page) => {
  const parts = page.locator('summary')
  for (let nth = 0; nth < 4; nth++) await parts.nth(nth).click()
}

const typePassword = async (page: Page) => {
  await page.getByRole('dialog').getByLabel('Password').fill(ADMIN.password)
  await page.keyboard.press('Enter')
}

const account: readonly Shot[] = [
  { name: 'account', address: () => '/account' },
  { name: 'account-code', address: () => '/account', act: press(['button', 'Set up an authenticator app']) },
  {
    name: 'account-code-scan',
    address: () => '/account',
    act: async (page) => {
      await press(['button', 'Set up an authenticator app'])(page)
      await typePassword(page).catch(() => null)
      await page
        .getByRole('img')
        .first()
        .waitFor({ timeout: OPENS_WITHIN_MS })
        .catch(() => null)
    },
  },
  { name: 'account-passkey', address: () => '/account', act: press(['button', 'Add a passkey']) },
  { name: 'api', address: () => '/api/v1', act: openOperations },
  { name: 'api-types', address: () => '/api/v1#type-HostRow' },
]

const frame: readonly Shot[] = [
  { name: 'palette', address: () => '/overview', act: keys('Control+k') },
  { name: 'palette-found', address: () => '/overview', act: keys('Control+k', 'h', '-', '0') },
  { name: 'palette-none', address: () => '/overview', act: keys('Control+k', 'q', 'q', 'q', 'q') },
  { name: 'keys', address: () => '/overview', act: keys('?') },
  { name: 'person', address: () => '/overview', act: press(['button', /^Administrator|^looks\.on/]) },
  { name: 'not-found', address: () => '/no-such-page' },
  { name: 'sign-in', address: () => '/sign-in', signedOut: true },
  {
    name: 'sign-in-refused',
    address: () => '/sign-in?next=%2Fhosts',
    signedOut: true,
    act: async (page) => {
      await page.getByLabel('Username or email').fill('admin')
      await page.getByLabel('Password').fill('not-my-password')
      await page.keyboard.press('Enter')
      await page
        .getByRole('alert')
        .first()
        .waitFor({ timeout: 5_000 })
        .catch(() => null)
    },
  },
]

export const SHOTS: readonly Shot[] = [
  ...fleet,
  ...clouds,
  ...hosts,
  ...instances,
  ...migrations,
  ...work,
  ...account,
  ...frame,
]
