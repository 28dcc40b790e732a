import type { Database } from '../database/database'

// Berth's records on libvirt domains, opaque here; drivers/libvirt defines them.

export interface DomainRow {
  readonly instance: string
  readonly version: number
  readonly record: unknown
}

/** Null when no record exists yet. */
export async function readDomain({ pool }: Database, instance: string): Promise<DomainRow | null> {
  const text = 'select instance, version::float8 as version, record from domain_record where instance = $1'
  const { rows } = await pool.query<DomainRow>({ name: 'domain-read', text, values: [instance] })
  return rows[0] ?? null
}

const WRITE = 'update domain_record set version = version + 1, record = $3 where instance = $1 and version = $2'

const FIRST = 'insert into domain_record (instance, version, record) values ($1, 1, $2) on conflict do nothing'

/** `version` as read, 0 when no record existed. False when the record has been written since. */
export async function writeDomain({ pool }: Database, { instance, version, record }: DomainRow): Promise<boolean> {
  const text = JSON.stringify(record)
  const { rowCount } =
    version === 0
      ? await pool.query({ name: 'domain-first', text: FIRST, values: [instance, text] })
      : await pool.query({ name: 'domain-write', text: WRITE, values: [instance, version, text] })
  return rowCount === 1
}
