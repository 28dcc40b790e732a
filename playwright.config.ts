import { defineConfig } from '@playwright/test'
import { findChromium } from './server/boot/chromium.mjs'

const port = Number(process.env.E2E_PORT || 3210)
const origin = `http://127.0.0.1:${port}`
const chromium = findChromium()

// The tests run the real application on a real, empty database. One worker: the specs share that one fleet.
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 1,
  timeout: 30_000,
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.CI ? [['list'], ['json', { outputFile: '.data/reports/playwright.json' }]] : [['list']],
  use: {
    baseURL: origin,
    locale: 'en-US',
    trace: 'retain-on-failure',
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
      PORT: String(port),
      BERTH_POSTGRES_DIR: `.data/e2e-postgres-${port}`,
      DATABASE_URL: process.env.E2E_DATABASE_URL ?? '',
    },
    stdout: 'pipe',
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
})
