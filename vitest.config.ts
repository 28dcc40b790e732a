import path from 'node:path'
import { defineConfig } from 'vitest/config'

const pure = ['server/engine/**/*.test.ts', 'server/tidy/**/*.test.ts', 'server/tidy.test.ts']

// Three projects, so that a run costs only what it needs: the pure one starts no database, and only the one for
// components pays for a DOM.
export default defineConfig({
  resolve: {
    alias: {
      '@': import.meta.dirname,
      // This package throws wherever React's server condition is not set, which is what tests are.
      'server-only': path.join(import.meta.dirname, 'node_modules/server-only/empty.js'),
    },
  },
  test: {
    maxWorkers: 2,
    reporters: process.env.CI ? ['default', ['json', { outputFile: '.data/reports/vitest.json' }]] : ['default'],
    testTimeout: 180_000, // a story with many moves takes a busy machine a minute
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      { extends: true, test: { name: 'engine', include: pure, environment: 'node' } },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude: pure,
          environment: 'node',
          globalSetup: ['server/boot/test-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          include: ['components/**/*.test.{ts,tsx}', 'app/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
        },
      },
    ],
  },
})
