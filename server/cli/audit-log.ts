import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { migrate } from '../boot/migrate'
import { type AuditLogRow, readAuditLog, timeFrom } from '../store/audit-log/list'
import { proveAuditLog, pruneAuditLog } from '../store/audit-log/seal'
import { connectDatabase, type Database } from '../store/database/database'
import { commandAttribution } from './command-attribution'
import { messageOf, onDatabase, printedHelp, wrongCall } from './usage'

// npm run audit-log -- verify | export [--format jsonl|csv] [--after TIME] [--before TIME] | prune --before TIME --reason TEXT
// Exit code 0: verified, or done. 1: the log was changed without Berth. 2: wrong arguments.

const USAGE = `usage: npm run audit-log -- verify                                     recomputes every seal
       npm run audit-log -- export [--format jsonl|csv] [--after TIME] [--before TIME]
       npm run audit-log -- prune --before TIME --reason TEXT      removes older entries and logs that
TIME is in UTC, such as 2026-11-25 or 2026-11-25T14:30.`

const OPTIONS = {
  format: { type: 'string', default: 'jsonl' },
  after: { type: 'string' },
  before: { type: 'string' },
  reason: { type: 'string' },
} as const

class WrongCall extends Error {}

async function main(args: readonly string[]): Promise<number> {
  if (printedHelp(args, USAGE)) return 0
  const url = process.env.DATABASE_URL
  if (!url) throw new Error('DATABASE_URL is not set; run this through `npm run audit-log`')
  const { verb, values } = parsed(args)
  await migrate(url)
  const database = connectDatabase({ url })
  try {
    if (verb === 'verify') return await verify(database)
    if (verb === 'export') return await exportAll(database, values)
    if (verb === 'prune') return await prune(database, values)
    throw new WrongCall('Name a command: verify, export or prune')
  } finally {
    await database.close()
  }
}

function parsed(args: readonly string[]) {
  try {
    const { positionals, values } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
    const [verb, ...more] = positionals
    if (more.length > 0) throw new Error(`Unexpected argument '${more[0]}'`)
    return { verb, values }
  } catch (error) {
    throw new WrongCall(messageOf(error))
  }
}

const PROGRESS_EVERY = 100

async function verify(database: Database): Promise<number> {
  const proof = await proveAuditLog(database, (done) => {
    if (done % PROGRESS_EVERY === 0) console.error(`${done} seals computed`)
  })
  const { seals, entries, unsealed, head, broken } = proof
  for (const { seal, first, last, sealedAt, what, expectedEntries, foundEntries } of broken) {
    const why =
      what === 'chain'
        ? 'does not match the previous seal'
        : `does not match its entries: ${expectedEntries} sealed, ${foundEntries} found`
    console.log(`broken: seal ${seal} of ${sealedAt.toISOString()}, entries ${first} to ${last}, ${why}`)
  }
  console.log(`${entries} entries in ${seals} seals, ${unsealed} not sealed yet, newest seal ${head ?? 'none'}`)
  console.log(broken.length === 0 ? 'The audit log is intact.' : 'The audit log was changed without Berth.')
  return broken.length === 0 ? 0 : 1
}

type Values = ReturnType<typeof parsed>['values']

async function exportAll(database: Database, values: Values): Promise<number> {
  const { format } = values
  if (format !== 'jsonl' && format !== 'csv') throw new WrongCall('--format must be jsonl or csv')
  const lineOf = format === 'jsonl' ? (row: AuditLogRow) => JSON.stringify(row) : csvLine
  if (format === 'csv') await say(COLUMNS.join(','))
  const range = { after: timeOf(values.after, '--after'), before: timeOf(values.before, '--before') }
  for await (const rows of readAuditLog(database, range)) await say(rows.map(lineOf).join('\n'))
  return 0
}

/** Waits for the reader, because the whole log may not fit into memory. */
async function say(text: string): Promise<void> {
  if (!process.stdout.write(`${text}\n`)) await once(process.stdout, 'drain')
}

const COLUMNS = [
  ...(['id', 'at', 'action', 'refused', 'who', 'origin', 'reason', 'request'] as const),
  ...(['instance', 'migration', 'hosts', 'data'] as const),
] satisfies readonly (keyof AuditLogRow)[]

const csvLine = (row: AuditLogRow): string => COLUMNS.map((column) => csvCell(row[column], column)).join(',')

function csvCell(value: AuditLogRow[keyof AuditLogRow], column: string): string {
  if (value === null) return ''
  const text =
    column === 'at'
      ? new Date(Number(value)).toISOString()
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)
  // A spreadsheet would run such a cell as a formula.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

async function prune(database: Database, values: Values): Promise<number> {
  const before = timeOf(values.before, '--before')
  const reason = values.reason?.trim()
  if (before === null) throw new WrongCall('--before is required')
  if (!reason) throw new WrongCall('--reason is required')
  const removed = await pruneAuditLog(database, { before, ...(await commandAttribution(database, reason)) })
  console.log(
    `${removed} entries removed. Only entries of complete seals are removed, so some older entries may remain.`,
  )
  return 0
}

function timeOf(text: string | undefined, option: string): number | null {
  if (text === undefined) return null
  const at = timeFrom(text)
  if (at !== null) return at
  throw new WrongCall(`${option} is not a time: ${text}`)
}

// Idle connections would keep the process alive for seconds.
process.exit(
  await onDatabase(main(process.argv.slice(2))).catch((error: unknown) => {
    if (!(error instanceof WrongCall)) throw error
    return wrongCall(error.message, USAGE)
  }),
)
