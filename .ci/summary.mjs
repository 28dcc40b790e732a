// Adds up what the test runners wrote to .data/reports and prints one line: `N passed, N failed`. A run that ended badly
// without a failed test (types, lint, a server that did not start) counts as one failure. Lines before it name what
// failed, with the beginning of why, and what passed only at its second try.
import fs from 'node:fs'
import path from 'node:path'

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
const flaky = browsers.flatMap(({ suites }) => endedAs('flaky', suites ?? []))
for (const what of [
  ...units.flatMap(failedIn),
  ...browsers.flatMap(({ suites }) => endedAs('unexpected', suites ?? [])),
])
  console.log(`failed: ${what}`)
for (const { test, why } of read('second-try') ?? []) flaky.push(`${test}: ${beginning(why)}`)
for (const what of flaky) console.log(`flaky: ${what}`)
console.log(`${passed} passed, ${failedRun ? Math.max(failed, 1) : failed} failed`)

function read(runner) {
  const file = `.data/reports/${runner}.json`
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined
}

/** `file > test: why`, of each; a file that did not load has no tests to name. */
function failedIn({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative('.', name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0 && status === 'failed') return [`${file}: ${beginning(message)}`]
    return failed.map(
      ({ fullName, failureMessages }) => `${file} > ${fullName}: ${beginning(failureMessages.join(' '))}`,
    )
  })
}

function beginning(text) {
  return text.replace(/\s+/g, ' ').slice(0, 600)
}

/** `file:line title` of each. */
function endedAs(status, suites) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs
      .filter(({ tests }) => tests.some((test) => test.status === status))
      .map(({ file, line, title }) => `${file}:${line} ${title}`),
    ...endedAs(status, inner),
  ])
}
