// Adds up what the test runners wrote to .data/reports and prints one line: `N passed, N failed`. A run that ended badly
// without a failed test (types, lint, a server that did not start) counts as one failure. A line before it names the
// browser tests that passed only at their second try, if there are any.
import fs from 'node:fs'

const failedRun = process.argv[2] !== '0'
const units = [read('vitest'), read('vitest-rig')].filter(Boolean)
const browsers = [read('playwright'), read('playwright-rig')].filter(Boolean)
const placement = read('placement')?.totals

const sum = (parts, count) => parts.reduce((total, part) => total + count(part), 0)
const passed =
  sum(units, ({ numPassedTests }) => numPassedTests) +
  sum(browsers, ({ stats }) => stats.expected + stats.flaky) +
  (placement?.passed ?? 0)
const failed =
  sum(units, ({ numFailedTests }) => numFailedTests) +
  sum(browsers, ({ stats }) => stats.unexpected) +
  (placement?.failed ?? 0)
const flaky = browsers.flatMap(({ suites }) => flakyIn(suites ?? []))
if (flaky.length > 0) console.log(`flaky: ${flaky.join('; ')}`)
console.log(`${passed} passed, ${failedRun ? Math.max(failed, 1) : failed} failed`)

function read(runner) {
  const file = `.data/reports/${runner}.json`
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined
}

/** `file:line title` of each. */
function flakyIn(suites) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs
      .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
      .map(({ file, line, title }) => `${file}:${line} ${title}`),
    ...flakyIn(inner),
  ])
}
