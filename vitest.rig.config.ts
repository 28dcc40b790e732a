import { defineConfig } from 'vitest/config'

// Files of the rig are named apart, so that neither the unit tests nor Playwright pick them up.
export default defineConfig({
  resolve: { alias: { '@': import.meta.dirname } },
  test: {
    include: ['e2e/libvirt/**/*.rig.ts'],
    exclude: ['**/*.bench.rig.ts', '**/*.suite.rig.ts'], // commands of their own, and what several files run
    reporters: process.env.CI ? ['default', ['json', { outputFile: '.data/reports/vitest-rig.json' }]] : ['default'],
    maxWorkers: 5, // each file has hosts of its own, and mostly waits for them
    testTimeout: 120_000,
    hookTimeout: 300_000, // the packages may have to be installed
    expect: { poll: { timeout: 20_000 } },
  },
})
