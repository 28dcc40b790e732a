import type { Instance } from '../../engine/change'
import type { HostId, MigrationId } from '../../engine/words/ids'
import type { Database } from '../database/database'
import { INSTANCE_JSON } from '../instance/row'

// Instances that their host reports as shut off although they are recorded as active: many after a host power cycle,
// otherwise few.

export interface StoppedInstance {
  readonly instance: Instance
  readonly host: HostId
  readonly activeMigration: MigrationId | null
  /** The host's rule has already requested its start. */
  readonly asked: boolean
}

/** On one host, or on all. */
export async function readStoppedInstances({ pool }: Database, host: HostId | null): Promise<StoppedInstance[]> {
  const { rows } = await pool.query<StoppedInstance>({
    name: 'off-guests',
    text: `select ${INSTANCE_JSON} as instance, i.host_id as host, p.resume_asked_at is not null as asked,
        (select m.id from migration m where m.instance_id = i.id and m.outcome is null) as "activeMigration"
      from guest_power p join instance i on i.id = p.instance_id and i.host_id = p.host_id
      where p.state = 'shutdown' and i.vm_state = 'active' and ($1::uuid is null or i.host_id = $1)
      order by i.name, i.id`,
    values: [host],
  })
  return rows
}

/** Hosts that automatically start instances that ran there before. */
export async function readHostsThatResume({ pool }: Database): Promise<ReadonlySet<HostId>> {
  const { rows } = await pool.query<{ id: HostId }>({
    name: 'hosts-that-resume',
    text: 'select id from host where resumes_guests',
  })
  return new Set(rows.map(({ id }) => id))
}
