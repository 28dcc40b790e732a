import fs from 'node:fs'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page, request } from '@playwright/test'
import config from '../playwright.config'
import { JOURNEYS_FLEET, PORT as SPECS_PORT } from './address'
import { clippedOn } from './clipped'
import { ADMIN, signIn } from './people'
import { OwnServer } from './server'

// npm run screenshots [-- NAME …] [--in=full-dark …] [--pseudo] [--fleet=24x200]: a picture of every page, dark and light,
// 1280 and 1920 wide, on a fleet of 20,000 guests, with every question failed, and on an empty one; --in draws only the
// folders whose name begins so. --pseudo draws all words 40 % longer, where only widths matter: light, 1280. Text that
// does not fit its box is listed at the end. The pictures are to be looked at: nothing passes or fails.

const OUT = '.data/screenshots'
const PORT = SPECS_PORT + 5
const WIDTHS = [1280, 1920] as const
const THEMES = ['light', 'dark'] as const
const SETTLE_LIMIT_MS = 20_000

interface Shot {
  readonly name: string
  readonly address: (ids: Ids) => string
  /** What a person does before the picture. */
  readonly act?: (page: Page) => Promise<unknown>
}
type Ids = Readonly<Record<'host' | 'instance' | 'migration' | 'run', string>>

const NOBODY_TAKES = '/explain?vcpus=500&memory=4096&disk=1&specs=hw:cpu_policy%3Ddedicated'

/** Picks the first row of a table; there is none on an empty fleet. */
function pickRow(table: string) {
  return async (page: Page) => {
    const row = page.getByRole('table', { name: table }).locator('tr[data-row]').first()
    if ((await row.count()) > 0) await row.click()
  }
}

const hostTabs = ['map', 'instances', 'claims', 'moves', 'findings', 'adviser', 'facts', 'events']
const moveTabs = ['timeline', 'mapping', 'claims', 'transfer', 'facts', 'adviser', 'findings', 'events', 'raw']
const SHOTS: readonly Shot[] = [
  { name: 'overview', address: () => '/overview' },
  { name: 'hosts', address: () => '/hosts' },
  { name: 'hosts-filtered', address: () => '/hosts?q=host%3Ah*+-zone%3Aa+colour%3Ared&sort=zone,-memory' },
  { name: 'hosts-no-match', address: () => '/hosts?q=there-is-none' },
  { name: 'hosts-filter-list', address: () => '/hosts', act: (page) => page.keyboard.type('/s') },
  ...hostTabs.map((tab) => ({ name: `host-${tab}`, address: ({ host }: Ids) => `/hosts/${host}?tab=${tab}` })),
  { name: 'instances', address: () => '/instances' },
  ...['holdings', 'moves', 'findings', 'facts', 'events'].map((tab) => ({
    name: `instance-${tab}`,
    address: ({ instance }: Ids) => `/instances/${instance}?tab=${tab}`,
  })),
  {
    name: 'instance-move-drawer',
    address: ({ instance }) => `/instances/${instance}?move=${instance}&operation=live-migrate`,
  },
  ...['flight', 'waiting', 'overdue', 'history', 'times'].map((view) => ({
    name: `migrations-${view}`,
    address: () => `/migrations?view=${view}`,
  })),
  ...moveTabs.map((tab) => ({
    name: `migration-${tab}`,
    address: ({ migration }: Ids) => `/migrations/${migration}?tab=${tab}`,
  })),
  ...['explain', 'claims', 'devices', 'capacity', 'heal', 'drains', 'layout'].map((name) => ({
    name,
    address: () => `/${name}`,
  })),
  { name: 'host-look', address: ({ host }) => `/hosts?look=host:${host}&in-tab=instances` },
  { name: 'instance-look', address: ({ instance }) => `/instances?look=instance:${instance}` },
  { name: 'migration-look', address: ({ migration }) => `/migrations?look=migration:${migration}` },
  { name: 'instance-build-drawer', address: () => '/instances?build=yes&flavor=s1.small&image=debian-12' },
  { name: 'overview-room', address: () => '/overview?shade=room&flavor=s1.small' },
  { name: 'host-map-table', address: ({ host }) => `/hosts/${host}?as=table` },
  { name: 'host-evacuate', address: ({ host }) => `/hosts/${host}/evacuate` },
  { name: 'hosts-past', address: () => `/hosts?at=${new Date().toISOString()}` },
  { name: 'explain-nobody', address: ({ host }) => `${NOBODY_TAKES}&host=${host}` },
  { name: 'claims-filtered', address: () => '/claims?by=provider&q=class%3APCPU+-kind%3Amigration&sort=-since' },
  { name: 'devices-one', address: () => '/devices?q=state%3Aheld', act: pickRow('Functions') },
  { name: 'heal-plans', address: () => '/heal?tab=plans' },
  { name: 'heal-rules', address: () => '/heal?tab=rules' },
  { name: 'heal-closed', address: () => '/heal?q=state%3Aclosed,open+colour%3Ared' },
  { name: 'drain-plan', address: ({ run }) => `/drains/${run}` },
  { name: 'drain-puzzle', address: ({ run }) => `/drains/${run}?tab=puzzle` },
  { name: 'layout-host', address: ({ host }) => `/layout?host=${host}` },
  { name: 'runbook', address: () => '/runbook/unit-held-twice' },
  { name: 'palette', address: () => '/overview', act: (page) => page.keyboard.press('Control+k') },
  {
    name: 'palette-found',
    address: () => '/overview',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('h-0')
    },
  },
  { name: 'keys', address: () => '/overview', act: (page) => page.keyboard.press('?') },
  { name: 'not-found', address: () => `/hosts/${NOTHING}` },
]

