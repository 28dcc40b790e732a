import { randomUUID } from 'node:crypto'
import type { FreshDatabase } from '../../boot/test-database'
import { connectDatabase, type Database } from '../../store/database/database'
import type { Case } from './apply'
import { type BatchOptions, type CorruptionTarget, type Outcome, readFindings, runBatch } from './batch'
import { corruptionsOf, nameOf } from './cases'
import { readTables } from './columns'
import { emptyTables, fillTables, startOn } from './fixture'
import { victimsOf } from './victims'
import { call } from './visitor'

// Corrupts every column of every table in every way, on a running and on a stopped server. Corruptions of different
// tables share a copy of the database; if something breaks, the batch is bisected down to one row.

export interface CorruptionOptions {
  freshDatabase(): Promise<FreshDatabase>
  /** Tries one in this many cases, a different one for each `from`; 1 tries all. */
  readonly every: number
  readonly from: number
  readonly batch: number
  readonly modes: readonly Mode[]
  readonly only?: RegExp
  progress(report: CaseReport): void
}

export const MODES = ['running', 'stopped', 'running-past-checks', 'stopped-past-checks'] as const
/** Whether the server runs while rows are written, and whether the checks of the database are dropped first. */
export type Mode = (typeof MODES)[number]

export interface CaseReport {
  readonly mode: Mode
  readonly name: string
  readonly outcome: Outcome
  readonly broken: readonly string[]
}

export interface CorruptionReport {
  readonly tables: number
  readonly columns: number
  /** Tables without a row in the database: they were not tried. */
  readonly untried: readonly string[]
  readonly cases: readonly CaseReport[]
}

export async function runCorruption(options: CorruptionOptions): Promise<CorruptionReport> {
  const { url, drop } = await options.freshDatabase()
  const cookie = await fillTables(url)
  const database = connectDatabase({ url, connections: 1 })
  const tables = await readTables(database)
  const untried = await emptyTables(
    database,
    tables.map(({ name }) => name),
  )
  const cases: Case[] = []
  for (const table of tables) {
    for (const victim of await victimsOf(database, table)) {
      cases.push(...corruptionsOf(table, victim.columns, victim.row).map((each) => ({ ...each, victim })))
    }
  }
  await database.close()
  const chosen = cases.filter(
    (each, nth) => nth % options.every === options.from % options.every && (options.only?.test(nameOf(each)) ?? true),
  )
  const reports: CaseReport[] = []
  try {
    const known = await knownFindings({ url, cookie })
    for (const mode of options.modes) {
      const rules = { stopped: mode.startsWith('stopped'), past: mode.endsWith('past-checks'), known }
      const report = (report: CaseReport) => {
        reports.push(report)
        options.progress(report)
      }
      for (const batch of batchesOf(chosen, options.batch))
        await judge(batch, { fixture: { url, cookie }, rules, mode, report })
    }
  } finally {
    await drop()
  }
  return { tables: tables.length, columns: tables.flatMap(({ columns }) => columns).length, untried, cases: reports }
}

interface CorruptionFixture {
  readonly url: string
  readonly cookie: string
}

interface JudgeOptions {
  readonly fixture: CorruptionFixture
  readonly rules: BatchOptions
  readonly mode: Mode
  report(report: CaseReport): void
}

/**
 * A batch has no two cases for the same column, so that a finding identifies its case; no two in a table if one of them
 * changes a key; and no two under the same check, which two wrong values may satisfy together.
 */
function batchesOf(cases: readonly Case[], size: number): readonly (readonly Case[])[] {
  const batches: Case[][] = []
  for (const each of cases) {
    const home = batches.find((batch) => batch.length < size && batch.every((other) => !meet(other, each)))
    if (home) home.push(each)
    else batches.push([each])
  }
  return batches
}

// An audit needs a session, so the tables of the sign-in library get separate batches.
const meet = (one: Case, other: Case): boolean =>
  one.table.name.startsWith('auth_') !== other.table.name.startsWith('auth_') ||
  (one.table === other.table &&
    (one.column === other.column ||
      one.column.isKey ||
      other.column.isKey ||
      one.column.checkedWith.includes(other.column.name)))

async function judge(cases: readonly Case[], judging: JudgeOptions): Promise<void> {
  const report = await onCopy(judging.fixture, (target) => runBatch(cases, target, judging.rules))
  if (report.broken.length > 0 && cases.length > 1) {
    const middle = Math.ceil(cases.length / 2)
    await judge(cases.slice(0, middle), judging)
    await judge(cases.slice(middle), judging)
    return
  }
  for (const { case: each, outcome } of report.outcomes) {
    // Another corrupted row may hide what the audit would say about this one, as an unreadable flavor hides a wrong claim.
    if (outcome.is === 'unexplained' && cases.length > 1) await judge([each], judging)
    else judging.report({ mode: judging.mode, name: nameOf(each), outcome, broken: report.broken })
  }
}

async function onCopy<T>(
  { url, cookie }: CorruptionFixture,
  use: (target: CorruptionTarget) => Promise<T>,
): Promise<T> {
  const copy = await copyOf(url)
  const database = connectDatabase({ url: copy.url, connections: 2 })
  try {
    return await use({ url: copy.url, database, cookie })
  } finally {
    await database.close()
    await copy.drop()
  }
}

async function knownFindings(fixture: CorruptionFixture): Promise<ReadonlySet<string>> {
  return onCopy(fixture, async ({ url, database, cookie }) => {
    const { berth, visitor } = await startOn(url, cookie)
    try {
      await call(visitor, 'finding.audit')
      return new Set((await readFindings(database)).map(({ fingerprint }) => fingerprint))
    } finally {
      await berth.stop()
    }
  })
}

async function copyOf(url: string): Promise<FreshDatabase> {
  const from = new URL(url)
  const admin = new URL(url)
  admin.pathname = '/postgres'
  const name = `${from.pathname.slice(1, 20)}_${randomUUID().replaceAll('-', '')}`
  const run = async (...statements: readonly string[]) => {
    const database: Database = connectDatabase({ url: admin.href, connections: 1 })
    try {
      for (const sql of statements) await database.pool.query(sql)
    } finally {
      await database.close()
    }
  }
  // A template database must have no connections; those of a server that has just stopped may still be open.
  const template = from.pathname.slice(1)
  const sessions = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${template}'`
  await run(sessions, `create database "${name}" template "${template}"`)
  const copy = new URL(url)
  copy.pathname = `/${name}`
  return { url: copy.href, drop: () => run(`drop database if exists "${name}" with (force)`) }
}
