// Adds up what the test runners wrote to .data/reports and prints one line: `N passed, N failed`. A run that ended badly
// without a failed test (types, lint, a server that did not start) counts as one failure.
import fs from 'node:fs'

const failedRun = process.argv[2] !== '0'
const vitest = read('vitest')
const playwright = read('playwright')?.stats
const placement = read('placement')?.totals

const passed =
  (vitest?.numPassedTests ?? 0) + (playwright?.expected ?? 0) + (playwright?.flaky ?? 0) + (placement?.passed ?? 0)
const failed = (vitest?.numFailedTests ?? 0) + (playwright?.unexpected ?? 0) + (placement?.failed ?? 0)
console.log(`${passed} passed, ${failedRun ? Math.max(failed, 1) : failed} failed`)

function read(runner) {
  const file = `.data/reports/${runner}.json`
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined
}
