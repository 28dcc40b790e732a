// A reporter of vitest: leaves the tests that passed only at their second try, with what failed at the first, for the summary.
import fs from 'node:fs'
import path from 'node:path'

const FILE = '.data/reports/second-try.json'

export default class SecondTry {
  #found = []

  onTestCaseResult(test) {
    if (!test.diagnostic()?.flaky) return
    const [error] = test.result().errors ?? []
    const file = path.relative('.', test.module.moduleId)
    this.#found.push({ test: `${file} > ${test.fullName}`, why: error?.message ?? '' })
  }

  onTestRunEnd() {
    fs.mkdirSync(path.dirname(FILE), { recursive: true })
    fs.writeFileSync(FILE, JSON.stringify(this.#found))
  }
}
