import { defineConfig } from '@playwright/test'
import { JOURNEYS_FLEET, JOURNEYS_PORT, originAt, PAGES_PORT, PORT, settingsFor } from './e2e/address'
import { ADMIN } from './e2e/people'
import { findChromium } from './server/boot/chromium.mjs'

const chromium = findChromium()
const PAGES = '**/pages.spec.ts'

/** A Berth of the tests' own on a database that is new. */
const serverAt = (port: number, settings: Readonly<Record<string, string>> = {}) => ({
  command: 'node --import tsx server/boot/e2e-main.ts',
  url: `${originAt(port)}/readyz`,
  env: { ...settingsFor(port), DATABASE_URL: '', BERTH_ADMIN_PASSWORD: ADMIN.password, ...settings },
  stdout: 'pipe' as const,
  timeout: 600_000,
  gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 10_000 },
})

// The tests run the real application on a real, empty database. One worker of each project: its specs share one fleet.
export default defineConfig({
  testDir: 'e2e',
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
      testIgnore: ['journeys/**', 'libvirt/**', 'openstack/**', PAGES],
      workers: 1,
      use: { browserName: 'chromium' },
    },
    // Each is long, over a fleet whose audit alone takes seconds.
    {
      name: 'journeys',
      testDir: 'e2e/journeys',
      workers: 1,
      timeout: 900_000,
      use: { browserName: 'chromium', baseURL: originAt(JOURNEYS_PORT) },
    },
    // Every page is read by axe, which takes minutes of the processor and changes nothing.
    { name: 'pages', testMatch: PAGES, workers: 1, use: { browserName: 'chromium', baseURL: originAt(PAGES_PORT) } },
  ],
  webServer: [
    serverAt(PORT, { DATABASE_URL: process.env.E2E_DATABASE_URL ?? '' }),
    serverAt(JOURNEYS_PORT, { BERTH_DEMO: JOURNEYS_FLEET }),
    serverAt(PAGES_PORT),
  ],
})
