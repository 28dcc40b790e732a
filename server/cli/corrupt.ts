import { parseArgs } from 'node:util'
import { startTestServer } from '../boot/test-database'
import { type CaseReport, MODES, runCorruption } from '../simulation/corruption/run'
import { complaints, isBad, reasons, tallyOf } from '../simulation/corruption/tally'
import { messageOf, printedHelp, wrongCall } from './usage'

// npm run corrupt: corrupts every column of every table in every way, or only one case in N, or tables and columns whose
// names begin with TEXT, or in one mode. Exit code 0: every case is explained. 1: some are not. 2: wrong arguments.

const USAGE = `usage: npm run corrupt -- [--every N] [--from N] [--only TEXT] [--mode ${MODES.join('|')}]`

const AT_ONCE = 80
const TELL_EVERY = 100

const sum = (cases: readonly CaseReport[]) =>
  Object.entries(tallyOf(cases))
    .map((pair) => pair.join(' '))
    .join(', ')

const text = { type: 'string' } as const

function readOptions() {
  try {
    const { values } = parseArgs({ options: { every: text, from: text, only: text, mode: text } })
    const { every = '1', from = '0', only, mode } = values
    if (!/^[1-9]\d*$/.test(every) || !/^\d+$/.test(from)) return '--every and --from take whole numbers'
    const modes = MODES.filter((each) => mode === undefined || each === mode)
    if (modes.length === 0) return `--mode must be one of ${MODES.join(', ')}`
    return { every: Number(every), from: Number(from), ...(only && { only: new RegExp(`^${only}`) }), modes }
  } catch (error) {
    return messageOf(error)
  }
}

if (printedHelp(process.argv.slice(2), USAGE)) process.exit(0)
const options = readOptions()
if (typeof options === 'string') process.exit(wrongCall(options, USAGE))
const { modes } = options
const server = await startTestServer()
try {
  const seen: CaseReport[] = []
  const progress = (report: CaseReport) => {
    seen.push(report)
    // Prints during the run, so that a run that is stopped has shown what it found.
    if (seen.length % TELL_EVERY === 0) console.error(`${seen.length} cases: ${sum(seen)}`)
    if (isBad(report)) console.error(`${report.mode}: ${report.name}: ${report.broken[0] ?? report.outcome.is}`)
  }
  const { freshDatabase } = server
  const report = await runCorruption({ freshDatabase, ...options, batch: AT_ONCE, progress })
  for (const mode of modes) {
    console.log(`${mode.padEnd(20)} ${sum(report.cases.filter((each) => each.mode === mode))}`)
  }
  for (const line of reasons(report.cases)) console.log(`  ${line}`)
  const left = complaints(report)
  console.log(`tables ${report.tables}, columns ${report.columns}; ${left.length} unexplained`)
  for (const line of left) console.log(`  ${line}`)
  process.exitCode = left.length === 0 ? 0 : 1
} finally {
  await server.stop()
}
