import { defineConfig } from '@playwright/test'
import { JOURNEYS_PORT, originAt, PAGES_PORT, PORT, SERVERS_PORT } from './e2e/address'
import { findChromium } from './server/boot/chromium.mjs'

const chromium = findChromium()
/** Those that read every page and change next to nothing. */
const PAGES = ['**/pages.spec.ts', '**/layout-shift.spec.ts']

/** Scenarios on rigs of real parts, which have a configuration of their own. */
const RIGS = ['**/libvirt/**', '**/openstack/**']

/** Those that start a Berth of their own, so they may run beside any other. */
const OWN = ['cloud-approval', 'connection', 'federation', 'first-day', 'resize-revert', 'witness'].map(
  (name) => `**/${name}.spec.ts`,
)

// The tests run the real application on a real, empty database. One worker of each project: its specs share one fleet.
export default defineConfig({
  testDir: 'e2e',
  testIgnore: RIGS,
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 2,
  // A machine that also builds and simulates can be slow by seconds; what is waited for is always a condition.
  timeout: 300_000,
  expect: { timeout: 45_000 },
  // A machine that others share can stand still for longer than any wait. What passes only at its second try is named
  // by the summary, and a desk of one's own has no second try: there it is mended.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.CI ? [['list'], ['json', { outputFile: '.data/reports/playwright.json' }]] : [['list']],
  use: {
    baseURL: originAt(PORT),
    actionTimeout: 45_000,
    locale: 'en-US',
    // Wide enough for every column of a list: what is left out on narrower windows is looked at by pages.spec.ts.
    viewport: { width: 1920, height: 1080 },
    // A failure leaves the page in words and as a picture. `npm run e2e -- NAME --trace on` records all, at half the speed.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromium.executablePath,
      args: chromium.args,
      env: { ...(process.env as Record<string, string>), ...chromium.env },
    },
  },
  projects: [
    {
      name: 'chromium',
      testIgnore: ['journeys/**', ...RIGS, ...PAGES, ...OWN],
      workers: 1,
      use: { browserName: 'chromium' },
    },
    // Every page is read by axe, which takes minutes of the processor and changes nothing.
    { name: 'pages', testMatch: PAGES, workers: 1, use: { browserName: 'chromium', baseURL: originAt(PAGES_PORT) } },
    { name: 'own', testMatch: OWN, workers: 1, use: { browserName: 'chromium' } },
    // Last, because their fleet takes longest to make. Each is long: an audit of that fleet alone takes seconds.
    {
      name: 'journeys',
      testDir: 'e2e/journeys',
      workers: 1,
      timeout: 900_000,
      use: { browserName: 'chromium', baseURL: originAt(JOURNEYS_PORT) },
    },
  ],
  webServer: {
    command: 'node --import tsx e2e/servers.ts',
    url: originAt(SERVERS_PORT),
    stdout: 'pipe',
    timeout: 600_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 25_000 },
  },
})
