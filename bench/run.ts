import { printedHelp, wrongCall } from '../server/cli/usage'
import { type AuditRow, benchAudit } from './audit'
import { benchAuditLog } from './audit-log'
import { benchClaims } from './claims'
import { benchConsole, FULL as CONSOLE_IN_FULL, PARTS as CONSOLE_PARTS, QUICK as CONSOLE_QUICKLY } from './console'
import { benchDrain } from './drain'
import { benchExplain } from './explain'
import { benchFit } from './fit'
import { benchGrowth } from './growth'
import { benchLayout } from './layout'
import { benchMigrations } from './migrations'
import { benchPlacement, PLACEMENT_GOAL, peerFrom } from './placement/measure'
import { benchProjection } from './projection'

// npm run bench [-- NAME … --quick --parts PART,…]: every measured claim about speed, or the named ones, in one table,
// with baseline and goal. Exits with 0 whether or not goals are met, because other load on the machine is not a defect.

interface Figure {
  readonly bench: string
  readonly name: string
  readonly figure: string
  readonly against: string
  /** Ratio of figure and baseline, where more is better; null: no baseline. */
  readonly ratio: number | null
  readonly goal: number | null
}

const MIGRATIONS_GOAL_PER_S = 100
const quick = process.argv.includes('--quick')
const FIT_GOAL = 20 // times faster than Nova's best figure on the same machine
const DRAIN_GOAL_MS = 3_000 // from the request to a plan for 40 instances over 500 hosts
const EXPLAIN_GOAL_MS = 1_000 // from the request to verdicts, funnel, largest shape and fixes on 500 hosts
const GROWTH_GOAL = 0.5 // candidates with a limit cost at most twice as much in the largest fleet as in the smallest
const PLACEMENT_REQUESTS = 1_000 // of each kind
const CLAIMS_GOAL = 0.5 // of a bare client that commits the same rows in one statement

const BENCHES = {
  fit,
  drain,
  explain,
  layout,
  claims,
  migrations,
  projection,
  audit,
  'audit-log': auditLog,
  growth,
  placement,
  console: consoleFigures,
} as const
type Name = keyof typeof BENCHES
/** Benches that take minutes. */
const LONG: ReadonlySet<string> = new Set<Name>(['projection', 'audit', 'audit-log', 'growth', 'placement'])
/** Needs a build, a browser and two large fleets. */
const ONLY_NAMED: ReadonlySet<string> = new Set<Name>(['console'])
/** Options followed by a value. */
const VALUED: ReadonlySet<string> = new Set(['--against', '--pids', '--parts', '--peer-requests'])
const USAGE = `usage: npm run bench -- [${Object.keys(BENCHES).join(' | ')}] … [--quick] [--parts PART,…] [--against URL --pids N,N]`

/** The named benches, or all but the console; a quick run skips long ones that were not named. */
function chosen(): readonly Name[] {
  const words = process.argv.slice(2).map((word) => (word === 'moves' ? 'migrations' : word)) // its earlier name
  if (printedHelp(words, USAGE)) process.exit(0)
  const strange = words.find((word) => word.startsWith('--') && word !== '--quick' && !VALUED.has(word))
  if (strange !== undefined) process.exit(wrongCall(`Unknown option '${strange}'`, USAGE))
  const named = words.filter((word, at) => !word.startsWith('--') && !VALUED.has(words[at - 1] ?? ''))
  const all = Object.keys(BENCHES) as Name[]
  const unknown = named.filter((name) => !(name in BENCHES))
  if (unknown.length > 0) {
    process.exit(wrongCall(`Unknown bench ${unknown.join(', ')}`, USAGE))
  }
  if (named.length > 0) return all.filter((name) => named.includes(name))
  return all.filter((name) => !ONLY_NAMED.has(name) && (!quick || !LONG.has(name)))
}

async function fit(): Promise<Figure[]> {
  const rows = await benchFit(quick ? 20 : undefined)
  return rows.map(({ name, bestUs, novaBestUs, timesFaster }) => ({
    bench: 'fit',
    name,
    figure: `${bestUs.toFixed(1)} µs`,
    against: novaBestUs === null ? '' : `Nova ${novaBestUs} µs`,
    ratio: timesFaster,
    goal: novaBestUs === null ? null : FIT_GOAL,
  }))
}

async function drain(): Promise<Figure[]> {
  const rows = await benchDrain(quick ? { hosts: 50, instances: 20 } : undefined)
  return rows.map(({ name, ms, migrations: planned, left }) => ({
    bench: 'drain',
    name,
    figure: `${ms.toFixed(0)} ms`,
    against: `${planned} migrations, ${left} stay`,
    ratio: DRAIN_GOAL_MS / ms,
    goal: 1,
  }))
}

async function explain(): Promise<Figure[]> {
  const rows = await benchExplain(quick ? { hosts: 50, instances: 20 } : undefined)
  return rows.map(({ name, ms, refused }) => ({
    bench: 'explain',
    name,
    figure: `${ms.toFixed(0)} ms`,
    against: `${refused} refuse`,
    ratio: EXPLAIN_GOAL_MS / ms,
    goal: 1,
  }))
}

async function layout(): Promise<Figure[]> {
  const { name, ms, planned, blocked } = benchLayout(quick ? { hosts: 50, instances: 1_000 } : undefined)
  const against = `${planned} planned, ${blocked} blocked`
  return [{ bench: 'layout', name, figure: `${ms.toFixed(0)} ms`, against, ratio: null, goal: null }]
}

