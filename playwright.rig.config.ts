import { defineConfig } from '@playwright/test'
import main from './playwright.config'

// Stories on rigs of real libvirt hosts and of a real OpenStack cloud: their Berth is one of their own, started with the rig.
export default defineConfig({
  ...main,
  outputDir: 'test-results/rig',
  workers: 1,
  reporter: process.env.CI ? [['list'], ['json', { outputFile: '.data/reports/playwright-rig.json' }]] : [['list']],
  projects: [
    { name: 'libvirt', testDir: 'e2e/libvirt', use: { browserName: 'chromium' } },
    {
      name: 'openstack',
      testDir: 'e2e/openstack',
      testMatch: /(console|sign-in)\.spec/,
      use: { browserName: 'chromium' },
    },
  ],
  webServer: [],
})
