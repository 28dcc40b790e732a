import type { Instance } from '../../engine/change'
import type { Host } from '../../engine/host'
import type { Migration } from '../../engine/migration/state'
import type { Database } from '../database/database'
import { instanceOf } from '../decode/instance'
import { migrationOf } from '../decode/migration'
import type { Cells } from '../decode/row'
import { hostOf } from '../host/read'
import { HOST } from '../host/sql'
import { INSTANCE_JSON } from '../instance/row'
import { MIGRATION_JSON } from '../migration/row'

/** All records at one point in time. */
export interface RecordSnapshot {
  readonly hosts: readonly Host[]
  readonly instances: readonly Instance[]
  readonly migrations: readonly Migration[]
}

/** For the audit: one statement, because a finding must not come from two snapshots. */
export async function readSnapshot(database: Database): Promise<RecordSnapshot> {
  const { rows } = await database.pool.query<{ row: { host?: Cells; instance?: Instance; migration?: Migration } }>({
    name: 'snapshot',
    text: `select json_build_object('host', ${HOST.json}) as row from host h
      union all select json_build_object('instance', ${INSTANCE_JSON}) from instance i
      union all select json_build_object('migration', ${MIGRATION_JSON}) from migration m`,
  })
  const hosts: Host[] = []
  const instances: Instance[] = []
  const migrations: Migration[] = []
  for (const { row } of rows) {
    if (row.host) hosts.push(hostOf(row.host))
    else if (row.instance) instances.push(instanceOf(row.instance))
    else if (row.migration) migrations.push(migrationOf(row.migration))
  }
  return { hosts: hosts.sort((a, b) => (a.name < b.name ? -1 : 1)), instances, migrations }
}