async function claims(): Promise<Figure[]> {
  const rows = await benchClaims(quick ? { rounds: 1, claimsARound: 500 } : undefined)
  return rows.map(({ name, enginePerS, barePerS, ratio }) => ({
    bench: 'claims',
    name,
    figure: `${enginePerS.toFixed(0)} /s`,
    against: `bare client ${barePerS.toFixed(0)} /s`,
    ratio,
    goal: CLAIMS_GOAL,
  }))
}

async function migrations(): Promise<Figure[]> {
  const rows = await benchMigrations(quick ? { fleets: [[20, 60]], flights: [24], migrations: 60 } : undefined)
  return rows.map(({ hosts, instances, flight, perS, nodeMs, postgresMs }) => ({
    bench: 'migrations',
    name: `${hosts} hosts, ${instances} instances, ${flight} in flight`,
    figure: `${perS.toFixed(1)} /s`,
    against: `CPU ${(nodeMs + postgresMs).toFixed(0)} ms per migration`,
    ratio: perS / MIGRATIONS_GOAL_PER_S,
    goal: 1,
  }))
}

async function projection(): Promise<Figure[]> {
  const rows = await benchProjection()
  return rows.map(({ name, ms }) => ({
    bench: 'fleet',
    name,
    figure: `${ms.toFixed(0)} ms`,
    against: '',
    ratio: null,
    goal: null,
  }))
}

async function audit(): Promise<Figure[]> {
  return timesOf('audit', await benchAudit())
}

async function auditLog(): Promise<Figure[]> {
  return timesOf('audit-log', await benchAuditLog())
}

function timesOf(bench: Name, rows: readonly AuditRow[]): Figure[] {
  return rows.map(({ name, ms, goalMs }) => ({
    bench,
    name,
    figure: `${ms.toFixed(0)} ms`,
    against: goalMs === undefined ? '' : `at most ${goalMs} ms`,
    ratio: goalMs === undefined ? null : goalMs / ms,
    goal: goalMs === undefined ? null : 1,
  }))
}

async function growth(): Promise<Figure[]> {
  const rows = await benchGrowth()
  const [smallest] = rows
  return rows.flatMap(({ providers, loadMs, mibPer10k, cpuMs }) => {
    const read = { name: `read ${providers} providers`, figure: `${loadMs.toFixed(0)} ms` }
    const against = `${mibPer10k.toFixed(1)} MiB for 10 000`
    const asked = [...cpuMs].map(([name, ms]) => {
      const least = smallest?.cpuMs.get(name) ?? ms
      const beside = `${least.toFixed(2)} ms at ${smallest?.providers}`
      return { name: `${name}, of ${providers}`, figure: `${ms.toFixed(2)} ms`, against: beside, ratio: least / ms }
    })
    return [
      { bench: 'growth', ...read, against, ratio: null, goal: null },
      ...asked.map((each) => ({ bench: 'growth', ...each, goal: GROWTH_GOAL })),
    ]
  })
}

async function consoleFigures(): Promise<Figure[]> {
  const options = quick ? { ...CONSOLE_IN_FULL, ...CONSOLE_QUICKLY } : CONSOLE_IN_FULL
  const rows = await benchConsole({ ...options, parts: partsFrom(process.argv) })
  return rows.map((row) => ({ bench: 'console', ...row, goal: row.ratio === null ? null : 1 }))
}

/** All parts of the console, or some: --parts js,cold. */
function partsFrom(argv: readonly string[]) {
  const at = argv.indexOf('--parts')
  if (at < 0) return CONSOLE_PARTS
  const named = argv[at + 1]?.split(',') ?? []
  const parts = CONSOLE_PARTS.filter((part) => named.includes(part))
  if (parts.length > 0 && parts.length === named.length) return parts
  console.error(`The console has these parts: ${CONSOLE_PARTS.join(', ')}.`)
  process.exit(2)
}

/** Compared with a real Placement if one is given: --against URL --pids 12,34. */
async function placement(): Promise<Figure[]> {
  const rows = await benchPlacement({ requests: PLACEMENT_REQUESTS, peer: peerFrom(process.argv) })
  return rows.map(({ name, berth, peer }) => ({
    bench: 'placement',
    name,
    figure: `${berth.cpuMs.toFixed(2)} ms CPU`,
    against: peer === null ? `${berth.perS.toFixed(0)} /s` : `Placement ${peer.cpuMs.toFixed(1)} ms`,
    ratio: peer && peer.cpuMs / berth.cpuMs,
    goal: peer && PLACEMENT_GOAL,
  }))
}

const HEADER = ['bench', 'case', 'figure', 'against', 'ratio', 'goal', ''] as const

function cellsOf({ bench, name, figure, against, ratio, goal }: Figure): readonly string[] {
  const reached = ratio === null || goal === null ? '' : ratio >= goal ? 'reached' : 'missed'
  return [
    bench,
    name,
    figure,
    against,
    ratio?.toFixed(ratio < 10 ? 2 : 0) ?? '',
    goal === null ? '' : `≥ ${goal}`,
    reached,
  ]
}

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const isNumber = (column: number) => column === 2 || column === 4
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    )
    console.log(cells.join('  ').trimEnd())
  }
}

const figures: Figure[] = []
for (const name of chosen()) figures.push(...(await BENCHES[name]()))
printTable([HEADER, ...figures.map(cellsOf)])
