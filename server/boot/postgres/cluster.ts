import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { syncName } from '../../wiring/sync-file'
import { type Account, chooseAccount } from './account'
import { findBinaries } from './binaries'

const execute = promisify(execFile)

const START_LIMIT_S = 60
const CONNECT_LIMIT_MS = 10_000
const CONNECT_RETRY_MS = 100
const WATCH_INTERVAL_MS = 1_000 // longest downtime of a PostgreSQL that is killed while Berth runs

/** A PostgreSQL server of our own. It listens only on a private Unix socket. */
export interface Cluster {
  /** True when the server already existed: left by a killed process, or run by another one on the same directory. */
  readonly adopted: boolean
  /** The connection string of a database, whether or not it exists. */
  urlOf(database: string): string
  /** Creates the database if it does not exist; returns its connection string. */
  ensureDatabase(database: string): Promise<string>
  stop(): Promise<void>
}

interface Options {
  /** The server's data and log. One directory per purpose. */
  readonly directory: string
  /** False trades durability after power loss for speed. Only for throw-away databases. */
  readonly durable?: boolean
  /** Called while PostgreSQL starts in its own processes, so that this one can be busy. */
  readonly starting?: () => void
}

interface Paths {
  readonly data: string
  readonly log: string
  readonly pid: string
  readonly sockets: string
}

/** Starts PostgreSQL on `directory`, creating the data on first use, and keeps it up until `stop`. */
export async function startCluster({ directory, durable = true, starting }: Options): Promise<Cluster> {
  const account = await chooseAccount(path.resolve(directory), await findBinaries())
  fs.mkdirSync(account.home, { recursive: true, mode: 0o700 })
  const paths = pathsOf(account)
  await createData(account, paths, durable)
  const running = ensureRunning(account, paths, durable)
  starting?.()
  const adopted = await running
  const urlOf = (database: string) =>
    `postgresql://postgres@localhost/${encodeURIComponent(database)}?host=${encodeURIComponent(paths.sockets)}`
  await untilItAnswers(urlOf('postgres'))

  const watchdog = watch(() => ensureRunning(account, paths, durable))
  return {
    adopted,
    urlOf,
    ensureDatabase: async (database) => {
      await createDatabase(urlOf('postgres'), database)
      return urlOf(database)
    },
    stop: async () => {
      await watchdog.stop()
      await control(account, paths, ['-m', 'fast', 'stop'])
    },
  }
}

/**
 * Stops a server whose owner was killed and removes its files. For throw-away databases. Two processes that start
 * together may remove the same one.
 */
