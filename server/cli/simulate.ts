import { cpus } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { startTestServer } from '../boot/test-database'
import { runBatches } from '../simulation/batches'
import { runWithWrongClocks } from '../simulation/clocks/run'
import { simulateClouds } from '../simulation/cloud/command'
import { corruptMany } from '../simulation/corruption/seeded/runs'
import { compareAlongRun, EMPTY_TALLY, sum } from '../simulation/explain-check'
import { FAULT_NAMES, FAULTS, type FaultName } from '../simulation/failover/faults'
import { findPrograms } from '../simulation/failover/programs'
import { type RoundReport, runFailovers } from '../simulation/failover/run'
import { mutationCheck } from '../simulation/mutation/check'
import { type CopiesReport, runCopies } from '../simulation/placement/copies'
import { simulatePostgres } from '../simulation/postgres/run'
import { simulatePowerCuts } from '../simulation/power/command'
import { runSeed } from '../simulation/run'
import { add, EMPTY, type Tally, tallyLines } from '../simulation/tally'
import { messageOf, printedHelp, wrongCall } from './usage'

// npm run simulate -- [--seeds N] [--from N] [--workers N] [--json] [--postgres] | --seed N [--trace] | --mutations |
// --explain N | --placement [--seeds N] | --clocks [--migrations N] | --corrupt [--seeds N] |
// --failover [--minutes N] [--fault NAME]… | --power [--seeds N] [--migrations N] [--postgres] |
// --cloud [--seeds N | --seed N --trace].
// Exit code 0: no law broke. 1: a law broke, or a mutant survived. 2: wrong arguments.

const USAGE = `usage: npm run simulate -- [--seeds N] [--from N] [--workers N] [--json]
       npm run simulate -- --seed N [--trace]
       npm run simulate -- --mutations [--seeds N]
       npm run simulate -- --corrupt [--seeds N] [--from N]       corrupts one row of each run
       npm run simulate -- --postgres [--seeds N] [--from N]     servers on PostgreSQL, killed at random points
       npm run simulate -- --explain N [--from N]                 compares explain with the claim, N times
       npm run simulate -- --placement [--seeds N] [--from N]    copies of the Placement API on one database, one killed
       npm run simulate -- --clocks [--migrations N] [--from N]       servers with wrong clocks, killed in turn
       npm run simulate -- --failover [--minutes N] [--from N] [--fault NAME]…   faults of a PostgreSQL under Patroni
       npm run simulate -- --power [--seeds N] [--migrations N] [--postgres]   hosts lose power during migrations
       npm run simulate -- --cloud [--seeds N] [--from N] [--workers N] | --seed N [--trace]   a cloud behind a faulty network`

type Options = Exclude<ReturnType<typeof readOptions>, string>

async function main(): Promise<number> {
  if (printedHelp(process.argv.slice(2), USAGE)) return 0
  const options = readOptions()
  if (typeof options === 'string') return wrongCall(options, USAGE)
  if (options.cloud) return simulateClouds(options)
  if (options.seed !== null) return replay(options.seed, options)
  if (options.power) return simulatePowerCuts(options)
  if (options.placement) return serveCopies(options)
  if (options.clocks) return simulateClocks(options)
  if (options.corrupt) return corruptRows(options)
  if (options.failover) return failOver(options)
  if (options.explain !== null) return compareExplain(options.explain, options)
  return options.mutations ? mutate(options) : search(options)
}

/** Or why there are none. */
function readOptions() {
  try {
    const text = { type: 'string' } as const
    const flag = { type: 'boolean', default: false } as const
    const { values } = parseArgs({
      options: {
        seeds: text,
        from: text,
        seed: text,
        workers: text,
        trace: flag,
        json: flag,
        mutations: flag,
        postgres: flag,
        explain: text,
        placement: flag,
        clocks: flag,
        power: flag,
        ...{ migrations: text, moves: text }, // `--moves` is the earlier name
        corrupt: flag,
        failover: flag,
        minutes: text,
        fault: { type: 'string', multiple: true, default: [] },
        cloud: flag,
      },
    })
    const number = (value: string | undefined): number | null => (value === undefined ? null : wholeNumber(value))
    return {
      ...values,
      seeds: number(values.seeds),
      from: number(values.from) ?? 1,
      seed: number(values.seed),
      workers: Math.max(1, number(values.workers) ?? Math.min(cpus().length, 8)),
      explain: number(values.explain),
      migrations: number(values.migrations ?? values.moves),
      minutes: number(values.minutes),
    }
  } catch (error) {
    return messageOf(error)
  }
}

