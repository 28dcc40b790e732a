import { defineConfig } from 'vitest/config'

const pure = [
  ...['server/engine/**/*.test.ts', 'server/tidy/**/*.test.ts', 'server/tidy.test.ts', 'forms/**/*.test.ts'],
  'bench/**/*.test.ts',
]

// Three projects, so that a run costs only what it needs: the pure one starts no database, and only the one for
// components pays for a DOM.
export default defineConfig({
  resolve: {
    alias: {
      '@': import.meta.dirname,
    },
  },
  test: {
    maxWorkers: 3, // while some wait for the database or a clock, others keep two cores busy
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: '.data/reports/vitest.json' }], './.ci/second-try.mjs']
      : ['default'],
    testTimeout: 180_000, // a scenario with many migrations takes a busy machine a minute
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      // What is pure has nothing to be kept apart, so its modules are loaded once for all files of a worker.
      { extends: true, test: { name: 'engine', include: pure, environment: 'node', isolate: false } },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude: pure,
          environment: 'node',
          isolate: false, // each test makes a database of its own; loading the server anew for each file took five minutes
          // As in the browser: a machine that others share can stand still for longer than any wait, and what passes only
          // at its second try is named by the summary. What is pure waits for nothing and has no second try.
          retry: process.env.CI ? 1 : 0,
          globalSetup: ['server/boot/test-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          include: ['components/**/*.test.{ts,tsx}', 'app/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          isolate: false, // each file makes and clears its own page; loading the same modules anew took longer than the tests
        },
      },
    ],
  },
})
