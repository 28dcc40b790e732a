import type { HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import type { Database } from '../database/database'

// Raw rows about one subject, for support bundles only.

export interface BundleSubject {
  readonly hosts: readonly HostId[]
  readonly instance: InstanceId | null
  readonly migration: MigrationId | null
}

/** Audit entries about any of them, newest first. */
export async function readEntries({ pool }: Database, of: BundleSubject, limit: number): Promise<unknown[]> {
  const { rows } = await pool.query<{ entry: unknown }>(
    `select to_jsonb(e) as entry from audit_entry e
     where e.migration_id = $1 or e.instance_id = $2 or ($1::uuid is null and e.hosts && $3::uuid[])
     order by e.at desc, e.id desc limit $4`,
    [of.migration, of.instance, of.hosts, limit],
  )
  return rows.map(({ entry }) => entry)
}

/** Raw rows of hosts and migrations, with the database settings needed to interpret them. */
export async function readRaw({ pool }: Database, of: BundleSubject): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = await pool.query<{ raw: Record<string, unknown> }>(
    `select json_build_object(
      'database', version(),
      'schema', (select json_agg(migration_name order by finished_at) from _prisma_migrations),
      'settings', (select json_object_agg(name, value) from setting),
      'relay', (select to_jsonb(r) from relay r),
      'outbox', (select count(*) from outbox),
      'leases', (select json_agg(to_jsonb(l)) from lease l),
      'hosts', (select json_agg(to_jsonb(h)) from host h where h.id = any($1::uuid[])),
      'providers', (select json_agg(to_jsonb(p)) from resource_provider p where p.root_id = any($1::uuid[])),
      'instance', (select to_jsonb(i) from instance i where i.id = $2),
      'migrations', (select json_agg(to_jsonb(m) order by m.created_at) from migration m
        where m.instance_id = $2 or m.id = $3),
      'remains', (select json_agg(to_jsonb(r)) from host_remain r
        where r.host_id = any($1::uuid[]) or r.instance_id = $2)) as raw`,
    [of.hosts, of.instance, of.migration],
  )
  return rows[0]?.raw ?? {}
}