function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new Error(`'${value}' is not a whole number`)
  return Number(value)
}

function replay(seed: number, { trace, json }: Options): number {
  const report = runSeed(seed, trace ? { trace: (line) => console.log(line) } : {})
  console.log(JSON.stringify(report, null, json ? 0 : 2))
  return report.broken === null ? 0 : 1
}

const PROGRESS_INTERVAL_MS = 2_000
const BATCH = 50
const WORKER = new URL('../simulation/worker.ts', import.meta.url)
const PARALLEL_ON_POSTGRES = 2 // each run adds two server processes

async function search({ seeds, from, workers, json, postgres }: Options): Promise<number> {
  const count = seeds ?? (postgres ? 200 : 1_000)
  const begun = Date.now()
  let shown = 0
  const progress = (tally: Tally) => {
    if (json || Date.now() - shown < PROGRESS_INTERVAL_MS) return
    shown = Date.now()
    const elapsedS = Math.round((shown - begun) / 1000)
    console.error(`${tally.seeds} of ${count} seeds, ${elapsedS} s, broken laws ${tally.broken.length}`)
  }
  const tally = postgres
    ? await simulatePostgres({ from, seeds: count, parallel: PARALLEL_ON_POSTGRES, progress })
    : await runBatches({ from, count, workers, batch: BATCH, worker: WORKER, empty: EMPTY, add, progress })
  if (json) console.log(JSON.stringify({ ...tally, elapsedMs: Date.now() - begun }))
  else for (const line of tallyLines(tally, Date.now() - begun)) console.log(line)
  return tally.broken.length === 0 ? 0 : 1
}

const COPIES_SEEDS = 10
const COPIES_LOAD = { clients: 12, rounds: 100 }

async function serveCopies({ seeds, from, json }: Options): Promise<number> {
  const server = await startTestServer()
  const { freshDatabase } = server
  try {
    const progress = (report: CopiesReport) => console.log(json ? JSON.stringify(report) : copiesLine(report))
    const reports = await runCopies({ freshDatabase, from, seeds: seeds ?? COPIES_SEEDS, ...COPIES_LOAD, progress })
    const broken = reports.flatMap((report) => report.broken)
    for (const { law, what } of broken.slice(0, 20)) console.log(`  ${law}: ${what}`)
    return broken.length === 0 ? 0 : 1
  } finally {
    await server.stop()
  }
}

function copiesLine({ seed, requests, writes, reads, elapsedMs, broken }: CopiesReport): string {
  const outcomes = Object.entries(writes).map(([outcome, count]) => `${outcome} ${count}`)
  return `seed ${seed}: ${requests} requests in ${Math.round(elapsedMs)} ms; writes ${outcomes.join(', ')}; ${reads} reads checked; broken laws ${broken.length}`
}

const CLOCK_RUN_MIGRATIONS = 500
const KILL_EVERY = 10 // migrations

async function simulateClocks({ migrations, from, json }: Options): Promise<number> {
  const server = await startTestServer()
  try {
    const progress = (begun: number) => {
      if (!json && begun % 50 === 0) console.error(`${begun} migrations started`)
    }
    const run = {
      freshDatabase: server.freshDatabase,
      seed: from,
      migrations: migrations ?? CLOCK_RUN_MIGRATIONS,
      killEvery: KILL_EVERY,
    }
    const report = await runWithWrongClocks({ ...run, progress })
    console.log(JSON.stringify(report, null, json ? 0 : 2))
    return report.broken.length === 0 ? 0 : 1
  } finally {
    await server.stop()
  }
}

