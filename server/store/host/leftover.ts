import type { LeftoverRow, LeftoverRowRecords } from '../../engine/proof/leftover-row'
import type { Database } from '../database/database'
import { MIGRATION_JSON } from '../migration/row'

/** Everything that decides whether the listed row may be cleaned, in one statement and so from one snapshot. */
export async function readLeftover(
  { pool }: Database,
  leftover: LeftoverRow,
): Promise<Omit<LeftoverRowRecords, 'observed'>> {
  const { rows } = await pool.query<Omit<LeftoverRowRecords, 'observed' | 'leftover'>>({
    name: 'leftover',
    text: `select
      (select json_build_object('id', i.id, 'name', i.name, 'host', i.host_id, 'vmState', i.vm_state)
        from instance i where i.id = $2) as instance,
      (select ${MIGRATION_JSON} from migration m where m.id = $3) as migration,
      (select ${MIGRATION_JSON} from migration m where m.instance_id = $2 and m.outcome is null limit 1) as active,
      exists (select 1 from claim k where k.host_id = $1 and k.instance_id = $2) as claimed`,
    values: [leftover.host, leftover.instance, leftover.migration],
  })
  const [row] = rows
  if (!row) throw new Error('A select without a table answers one row.')
  return { leftover, ...row }
}
