import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi } from '../api/testing/api'
import { migrate } from '../boot/migrate'
import { type Cluster, removeCluster, startCluster } from '../boot/postgres/cluster'
import { readTableDigests } from '../store/database/backup-checks'
import { connectDatabase } from '../store/database/database'

// A backup restored into an empty database gives the same rows and the same audit. Uses the machine's pg_dump with a
// server that it can read: the bundled one, or the one installed with that pg_dump.

const pgDumpVersion = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' }).stdout ?? ''
const major = Number(/\) (\d+)/.exec(pgDumpVersion)?.[1] ?? 0)
const BUNDLED = 18
const beside = `/usr/lib/postgresql/${major}/bin`

let folder: string
let cluster: Cluster

beforeAll(async () => {
  if (major === 0) return
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-backup-'))
  if (major < BUNDLED) process.env.BERTH_POSTGRES_BIN = beside
  cluster = await startCluster({ directory: path.join(folder, 'postgres'), durable: false })
})
afterAll(async () => {
  if (major === 0) return
  await cluster?.stop()
  await removeCluster(path.join(folder, 'postgres'))
  delete process.env.BERTH_POSTGRES_BIN
  fs.rmSync(folder, { recursive: true, force: true })
})

function command(url: string, ...words: readonly string[]) {
  const [cli = '', ...args] = words
  const env = { ...process.env, DATABASE_URL: url }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', cli, ...args], {
    env,
    encoding: 'utf8',
  })
  return { status, output: `${stdout}${stderr}` }
}

async function readRows(url: string) {
  const database = connectDatabase({ url })
  const rows = await readTableDigests(database)
  await database.close()
  return rows
}

async function audited(url: string) {
  const api = await openTestApi({ url })
  const found = await api.as('admin').finding.audit({})
  await api.close()
  return { hosts: found.hosts, instances: found.instances, byKind: found.byKind }
}

test('a restored backup has the same rows and the same audit', async (context) => {
  if (major === 0) return context.skip('no pg_dump on this machine: it comes with the client programs of PostgreSQL')
  const url = await cluster.ensureDatabase('first')
  await migrate(url)
  const made = command(url, 'server/cli/import.ts', 'demo', '--hosts', '12', '--instances', '60')
  expect(made.status, made.output).toBe(0)
  const file = path.join(folder, 'berth.backup')
  const before = await readRows(url)
  const backup = command(url, 'server/cli/backup.ts', 'backup', file)
  expect(backup.status, backup.output).toBe(0)
  expect(fs.statSync(file).mode & 0o077).toBe(0)
  expect(command(url, 'server/cli/backup.ts', 'backup', file)).toMatchObject({
    status: 2,
    output: expect.stringContaining('exists already'),
  })

  // A database with tables is refused; an empty one on the same server takes the place of a wiped one.
  const over = command(url, 'server/cli/backup.ts', 'restore', file)
  expect(over).toMatchObject({ status: 2, output: expect.stringContaining('The database is not empty') })
  const empty = await cluster.ensureDatabase('second')
  const restored = command(empty, 'server/cli/backup.ts', 'restore', file)
  expect(restored.status, restored.output).toBe(0)
  expect(restored.output).not.toContain('differs')
  expect(await readRows(empty)).toEqual(before)
  const [old, now] = [await audited(url), await audited(empty)]
  expect(now).toEqual(old)
  expect(now.instances).toBeGreaterThan(50)
})