const NOTHING = '00000000-0000-0000-0000-000000000000'

interface Setting {
  readonly name: string
  readonly fleet: string
  readonly broken?: boolean
}
const fleetOption = process.argv.find((word) => word.startsWith('--fleet='))?.slice('--fleet='.length)
const FLEET = fleetOption ?? JOURNEYS_FLEET
const SETTINGS: readonly Setting[] = [
  { name: 'full', fleet: FLEET },
  { name: 'error', fleet: FLEET, broken: true },
  { name: 'empty', fleet: 'no' },
]

const pseudo = process.argv.includes('--pseudo')
const inside = process.argv.flatMap((word) => (word.startsWith('--in=') ? [word.slice('--in='.length)] : []))
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const clipped = new Map<string, Set<string>>()

async function main(): Promise<void> {
  const browser = await chromium.launch(config.use?.launchOptions)
  const settings = SETTINGS.filter(({ name }) => folders(name).length > 0)
  for (const fleet of new Set(settings.map((setting) => setting.fleet))) {
    const server = new OwnServer(PORT, { BERTH_DEMO: fleet, ...(pseudo ? { BERTH_LOCALE: 'pseudo' } : {}) })
    await server.startAnew()
    try {
      for (const setting of settings.filter((each) => each.fleet === fleet)) await drawAll(browser, server, setting)
    } finally {
      await server.stop()
    }
  }
  await browser.close()
  for (const [name, texts] of clipped) console.log([`clipped on ${name}:`, ...texts].join('\n  '))
}

async function drawAll(browser: Browser, server: OwnServer, setting: Setting): Promise<void> {
  const door = await request.newContext({ baseURL: server.origin })
  await signIn(door, ADMIN)
  const storageState = await door.storageState()
  const ids = await idsOf(door)
  for (const { folder, colorScheme, width } of folders(setting.name)) {
    const viewport = { width, height: width === 1280 ? 800 : 1080 }
    const context = await browser.newContext({
      baseURL: server.origin,
      storageState,
      colorScheme,
      viewport,
      locale: 'en-US',
    })
    if (setting.broken) await context.route('**/api/trpc/**', (route) => route.abort())
    await drawEach(context, folder, ids)
    await context.close()
  }
  await door.dispose()
}

/** Every theme and width of a setting that was asked for. */
function folders(setting: string) {
  const all = THEMES.flatMap((colorScheme) =>
    WIDTHS.map((width) => ({ folder: `${setting}-${colorScheme}-${width}`, colorScheme, width })),
  )
  const drawn = pseudo ? all.slice(0, 1) : all
  return drawn.filter(({ folder }) => inside.length === 0 || inside.some((name) => folder.startsWith(name)))
}

async function drawEach(context: BrowserContext, folder: string, ids: Ids): Promise<void> {
  const page = await context.newPage()
  const home = path.join(OUT, pseudo ? 'pseudo' : 'plain', folder)
  fs.mkdirSync(home, { recursive: true })
  for (const shot of SHOTS) {
    if (wanted.length > 0 && !wanted.some((word) => shot.name.startsWith(word))) continue
    await page.goto(shot.address(ids))
    await settled(page)
    await shot.act?.(page)
    await settled(page)
    await page.screenshot({ path: path.join(home, `${shot.name}.png`) })
    for (const { text, shown, needed } of await clippedOn(page)) {
      const texts = clipped.get(shot.name) ?? new Set()
      clipped.set(shot.name, texts.add(`${text} (${shown} of ${needed} px)`))
    }
  }
  console.log(home)
}

/** Nothing is waited for by the page any more, or it has waited so long that this is what a person would see. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  const busy = page.locator('[aria-busy=true]')
  await page
    .waitForFunction((selector) => !document.querySelector(selector), '[aria-busy=true]', {
      timeout: SETTLE_LIMIT_MS,
    })
    .catch(async () => console.log(`${page.url()} still waits for ${await busy.count()} parts`))
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

async function idsOf(door: Awaited<ReturnType<typeof request.newContext>>): Promise<Ids> {
  const first = async (list: string, input: object) => {
    const answer = await door.get(`/api/trpc/${list}?input=${encodeURIComponent(JSON.stringify(input))}`)
    const { result } = (await answer.json()) as { result?: { data: { rows: readonly { id: string }[] } } }
    return result?.data.rows[0]?.id ?? NOTHING
  }
  return {
    host: await first('host.list', { order: [{ by: 'instances', dir: 'desc' }] }),
    instance: await first('instance.list', {}),
    migration: await first('migration.list', { view: 'all' }),
    run: await plannedOn(door, await first('host.list', { order: [{ by: 'instances', dir: 'desc' }] })),
  }
}

/** A drain that is planned and never started. */
async function plannedOn(door: Awaited<ReturnType<typeof request.newContext>>, host: string): Promise<string> {
  const data = { kind: 'drain', host, fallback: 'cold', helpers: true, reason: 'a picture' }
  const answer = await door.post('/api/trpc/run.plan', { data, timeout: 120_000 })
  const { result } = (await answer.json()) as { result?: { data: { run: string } } }
  return result?.data.run ?? NOTHING
}

await main()
