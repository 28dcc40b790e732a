import { defineConfig } from '@playwright/test'
import { originAt, PORT, settingsFor } from './e2e/address'
import { ADMIN } from './e2e/people'
import { findChromium } from './server/boot/chromium.mjs'

const origin = originAt(PORT)
const chromium = findChromium()

// The tests run the real application on a real, empty database. One worker: the specs share that one fleet.
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 1,
  // A machine that also builds and simulates can be slow by seconds; what is waited for is always a condition.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.CI ? [['list'], ['json', { outputFile: '.data/reports/playwright.json' }]] : [['list']],
  use: {
    baseURL: origin,
    actionTimeout: 20_000,
    locale: 'en-US',
    // A failure leaves the page in words and as a picture. `npm run e2e -- NAME --trace on` records all, at half the speed.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromium.executablePath,
      args: chromium.args,
      env: { ...(process.env as Record<string, string>), ...chromium.env },
    },
  },
  projects: [{ name: 'chromium', use: { browserName: 'chromium' } }],
  webServer: {
    command: 'node --import tsx server/boot/e2e-main.ts',
    url: `${origin}/readyz`,
    env: {
      ...settingsFor(PORT),
      DATABASE_URL: process.env.E2E_DATABASE_URL ?? '',
      BERTH_ADMIN_PASSWORD: ADMIN.password,
    },
    stdout: 'pipe',
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
})
