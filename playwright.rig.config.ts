import { defineConfig } from '@playwright/test'
import type { OnRig } from './e2e/openstack/on-rig'
import main from './playwright.config'

const openstack = (name: string, testMatch: string | RegExp) => ({
  ...{ name, testMatch, testDir: 'e2e/openstack', use: { browserName: 'chromium' as const } },
})

// Scenarios on rigs of real libvirt hosts and of a real OpenStack cloud: their Berth is one of their own, started with the rig.
export default defineConfig<object, Pick<OnRig, 'computes'>>({
  ...main,
  testIgnore: [],
  outputDir: 'test-results/rig',
  workers: 1,
  reporter: process.env.CI ? [['list'], ['json', { outputFile: '.data/reports/playwright-rig.json' }]] : [['list']],
  projects: [
    { name: 'libvirt', testDir: 'e2e/libvirt', use: { browserName: 'chromium' } },
    openstack('openstack', /(console|sign-in)\.spec/),
    // Minutes each, with a rig of their own.
    ...['stuck', 'alive', 'adopt'].map((scenario) => openstack(`openstack-${scenario}`, `${scenario}.spec.ts`)),
    {
      ...openstack('openstack-libvirt', 'witness.spec.ts'),
      use: { browserName: 'chromium', computes: 'libvirt' },
    },
  ],
  webServer: [],
})
