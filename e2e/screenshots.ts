import fs from 'node:fs'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page, request } from '@playwright/test'
import config from '../playwright.config'
import { JOURNEYS_FLEET } from './address'
import { clippedOn } from './clipped'
import { ADMIN, signIn } from './people'
import { OwnServer } from './server'

// npm run screenshots [-- NAME …] [--pseudo] [--fleet=24x200]: a picture of every page, dark and light, 1280 and 1920
// wide, on a fleet of 20,000 guests, with every question failed, and on an empty one. --pseudo draws all words 40 %
// longer. Text that does not fit its box is listed at the end. The pictures are to be looked at: nothing passes or fails.

const OUT = '.data/screenshots'
const PORT = 3290
const WIDTHS = [1280, 1920] as const
const THEMES = ['light', 'dark'] as const
const SETTLE_LIMIT_MS = 20_000

interface Shot {
  readonly name: string
  readonly address: (ids: Ids) => string
  /** What a person does before the picture. */
  readonly act?: (page: Page) => Promise<unknown>
}
type Ids = Readonly<Record<'host' | 'instance' | 'migration', string>>

const hostTabs = ['map', 'instances', 'claims', 'moves', 'findings', 'adviser', 'facts', 'events']
const moveTabs = ['timeline', 'mapping', 'claims', 'transfer', 'adviser', 'findings', 'events']
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
  ...['flight', 'waiting', 'history'].map((view) => ({
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
  { name: 'not-found', address: () => '/hosts/00000000-0000-0000-0000-000000000000' },
]

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
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const clipped = new Map<string, Set<string>>()

async function main(): Promise<void> {
  const browser = await chromium.launch(config.use?.launchOptions)
  for (const fleet of new Set(SETTINGS.map((setting) => setting.fleet))) {
    const server = new OwnServer(PORT, { BERTH_DEMO: fleet, ...(pseudo ? { BERTH_LOCALE: 'pseudo' } : {}) })
    await server.startAnew()
    try {
      for (const setting of SETTINGS.filter((each) => each.fleet === fleet)) await drawAll(browser, server, setting)
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
  for (const colorScheme of THEMES) {
    for (const width of pseudo ? WIDTHS.slice(0, 1) : WIDTHS) {
      const viewport = { width, height: width === 1280 ? 800 : 1080 }
      const context = await browser.newContext({ baseURL: server.origin, storageState, colorScheme, viewport })
      if (setting.broken) await context.route('**/api/trpc/**', (route) => route.abort())
      await drawEach(context, `${setting.name}-${colorScheme}-${width}`, ids)
      await context.close()
    }
  }
  await door.dispose()
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
    return result?.data.rows[0]?.id ?? '00000000-0000-0000-0000-000000000000'
  }
  return {
    host: await first('host.list', { order: [{ by: 'instances', dir: 'desc' }] }),
    instance: await first('instance.list', {}),
    migration: await first('migration.list', { view: 'all' }),
  }
}

await main()
