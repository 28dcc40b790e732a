import pg from 'pg'
import type { Database } from '../database/database'

// The table of the simulated fleet. Records are opaque here; drivers/simulated defines them.

export interface SimulatorRow {
  readonly kind: 'host' | 'guest'
  readonly key: string
  /** 0: not written yet. */
  readonly version: number
  /** Hosts that an instance's record names; the instances of a host are found by these. */
  readonly hosts: readonly string[]
  readonly record: unknown
}

export interface SimulatorTable {
  /** The instance, the given hosts and those that its record names; missing rows are left out. */
  readInstance(instance: string, hosts: readonly string[]): Promise<SimulatorRow[]>
  /** The host, every instance whose record names it, and the hosts that those name. */
  readHost(host: string): Promise<SimulatorRow[]>
  /** Every row in one snapshot. */
  readAll(): Promise<SimulatorRow[]>
  /** Writes all, or nothing when one of them was written since it was read. */
  write(rows: readonly SimulatorRow[]): Promise<boolean>
  /** Overwrites rows unconditionally. */
  put(rows: readonly SimulatorRow[]): Promise<void>
}

const PUT_AT_ONCE = 1_000 // keeps one statement's parameter below a few MiB
const WRITTEN_MEANWHILE = '40001'

const READ_INSTANCE = `
  select kind, key, version::float8 as version, hosts, record from simulator_record
  where kind = 'guest' and key = $1
  union all
  select kind, key, version::float8, hosts, record from simulator_record
  where kind = 'host' and (key = any ($2::uuid[])
    or key in (select unnest(hosts) from simulator_record where kind = 'guest' and key = $1))`

const READ_HOST = `
  with guests as materialized (
    select kind, key, version, hosts, record from simulator_record where kind = 'guest' and hosts @> array[$1::uuid])
  select kind, key, version::float8 as version, hosts, record from guests
  union all
  select kind, key, version::float8, hosts, record from simulator_record
  where kind = 'host' and (key = $1 or key in (select unnest(hosts) from guests))`

const READ_ALL = 'select kind, key, version::float8 as version, hosts, record from simulator_record'

const PUT = `
  insert into simulator_record (kind, key, version, hosts, record)
  select kind, key, version + 1, hosts, record
  from jsonb_to_recordset($1::jsonb) as w(kind text, key uuid, version bigint, hosts uuid[], record jsonb)
  order by kind, key
  on conflict (kind, key) do update
    set version = simulator_record.version + 1, hosts = excluded.hosts, record = excluded.record`

export function simulatorTable({ pool }: Database): SimulatorTable {
  const read = async (name: string, text: string, values: unknown[]) =>
    (await pool.query<SimulatorRow>({ name, text, values })).rows
  return {
    readInstance: (instance, hosts) => read('simulator-guest', READ_INSTANCE, [instance, hosts]),
    readHost: (host) => read('simulator-host', READ_HOST, [host]),
    readAll: () => read('simulator-all', READ_ALL, []),
    write: async (rows) => {
      const query = { name: 'simulator-write', text: 'select write_simulator($1::jsonb) as ok' }
      try {
        const { rows: answers } = await pool.query<{ ok: boolean }>({ ...query, values: [JSON.stringify(rows)] })
        return answers[0]?.ok ?? false
      } catch (error) {
        if (error instanceof pg.DatabaseError && error.code === WRITTEN_MEANWHILE) return false
        throw error
      }
    },
    put: async (rows) => {
      for (let from = 0; from < rows.length; from += PUT_AT_ONCE) {
        await pool.query(PUT, [JSON.stringify(rows.slice(from, from + PUT_AT_ONCE))])
      }
    },
  }
}
