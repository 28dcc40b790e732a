import fs from 'node:fs'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page, request } from '@playwright/test'
import config from '../playwright.config'
import { JOURNEYS_FLEET, PORT as SPECS_PORT } from './address'
import { scrollersOn, VIEWPORTS } from './horizontal-scroll'
import { ShownCloud } from './screenshot-clouds'
import { SHOTS, type Shot } from './screenshot-pages'
import { type Ids, idsOf, VIEWER } from './screenshot-subjects'
import { OwnServer } from './server'
import { ADMIN, makePerson, type Person, signIn } from './users'

// npm run screenshots [-- NAME …] [--in=full-dark …] [--pseudo] [--fleet=24x200] [--readme]: a screenshot of every
// page, dark and light, 390, 768, 1280 and 1920 px wide, on a fleet of 20,000 instances, with every query failed, as a
// viewer, and on an empty fleet. --in takes only folders with that prefix. --readme takes those of the README, into
// docs/images. --pseudo makes all texts 40 % longer, for widths only: light, 1280 px. Lists clipped text and sideways
// scrolling at the end. The screenshots are for review: nothing passes or fails.

const OUT = '.data/screenshots'
const PORT = SPECS_PORT + 5
const THEMES = ['light', 'dark'] as const
const SETTLE_LIMIT_MS = 20_000
const BUSY = '[aria-busy=true]'
const LATE_MS = 400 // the code of an overlay may still be loading, and nothing on the page shows it
const BROKEN_LANES = 2 // a failed query is retried for seconds before the page gives up
const READY_LIMIT_MS = 120_000 // an audit and a drain plan over the whole fleet

interface Setting {
  readonly name: string
  readonly fleet: string
  /** All API requests fail. */
  readonly broken?: true
  /** A user with the fewest rights opens the pages. */
  readonly viewer?: true
}
const fleetOption = process.argv.find((word) => word.startsWith('--fleet='))?.slice('--fleet='.length)
const EMPTY = 'no'
const FLEET = fleetOption ?? JOURNEYS_FLEET
const SETTINGS: readonly Setting[] = [
  { name: 'full', fleet: FLEET },
  { name: 'error', fleet: FLEET, broken: true },
  { name: 'viewer', fleet: FLEET, viewer: true },
  { name: 'empty', fleet: EMPTY },
]

/** Pages in the README, with their file names. JPEG, because a PNG of a page is too large for a README. */
const README_PICTURES: Readonly<Record<string, string>> = {
  overview: 'overview',
  'host-map-place': 'host-map',
  'explain-nobody': 'explain',
}
const README_FOLDER = 'full-light-1280'
const README_QUALITY = 70

const readme = process.argv.includes('--readme')
const pseudo = process.argv.includes('--pseudo')
const folderPrefixes = readme
  ? [README_FOLDER]
  : process.argv.flatMap((word) => (word.startsWith('--in=') ? [word.slice('--in='.length)] : []))
const wanted = readme ? Object.keys(README_PICTURES) : process.argv.slice(2).filter((word) => !word.startsWith('--'))
const clipped = new Map<string, Set<string>>()
const sideways = new Map<string, Set<string>>()

interface ScreenshotServer {
  readonly origin: string
  readonly ids: Ids
}

async function main(): Promise<void> {
  const browser = await chromium.launch(config.use?.launchOptions)
  const settings = SETTINGS.filter(({ name }) => folders(name).length > 0)
  for (const fleet of new Set(settings.map((setting) => setting.fleet))) {
    const cloud = new ShownCloud()
    const server = new OwnServer(PORT, {
      BERTH_DEMO: fleet,
      LIBVIRT_PATHS: cloud.machine.folder,
      ...(pseudo ? { BERTH_LOCALE: 'pseudo' } : {}),
    })
    await Promise.all([cloud.start(), server.startAnew()])
    try {
      const drawn = { origin: server.origin, ids: await madeReady(server.origin) }
      const signed = { baseURL: server.origin, storageState: await signedIn(server.origin, ADMIN) }
      if (fleet !== EMPTY)
        drawn.ids = { ...drawn.ids, cloud: await cloud.watchedBy(browser, signed), files: cloud.files }
      for (const setting of settings.filter((each) => each.fleet === fleet)) await drawAll(browser, drawn, setting)
    } finally {
      await Promise.all([server.stop(), cloud.stop()])
    }
  }
  await browser.close()
  for (const [name, texts] of clipped) console.log([`clipped on ${name}:`, ...texts].join('\n  '))
  for (const [name, parts] of sideways) console.log([`sideways scroll on ${name}:`, ...parts].join('\n  '))
}

async function madeReady(origin: string): Promise<Ids> {
  const api = await request.newContext({ baseURL: origin, timeout: READY_LIMIT_MS })
  await signIn(api, ADMIN)
  await makePerson(api, 'viewer', VIEWER)
  const ids = await idsOf(api, PORT)
  await api.dispose()
  return ids
}

