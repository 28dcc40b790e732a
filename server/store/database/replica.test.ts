import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../../boot/migrate'
import { type Cluster, query, removeCluster, startCluster } from '../../boot/postgres/cluster'
import { connectDatabase, type Database } from './database'
import { makePastReads, type PastReads } from './replica'

// A real primary with a real streaming replica.

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-replica-'))
const [primaryAt, replicaAt] = [path.join(folder, 'primary'), path.join(folder, 'replica')]
let primary: Cluster
let replica: Cluster
let database: Database
let reads: PastReads
const answered = { replica: 0, primary: 0 }

beforeAll(async () => {
  primary = await startCluster({ directory: primaryAt, durable: true })
  await query(primary.urlOf('postgres'), 'create database berth')
  await migrate(primary.urlOf('berth'))
  database = connectDatabase({ url: primary.urlOf('berth') })
  await database.pool.query('create table written (n int primary key)')
  replica = await startReplica()
  reads = makePastReads({
    ...{ primary: database, replicaUrl: replica.urlOf('berth') },
    count: (by) => {
      answered[by] += 1
    },
    ...{ checkEveryMs: 100, reportAfterMs: 1_000 },
  })
})

afterAll(async () => {
  await reads?.close()
  await database?.close()
  await replica?.stop()
  await primary?.stop()
  for (const each of [primaryAt, replicaAt]) await removeCluster(each)
  fs.rmSync(folder, { recursive: true, force: true })
})

/** A copy of the running primary, as pg_basebackup makes it. */
async function startReplica(): Promise<Cluster> {
  const empty = await startCluster({ directory: replicaAt, durable: true })
  const [from, to] = [await dataOf(primary), await dataOf(empty)]
  await empty.stop()
  const owner = fs.statSync(to)
  fs.rmSync(to, { recursive: true })
  const client = await database.pool.connect()
  try {
    await client.query("select pg_backup_start('replica', true)")
    fs.cpSync(from, to, { recursive: true, filter: (file) => !/postmaster\.(pid|opts)$/.test(file) })
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
    fs.writeFileSync(path.join(to, 'backup_label'), rows[0]?.labelfile ?? '')
  } finally {
    client.release()
  }
  fs.writeFileSync(path.join(to, 'standby.signal'), '')
  const { searchParams } = new URL(primary.urlOf('postgres'))
  const connection = `host=${searchParams.get('host')} user=postgres`
  fs.appendFileSync(path.join(to, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`)
  for (const file of [to, ...fs.readdirSync(to, { recursive: true }).map((each) => path.join(to, String(each)))])
    fs.lchownSync(file, owner.uid, owner.gid)
  fs.chmodSync(to, 0o700)
  return startCluster({ directory: replicaAt, durable: true })
}

async function dataOf(cluster: Cluster): Promise<string> {
  const one = connectDatabase({ url: cluster.urlOf('postgres'), connections: 1 })
  const { rows } = await one.pool.query<{ data_directory: string }>('show data_directory')
  await one.close()
  return rows[0]?.data_directory ?? ''
}

const write = (n: number) => database.pool.query('insert into written values ($1)', [n])
const count = () =>
  reads.read(async ({ pool }) => (await pool.query<{ n: number }>('select count(*)::int as n from written')).rows[0]?.n)
const onReplica = async (statement: string) => {
  const one = connectDatabase({ url: replica.urlOf('berth'), connections: 1 })
  await one.pool.query(statement).finally(() => one.close())
}

it('a read from the replica always includes the latest commit', async () => {
  for (let n = 1; n <= 200; n++) {
    await write(n)
    expect(await count()).toBe(n)
  }
  expect(answered.replica).toBeGreaterThan(0) // only while the replica keeps up; each of its answers was complete
})

it('a lagging replica is skipped until it has caught up', async () => {
  await onReplica('select pg_wal_replay_pause()')
  await write(201)
  expect(await count()).toBe(201)
  await expect.poll(() => reads.replicaFailure()).toBe('It lags behind the primary.')
  await onReplica('select pg_wal_replay_resume()')
  await expect.poll(() => reads.replicaFailure()).toBeNull()
  const before = answered.replica
  await expect.poll(async () => [await count(), answered.replica > before]).toEqual([201, true])
})

it('the primary answers a read that fails on the replica, or that is invalid', async () => {
  const before = answered.primary
  const place = await reads.read(
    async ({ pool }) => (await pool.query('select pg_current_wal_lsn() as at')).rows[0]?.at,
  )
  expect(place).toMatch(/^[0-9A-F]+\/[0-9A-F]+$/) // a replica cannot say
  expect(answered.primary).toBe(before + 1)
  await expect(reads.read(({ pool }) => pool.query('select nothing_of_it'))).rejects.toThrow(/nothing_of_it/)
})

it('a stopped replica delays no read, and is used again when it returns', async () => {
  await expect.poll(() => reads.replicaFailure()).toBeNull()
  await replica.stop()
  await write(202)
  expect(await count()).toBe(202)
  await expect.poll(() => reads.replicaFailure()).toMatch(/ENOENT|ECONNREFUSED|terminat/)
  replica = await startCluster({ directory: replicaAt, durable: true })
  await expect.poll(() => reads.replicaFailure()).toBeNull()
  expect(await count()).toBe(202)
})

it('a promoted replica is no longer used, because its data diverge', async () => {
  await onReplica('select pg_promote()')
  await onReplica('insert into written values (1000)')
  await expect.poll(() => reads.replicaFailure()).toBe('It is not a replica.')
  expect(await count()).toBe(202)
})
