import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../boot/migrate'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { type Cluster, removeCluster, startCluster } from '../../boot/postgres/cluster'
import { connectDatabase, type Database } from '../database/database'
import { openProbe, type Probe } from './probe'

// Whatever the database does, the answer comes within two seconds, and the probe recovers with the database.

const LIMIT_MS = 2_000
const others = onFreshDatabase(connectDatabase)

async function timed(probe: Probe): Promise<string | null> {
  const began = performance.now()
  const answer = await probe.failure()
  expect(performance.now() - began).toBeLessThan(LIMIT_MS)
  return answer
}

const asleep = `select pid from pg_stat_activity where query like 'select pg_sleep%' and state = 'active' and datname = current_database()`

describe('a database with a pool of 20', () => {
  let database: Database
  let probe: Probe
  beforeAll(() => {
    database = connectDatabase({ url: others.url, connections: 20 })
    probe = openProbe(database)
  })
  afterAll(async () => {
    await probe.stop()
    await database.close()
  })
  const keepBusy = async (connections: number) => {
    const queries = Array.from({ length: connections }, () =>
      database.pool.query('select pg_sleep(60)').catch(() => null),
    )
    const busy = async () => (await others.pool.query(asleep)).rowCount
    await expect.poll(busy).toBe(connections)
    return async () => {
      await others.pool.query(`select pg_cancel_backend(pid) from (${asleep}) s`)
      await Promise.all(queries)
    }
  }

  test.each([0, 1, 19])('is usable while %i queries are slow', async (slow) => {
    const end = await keepBusy(slow)
    expect(await timed(probe)).toBeNull()
    await end()
  })

  test('is unusable while all connections are busy, and usable afterwards', async () => {
    const end = await keepBusy(20)
    expect(await timed(probe)).toBe('All 20 database connections are busy.')
    expect(await timed(probe)).toBe('All 20 database connections are busy.')
    await end()
    await expect.poll(() => timed(probe)).toBeNull()
  })

  test('is usable after the connection of the probe was cut', async () => {
    expect(await timed(probe)).toBeNull()
    await others.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'berth probe'
       and datname = current_database()`,
    )
    await expect.poll(() => timed(probe)).toBeNull()
  })
})

describe('a separate database server', () => {
  const directory = path.join(import.meta.dirname, '../../../.data/frozen-postgres', String(process.pid))
  let cluster: Cluster
  let database: Database
  let probe: Probe
  const stopped: number[] = []
  beforeAll(async () => {
    cluster = await startCluster({ directory, durable: false })
    const url = await cluster.ensureDatabase('frozen')
    await migrate(url)
    database = connectDatabase({ url, connections: 4 })
    probe = openProbe(database)
  })
  afterAll(async () => {
    for (const pid of stopped) process.kill(pid, 'SIGCONT')
    await probe.stop()
    await database.close()
    await cluster.stop()
    await removeCluster(directory)
  })

  /** SIGSTOP to every process of this server, which this test started. */
  async function freeze(what: 'all' | 'backends'): Promise<void> {
    const { rows } = await database.pool.query<{ pid: number; data: string }>(
      `select pid, current_setting('data_directory') as data from pg_stat_activity where pid <> pg_backend_pid()
       union all select pg_backend_pid(), current_setting('data_directory')`,
    )
    const fs = await import('node:fs')
    const postmaster = Number(fs.readFileSync(path.join(rows[0]!.data, 'postmaster.pid'), 'utf8').split('\n')[0])
    stopped.push(...(what === 'all' ? [postmaster] : []), ...rows.map(({ pid }) => pid))
    for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  }

  test('that is frozen is reported within two seconds each time, and used again when it thaws', async () => {
    expect(await timed(probe)).toBeNull()
    await freeze('all')
    await expect.poll(() => timed(probe)).toContain('The database does not answer')
    expect(await timed(probe)).toContain('The database does not answer')
    for (const pid of stopped.splice(0)) process.kill(pid, 'SIGCONT')
    await expect.poll(() => timed(probe)).toBeNull()
  })
})
