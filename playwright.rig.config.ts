import { defineConfig } from '@playwright/test'
import main from './playwright.config'

// Stories on the rig of libvirt hosts: their Berth is one of their own, started once the hosts stand.
export default defineConfig({
  ...main,
  testDir: 'e2e/libvirt',
  outputDir: 'test-results/libvirt',
  workers: 1,
  reporter: process.env.CI ? [['list'], ['json', { outputFile: '.data/reports/playwright-rig.json' }]] : [['list']],
  projects: [{ name: 'libvirt', use: { browserName: 'chromium' } }],
  webServer: [],
})