async function drawAll(browser: Browser, { origin, ids }: ScreenshotServer, setting: Setting): Promise<void> {
  const storageState = await signedIn(origin, setting.viewer ? VIEWER : ADMIN)
  for (const { folder, colorScheme, viewport } of folders(setting.name)) {
    const seen = { baseURL: origin, colorScheme, viewport, locale: 'en-US' }
    const contexts = [await browser.newContext({ ...seen, storageState }), await browser.newContext(seen)] as const
    for (const context of setting.broken ? contexts : []) {
      await context.route(/\/api\/(trpc|auth)\//, (route) => route.abort())
    }
    await drawEach(contexts, { folder, ids, lanes: setting.broken ? BROKEN_LANES : 1 })
    for (const context of contexts) await context.close()
  }
}

async function signedIn(origin: string, person: Person) {
  const api = await request.newContext({ baseURL: origin })
  await signIn(api, person)
  const state = await api.storageState()
  await api.dispose()
  return state
}

/** Every requested theme and width of a setting. */
function folders(setting: string) {
  const all = THEMES.flatMap((colorScheme) =>
    VIEWPORTS.map((viewport) => ({ folder: `${setting}-${colorScheme}-${viewport.width}`, colorScheme, viewport })),
  )
  const drawn = pseudo ? all.filter(({ folder }) => folder === `${setting}-light-1280`) : all
  return drawn.filter(
    ({ folder }) => folderPrefixes.length === 0 || folderPrefixes.some((name) => folder.startsWith(name)),
  )
}

/** The first context is signed in, the second is not. */
async function drawEach(
  [signedInContext, signedOutContext]: readonly [BrowserContext, BrowserContext],
  { folder, ids, lanes }: { folder: string; ids: Ids; lanes: number },
): Promise<void> {
  const home = path.join(OUT, pseudo ? 'pseudo' : 'plain', folder)
  fs.mkdirSync(home, { recursive: true })
  const shots = SHOTS.filter(
    ({ name }) => wanted.length === 0 || wanted.some((word) => (readme ? name === word : name.startsWith(word))),
  )
  const drawLane = async (lane: number) => {
    const [page, signedOutPage] = [await signedInContext.newPage(), await signedOutContext.newPage()]
    for (const shot of shots.filter((_, n) => n % lanes === lane)) {
      await draw(shot.signedOut ? signedOutPage : page, shot, { home, ids })
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => drawLane(lane)))
  console.log(home)
}

async function draw(page: Page, shot: Shot, { home, ids }: { home: string; ids: Ids }): Promise<void> {
  await page.goto(shot.address(ids))
  await settled(page)
  if (shot.act) {
    await shot.act(page, ids)
    await settled(page)
  }
  await page.screenshot({ path: path.join(home, `${shot.name}.png`) })
  if (readme) {
    const picture = `docs/images/${README_PICTURES[shot.name]}.jpg`
    await page.screenshot({ path: picture, type: 'jpeg', quality: README_QUALITY })
  }
  for (const { text, shown, needed } of await clippedOn(page)) {
    note(clipped, shot.name, `${text} (${shown} of ${needed} px)`)
  }
  for (const part of await scrollersOn(page)) note(sideways, `${shot.name}, ${page.viewportSize()?.width} px`, part)
}

function note(notes: Map<string, Set<string>>, name: string, text: string): void {
  notes.set(name, (notes.get(name) ?? new Set()).add(text))
}

/** Waits until the page is no longer loading, or until the limit, when a user would see it like this as well. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await quiet(page)
  await page.waitForTimeout(LATE_MS)
  await quiet(page)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

async function quiet(page: Page): Promise<void> {
  const busy = page.locator(BUSY)
  await page
    .waitForFunction((selector) => !document.querySelector(selector), BUSY, { timeout: SETTLE_LIMIT_MS })
    .catch(async () => console.log(`${page.url()} still waits for ${await busy.count()} parts`))
}

await main()

/** Text that is wider than its box, so that only its beginning is visible. */
interface ClippedText {
  readonly text: string
  readonly shown: number
  readonly needed: number
}

/** Truncated text without a tooltip for the rest. */
async function clippedOn(page: Page): Promise<readonly ClippedText[]> {
  // One expression: the compiler wraps a named function in a helper that does not exist on the page.
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => ['hidden', 'clip'].includes(getComputedStyle(element).overflowX))
      // Elements of one pixel are for screen readers only.
      .filter(({ clientWidth, scrollWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
      .filter((element) => element.closest('[title]') === null)
      .filter((element) =>
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()),
      )
      .map(({ innerText, clientWidth, scrollWidth }) => ({
        text: innerText.replace(/\s+/g, ' ').slice(0, 80),
        shown: clientWidth,
        needed: scrollWidth,
      })),
  )
}
