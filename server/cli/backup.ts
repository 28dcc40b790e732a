import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { migrate } from '../boot/migrate'
import { readServerMajor, readTableDigests } from '../store/database/backup-checks'
import { connectDatabase } from '../store/database/database'
import { renameSynced, syncFile } from '../wiring/sync-file'
import { onDatabase, printedHelp, wrongCall } from './usage'

// npm run backup -- FILE | npm run restore -- FILE. PostgreSQL's own pg_dump and pg_restore, with checks
// that they lack: that they are new enough, that nothing is overwritten, and that the restored rows equal the ones that
// were backed up. A backup does not include the key that seals secrets of clouds: it is a file beside the database.

const USAGE = `usage: npm run backup -- FILE     writes a backup, and a digest of each table to FILE.rows
       npm run restore -- FILE    restores it into an empty database`

async function main(args: readonly string[]): Promise<number> {
  if (printedHelp(args, USAGE)) return 0
  const [verb, file, ...more] = args
  const url = process.env.DATABASE_URL
  if (!url) throw new Error('DATABASE_URL is not set; run this through `npm run backup` or `npm run restore`')
  if (!file || more.length > 0 || (verb !== 'backup' && verb !== 'restore')) return wrongCall('Name one file', USAGE)
  if (file.startsWith('-')) return wrongCall(`Unknown option '${file}'`, USAGE)
  const database = connectDatabase({ url })
  try {
    const program = verb === 'backup' ? 'pg_dump' : 'pg_restore'
    const tool = await clientMajor(program)
    const server = await readServerMajor(database)
    if (tool === null) return refused(`${program} is not installed. Install the client programs of PostgreSQL.`)
    if (tool < server) {
      return refused(
        `${program} ${tool} is older than the server (PostgreSQL ${server}). Install postgresql-client-${server}.`,
      )
    }
    return await (verb === 'backup' ? backup(database, { url, file }) : restore(database, { url, file }))
  } finally {
    await database.close()
  }
}

interface Target {
  readonly url: string
  readonly file: string
}
type Database = ReturnType<typeof connectDatabase>

async function backup(database: Database, { url, file }: Target): Promise<number> {
  if (fs.existsSync(file)) return refused(`${file} exists already.`)
  // pg_dump writes into a file that exists, which nobody else could read before the first byte.
  const part = `${file}.part`
  fs.rmSync(part, { force: true })
  fs.writeFileSync(part, '', { mode: ONLY_OWNER })
  try {
    const code = await run('pg_dump', ['--format=custom', '--no-owner', `--file=${part}`], url)
    if (code !== 0) return refused(`pg_dump exited with code ${code}.`)
    // FILE.rows includes rows written during the backup, which the backup lacks; `restore` names the tables that differ.
    fs.writeFileSync(`${file}.rows`, JSON.stringify(await readTableDigests(database), null, 2), { mode: ONLY_OWNER })
    syncFile(`${file}.rows`)
    renameSynced(part, file)
  } finally {
    // The disk may be full, and the next attempt begins anew.
    fs.rmSync(part, { force: true })
  }
  console.log(`${file}: ${fs.statSync(file).size} bytes`)
  return 0
}

const ONLY_OWNER = 0o600

async function restore(database: Database, { url, file }: Target): Promise<number> {
  if (!fs.existsSync(file)) return refused(`There is no ${file}.`)
  if (Object.keys(await readTableDigests(database)).length > 0) {
    return refused('The database is not empty. Create an empty one (createdb) and set DATABASE_URL to it.')
  }
  const recorded = recordedRows(`${file}.rows`)
  const isAlone = recorded !== null && Object.keys(recorded).length === 0
  if (recorded === null) return refused(`${file}.rows is damaged. Remove it to restore without comparing the rows.`)
  const code = await run('pg_restore', ['--no-owner', '--exit-on-error', '--single-transaction', file], url)
  if (code !== 0) return refused(`pg_restore exited with code ${code}.`)
  const different = differences(recorded, await readTableDigests(database))
  // Migrates the schema of a backup from an older version.
  const applied = await migrate(url)
  console.log(applied.length > 0 ? `restored; migrations applied: ${applied.join(', ')}` : 'restored')
  if (isAlone) console.log(`${file}.rows does not exist: the rows were not compared.`)
  for (const table of different) console.log(`${table} differs from ${file}.rows`)
  console.log('Run `berth audit` now: it checks the records and compares them with the hypervisors.')
  return different.length > 0 ? 1 : 0
}

type Rows = Readonly<Record<string, string>>

/** Null if it cannot be read as such; empty if there is none. */
function recordedRows(file: string): Rows | null {
  if (!fs.existsSync(file)) return {}
  try {
    const rows: unknown = JSON.parse(fs.readFileSync(file, 'utf8'))
    return typeof rows === 'object' && rows !== null && !Array.isArray(rows) ? (rows as Rows) : null
  } catch {
    return null
  }
}

const differences = (recorded: Rows, found: Rows) =>
  Object.keys(recorded).filter((table) => recorded[table] !== found[table])

function run(program: string, args: readonly string[], url: string): Promise<number> {
  const target = withoutPassword(url)
  return new Promise((resolve) => {
    const child = spawn(program, [`--dbname=${target.url}`, ...args], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...(target.password !== null && { PGPASSWORD: target.password }) },
    })
    child.on('error', () => resolve(NOT_FOUND))
    child.on('close', (code) => resolve(code ?? NOT_FOUND))
  })
}

/** All users of the machine can see arguments. */
function withoutPassword(url: string): { readonly url: string; readonly password: string | null } {
  const inFront = /^(\w+:\/\/[^:@/?#]*):([^@/?#]*)@/.exec(url)
  if (inFront) return { url: `${inFront[1]}@${url.slice(inFront[0].length)}`, password: decoded(inFront[2] ?? '') }
  const asked = /[?&]password=([^&#]*)/.exec(url)
  if (asked === null) return { url, password: null }
  return { url: url.replace(/([?&])password=[^&#]*&?/, '$1').replace(/[?&]$/, ''), password: decoded(asked[1] ?? '') }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const NOT_FOUND = 127

function clientMajor(program: string): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(program, ['--version'])
    let out = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    child.on('error', () => resolve(null))
    child.on('close', () => resolve(Number(/(\d+)/.exec(out.replace(/^[^)]*\) /, ''))?.[1] ?? Number.NaN) || null))
  })
}

function refused(why: string): number {
  console.error(`${why} Nothing was changed.`)
  return 2
}

process.exit(await onDatabase(main(process.argv.slice(2))))
