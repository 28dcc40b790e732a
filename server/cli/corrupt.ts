import { parseArgs } from 'node:util'
import { startTestServer } from '../boot/test-database'
import { MODES, runCorruption } from '../simulation/corruption/run'
import { complaints, reasons, tallyOf } from '../simulation/corruption/tally'

// npm run corrupt -- [--every N] [--from N] [--only TEXT]: every column of every table made wrong in every way, or one case
// of N, or those whose table and column begin so. Exit code 0: everything is explained. 1: something is not.

const AT_ONCE = 80

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { every: text, from: text, only: text } })
const server = await startTestServer()
try {
  let done = 0
  const progress = () => {
    done += 1
    if (done % 500 === 0) console.error(`${done} cases`)
  }
  const { freshDatabase } = server
  const ask = {
    every: Math.max(1, Number(values.every ?? 1)),
    from: Number(values.from ?? 0),
    batch: AT_ONCE,
    progress,
  }
  const only = values.only === undefined ? {} : { only: new RegExp(`^${values.only}`) }
  const report = await runCorruption({ freshDatabase, ...ask, ...only, modes: MODES })
  for (const mode of MODES) {
    const tally = tallyOf(report.cases.filter((each) => each.mode === mode))
    const told = Object.entries(tally).map((pair) => pair.join(' '))
    console.log(`${mode.padEnd(20)} ${told.join(', ')}`)
  }
  for (const line of reasons(report.cases)) console.log(`  ${line}`)
  const left = complaints(report)
  console.log(`tables ${report.tables}, columns ${report.columns}; ${left.length} complaints`)
  for (const line of left) console.log(`  ${line}`)
  process.exitCode = left.length === 0 ? 0 : 1
} finally {
  await server.stop()
}
