import type { InstanceId } from '../../engine/words/ids'
import type { Database } from '../database/database'

/** True when Berth deleted that instance; known while events are kept, and permanently from the audit log. */
export async function wasDeleted({ pool }: Database, id: InstanceId): Promise<boolean> {
  const { rows } = await pool.query<{ deleted: boolean }>({
    name: 'was-deleted',
    text: `select exists (select 1 from event where instance_id = $1 and kind = 'instance.deleted')
      or exists (select 1 from audit_entry where instance_id = $1 and action in ('instance.deleting', 'instance.deleted'))
      as deleted`,
    values: [id],
  })
  return rows[0]?.deleted ?? false
}