const FAILOVER_MINUTES = 30
const FAILOVER_CLIENTS = 9

async function failOver({ minutes, from, fault: faults, json }: Options): Promise<number> {
  const programs = findPrograms()
  if (typeof programs === 'string') {
    console.error(programs)
    return 2
  }
  const unknown = faults.find((name) => !(name in FAULTS))
  if (unknown !== undefined) {
    return wrongCall(`Unknown fault ${unknown}; known faults: ${FAULT_NAMES.join(', ')}`, USAGE)
  }
  const report = await runFailovers({
    ...{ programs, seed: from, minutes: minutes ?? FAILOVER_MINUTES, clients: FAILOVER_CLIENTS },
    faults: faults as readonly FaultName[],
    folder: path.resolve('.data/failover', String(process.pid)),
    log: process.env.BERTH_LOG ?? 'silent',
    progress: (round) => {
      console.log(json ? JSON.stringify(round) : failoverLine(round))
      for (const { law, what } of round.broken.slice(0, 20)) console.log(`  ${law}: ${what}`)
    },
  })
  const broken = report.broken.length + report.rounds.reduce((sum, round) => sum + round.broken.length, 0)
  console.log(JSON.stringify({ ...report, rounds: report.rounds.length, broken }))
  for (const { law, what } of report.broken.slice(0, 20)) console.log(`  ${law}: ${what}`)
  return broken === 0 ? 0 : 1
}

function failoverLine({
  round,
  fault,
  requests,
  writes,
  reads,
  migrations,
  standstillMs,
  broken,
}: RoundReport): string {
  const outcomes = Object.entries(writes).map(([outcome, count]) => `${outcome} ${count}`)
  const what = `${requests} requests, writes ${outcomes.join(', ')}, ${reads} reads checked, ${migrations} migrations`
  return `round ${round + 1}, ${fault}: no write for ${standstillMs} ms; ${what}; broken laws ${broken.length}`
}

function compareExplain(questions: number, { from }: Options): number {
  let asked = EMPTY_TALLY
  let seed = from
  while (asked.ok + asked.refused < questions && asked.differ.length === 0) asked = sum(asked, compareAlongRun(seed++))
  const { ok, refused, differ } = asked
  console.log(
    `comparisons ${ok + refused}: ${ok} ok, ${refused} refused, in ${seed - from} runs; ${differ.length} differ`,
  )
  for (const line of differ.slice(0, 20)) console.log(`  ${line}`)
  return differ.length === 0 ? 0 : 1
}

const CORRUPTED_SEEDS = 1_000

async function corruptRows({ seeds, from, trace }: Options): Promise<number> {
  const tally = await corruptMany({ from, count: seeds ?? CORRUPTED_SEEDS, trace: trace ? console.log : undefined })
  const { runs, named, harmless, parked, broken } = tally
  console.log(
    `rows corrupted ${named + harmless} in ${runs} runs: ${named} reported by a finding, ${harmless} without effect`,
  )
  for (const [table, count] of Object.entries(tally.tables)) console.log(`  ${table.padEnd(12)}${count}`)
  console.log(`runs that ended with a parked migration ${parked}; broken laws ${broken.length}`)
  for (const { seed, what, broken: law } of broken.slice(0, 20)) {
    console.log(`  seed ${seed}: ${what}: ${law?.law}: ${law?.what}`)
  }
  return broken.length === 0 ? 0 : 1
}

async function mutate({ seeds, from }: Options): Promise<number> {
  let survived = 0
  console.log('law  seeds  caught by                              broken on purpose')
  for await (const { mutant, seeds: ran, by } of mutationCheck(from, seeds ?? 10_000)) {
    if (ran === null) survived += 1
    const seen = ran === null ? 'SURVIVED' : `${by}`
    console.log(`${mutant.law.padEnd(5)}${String(ran ?? '-').padStart(5)}  ${seen.padEnd(37)}  ${mutant.breaks}`)
  }
  return survived === 0 ? 0 : 1
}

process.exitCode = await main()
