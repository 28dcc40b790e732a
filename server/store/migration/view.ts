import type { Instance } from '../../engine/books'
import type { Group } from '../../engine/demand'
import type { Host } from '../../engine/host'
import type { Migration } from '../../engine/migration/state'
import type { ClaimHeld } from '../../engine/proof/migration'
import type { GroupId, InstanceId, MigrationId } from '../../engine/words/ids'
import type { Database } from '../database/database'
import { instanceOf } from '../decode/instance'
import { migrationOf } from '../decode/migration'
import { type HostJson, hostOf } from '../host/read'
import { HOST_JSON } from '../host/sql'
import { INSTANCE_JSON } from '../instance/row'
import { MIGRATION_JSON } from './row'

// What one turn decides on, in one statement and so from one moment.

export interface MigrationBooks {
  readonly migration: Migration
  readonly instance: Instance
  readonly heldByInstance: readonly ClaimHeld[]
  readonly heldByMigration: readonly ClaimHeld[]
  readonly source: Host | null
  readonly target: Host | null
  readonly group: Group | null
}

export interface InstanceBooks {
  readonly instance: Instance
  readonly host: Host | null
  readonly held: readonly ClaimHeld[]
  readonly activeMigration: MigrationId | null
}

const heldBy = (consumer: string) => `(
  select coalesce(json_agg(json_build_object('claim', k.id, 'host', k.host_id, 'kind', k.consumer_kind, 'instance', k.instance_id)), '[]')
  from claim k where k.consumer_id = ${consumer}
)`

const hostNamed = (id: string) => `(select ${HOST_JSON} from host h where h.id = ${id})`

/** The group \`g\` as one member sees it: where every other member holds a claim, one entry per member and host. */
const groupWithout = (instance: string) => `json_build_object(
  'id', g.id, 'generation', g.generation, 'policy', g.policy, 'maxPerHost', g.max_per_host,
  'memberHosts', (
    select coalesce(json_agg(d.host_id order by d.host_id), '[]') from (
      select distinct k.instance_id, k.host_id from claim k join instance o on o.id = k.instance_id
      where o.group_id = g.id and o.id <> ${instance}) d))`

/** Null when there is no such migration. A migration that has ended may have outlived its instance: then null too. */
export async function readMigrationView(database: Database, id: MigrationId): Promise<MigrationBooks | null> {
  const { rows } = await database.pool.query<MigrationBooks & { source: HostJson | null; target: HostJson | null }>({
    name: 'migration-view',
    text: `select ${MIGRATION_JSON} as migration, ${INSTANCE_JSON} as instance,
        ${heldBy('i.id')} as "heldByInstance", ${heldBy('m.id')} as "heldByMigration",
        ${hostNamed('m.source')} as source, ${hostNamed('m.target')} as target,
        (select ${groupWithout('i.id')} from instance_group g where g.id = i.group_id) as group
      from migration m join instance i on i.id = m.instance_id where m.id = $1`,
    values: [id],
  })
  const row = rows[0]
  if (!row) return null
  return {
    ...row,
    migration: migrationOf(row.migration),
    instance: instanceOf(row.instance),
    source: row.source && hostOf(row.source),
    target: row.target && hostOf(row.target),
  }
}

export async function readInstanceView(database: Database, id: InstanceId): Promise<InstanceBooks | null> {
  const { rows } = await database.pool.query<InstanceBooks & { host: HostJson | null }>({
    name: 'instance-view',
    text: `select ${INSTANCE_JSON} as instance, ${hostNamed('i.host_id')} as host, ${heldBy('i.id')} as held,
        (select m.id from migration m where m.instance_id = i.id and m.outcome is null) as "activeMigration"
      from instance i where i.id = $1`,
    values: [id],
  })
  const row = rows[0]
  return row ? { ...row, instance: instanceOf(row.instance), host: row.host && hostOf(row.host) } : null
}

export async function readGroup(
  database: Database,
  ask: { readonly group: GroupId; readonly without: InstanceId },
): Promise<Group | null> {
  const { rows } = await database.pool.query<{ group: Group }>({
    name: 'group-without',
    text: `select ${groupWithout('$2::uuid')} as group from instance_group g where g.id = $1`,
    values: [ask.group, ask.without],
  })
  return rows[0]?.group ?? null
}
