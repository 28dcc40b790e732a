import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { migrate } from './migrate'
import { type Cluster, isAlive, query, removeCluster, startCluster } from './postgres/cluster'

// A run of tests (or of the simulation, or a benchmark) has its own PostgreSQL server, discarded at the end, and each
// test file has a fresh database on it. Databases are copied from a migrated template: tens of milliseconds each,
// regardless of the number of migrations.

const RUNS = path.join(import.meta.dirname, '../../.data/test-postgres')
const TEMPLATE = 'berth_template'
const ADMIN_URL = 'BERTH_TEST_ADMIN_URL' // how worker processes find the run's server

/** A migrated, otherwise empty database that nothing else uses. */
export interface FreshDatabase {
  readonly url: string
  /** Removes it, even with connections open. */
  drop(): Promise<void>
}

/** The server of one run. */
export interface TestServer {
  freshDatabase(): Promise<FreshDatabase>
  stop(): Promise<void>
}

/**
 * Starts the run's server and prepares the template. TEST_DATABASE_URL names another server to use instead, of version 15
 * or later; its user must be allowed to create databases and to become pg_read_all_data.
 */
export async function startTestServer(): Promise<TestServer> {
  const own = process.env.TEST_DATABASE_URL
  const server = own ? { adminUrl: own, stop: async () => {} } : await startOwnServer()
  await prepareTemplate(server.adminUrl)
  process.env[ADMIN_URL] = server.adminUrl
  return { freshDatabase: () => copyTemplate(server.adminUrl), stop: server.stop }
}

/** A fresh database on the run's server. `onFreshDatabase` opens it for a test file and drops it. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const adminUrl = process.env[ADMIN_URL]
  if (!adminUrl)
    throw new Error('No test server: this file must be in a vitest project with the PostgreSQL globalSetup.')
  return copyTemplate(adminUrl)
}

/** Runs must not share a directory: several may run in one checkout. */
async function startOwnServer(): Promise<{ adminUrl: string; stop(): Promise<void> }> {
  await removeDeadRuns()
  const directory = path.join(RUNS, String(process.pid))
  const cluster: Cluster = await startCluster({ directory, durable: false })
  return {
    adminUrl: cluster.urlOf('postgres'),
    stop: async () => {
      await cluster.stop()
      await removeCluster(directory)
    },
  }
}

async function removeDeadRuns(): Promise<void> {
  const runs = fs.existsSync(RUNS) ? fs.readdirSync(RUNS) : []
  for (const pid of runs) if (!isAlive(Number(pid))) await removeCluster(path.join(RUNS, pid))
}

async function prepareTemplate(adminUrl: string): Promise<void> {
  await query(adminUrl, `drop database if exists ${TEMPLATE} with (force)`)
  await query(adminUrl, `create database ${TEMPLATE}`)
  await migrate(withDatabase(adminUrl, TEMPLATE))
}

async function copyTemplate(adminUrl: string): Promise<FreshDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const quoted = pg.escapeIdentifier(name)
  await query(adminUrl, `create database ${quoted} template ${TEMPLATE} strategy file_copy`)
  return {
    url: withDatabase(adminUrl, name),
    drop: () => query(adminUrl, `drop database if exists ${quoted} with (force)`),
  }
}

function withDatabase(adminUrl: string, database: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  return url.href
}