export async function removeCluster(directory: string): Promise<void> {
  const account = await chooseAccount(path.resolve(directory), await findBinaries())
  const paths = pathsOf(account)
  const isRunning = () => isAlive(readPid(paths))
  if (isRunning()) {
    await control(account, paths, ['-m', 'immediate', 'stop']).catch((error: unknown) => {
      if (isRunning()) throw error
    })
  }
  for (const place of [paths.sockets, account.home, directory]) {
    fs.rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

function pathsOf({ home }: Account): Paths {
  const data = path.join(home, 'data')
  // A socket's path is limited to 107 bytes, a checkout's path is not: hence a short name in the temporary folder.
  const name = `berth-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`
  return {
    data,
    log: path.join(home, 'postgres.log'),
    pid: path.join(data, 'postmaster.pid'),
    sockets: path.join(os.tmpdir(), name),
  }
}

/** The socket folder grants access without a password, so this user must own it and no other may enter it. */
function prepareSockets(sockets: string, { owner }: Account): void {
  fs.mkdirSync(sockets, { recursive: true, mode: 0o700 })
  const found = fs.lstatSync(sockets)
  const known = [process.getuid?.(), owner?.uid].includes(found.uid) || process.platform === 'win32'
  if (!found.isDirectory() || !known) throw new Error(`${sockets} belongs to another user; remove it and start again.`)
  fs.chmodSync(sockets, 0o700)
  if (owner) fs.chownSync(sockets, owner.uid, owner.gid)
}

/** A kill during initdb must not leave half a data directory under the real name, hence the final rename. */
async function createData(account: Account, { data }: Paths, durable: boolean): Promise<void> {
  if (fs.existsSync(path.join(data, 'PG_VERSION'))) return
  const fresh = `${data}.new`
  fs.rmSync(fresh, { recursive: true, force: true })
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-instructions']
  await run(account, account.binaries.initdb, ['-D', fresh, ...options, ...(durable ? [] : ['--no-sync'])])
  fs.renameSync(fresh, data)
  // Under the old name, the next start would remove it.
  if (durable) syncName(data)
}

/** Returns true when a server was already running, false when this call started it. */
async function ensureRunning(account: Account, paths: Paths, durable: boolean): Promise<boolean> {
  const pid = readPid(paths)
  if (isAlive(pid)) return true
  prepareSockets(paths.sockets, account)
  if (pid !== null) removeStaleLocks(paths)
  const settings = {
    listen_addresses: "''",
    unix_socket_directories: `'${paths.sockets}'`,
    max_connections: '200',
    shared_buffers: '256MB',
    ...(durable ? { wal_compression: 'on' } : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const words = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  await control(account, paths, ['-t', String(START_LIMIT_S), '-l', paths.log, '-o', words.join(' '), 'start'])
  return false
}

// PostgreSQL only checks whether the process id in its lock file exists. After a kill that id may belong to a zombie or
// to another process, and the server would never start again.
function removeStaleLocks({ pid, sockets }: Paths): void {
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) fs.rmSync(path.join(sockets, name), { force: true })
  fs.rmSync(pid, { force: true })
}

function readPid({ pid }: Paths): number | null {
  try {
    return Number(fs.readFileSync(pid, 'utf8').split('\n')[0])
  } catch {
    return null
  }
}

/** Whether the process runs. A zombie does not. Without /proc, signal 0 has to do. */
export function isAlive(pid: number | null): boolean {
  if (pid === null) return false
  try {
    if (process.platform === 'linux') return !/^\d+ \(.*\) [ZX]/.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function control(account: Account, { data, log }: Paths, args: readonly string[]): Promise<void> {
  try {
    await run(account, account.binaries.pg_ctl, ['-D', data, '-w', '-s', ...args])
  } catch (error) {
    const tail = fs.existsSync(log) ? fs.readFileSync(log, 'utf8').split('\n').slice(-12).join('\n') : ''
    throw new Error(`pg_ctl ${args.at(-1)} failed: ${(error as { stderr?: string }).stderr ?? error}\n${tail}`)
  }
}

function run(account: Account, program: string, args: readonly string[]) {
  const [command = program, ...words] = [...account.prefix, program, ...args]
  const env = { ...process.env, LC_ALL: 'C.UTF-8', LC_MESSAGES: 'C.UTF-8' }
  return execute(command, words, { cwd: account.home, env })
}

/** An adopted server may still be replaying its WAL, so the first answer can take a while. */
async function untilItAnswers(url: string): Promise<void> {
  const deadline = performance.now() + CONNECT_LIMIT_MS
  for (;;) {
    try {
      return await query(url, 'select 1')
    } catch (error) {
      if (performance.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, CONNECT_RETRY_MS))
    }
  }
}

async function createDatabase(url: string, database: string): Promise<void> {
  const exists = '42P04' // duplicate_database: two processes may create it at once
  await query(url, `create database ${pg.escapeIdentifier(database)}`).catch((error) => {
    if (error.code !== exists) throw error
  })
}

/** One statement on its own connection, as `create database` requires. */
export async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // the statement rejects
  try {
    await client.connect()
    await client.query(sql)
  } finally {
    await client.end().catch(() => {})
  }
}

function watch(check: () => Promise<unknown>): { stop(): Promise<void> } {
  let running: Promise<unknown> | null = null
  const timer = setInterval(() => {
    running ??= check()
      .catch((error) => console.error(String(error)))
      .finally(() => {
        running = null
      })
  }, WATCH_INTERVAL_MS).unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
