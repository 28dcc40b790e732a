import type { Instance } from '../../engine/change'
import type { GroupRule } from '../../engine/drain/plan'
import type { GroupId, HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import type { Database } from '../database/database'
import { instanceOf } from '../decode/instance'
import { INSTANCE_JSON } from '../instance/row'

// The input of a drain plan besides the hosts: instances, groups with all their members, and active migrations.

export interface DrainFacts {
  readonly instances: readonly Instance[]
  readonly groups: readonly GroupRule[]
  readonly members: ReadonlyMap<InstanceId, GroupId>
  readonly activeMigrations: ReadonlyMap<InstanceId, MigrationId>
}

/** With `host`, only the instances recorded there; otherwise those of all hosts. */
export async function readDrainFacts({ pool }: Database, host: HostId | null): Promise<DrainFacts> {
  const { rows } = await pool.query<{
    instances: Instance[]
    groups: GroupRule[]
    members: [InstanceId, GroupId][]
    moving: [InstanceId, MigrationId][]
  }>({
    name: 'drain-facts',
    text: `select
      (select coalesce(json_agg(${INSTANCE_JSON} order by i.name, i.id), '[]') from instance i
        where i.host_id is not null and ($1::uuid is null or i.host_id = $1)) as instances,
      (select coalesce(json_agg(json_build_object('id', g.id, 'generation', g.generation, 'policy', g.policy,
        'maxPerHost', g.max_per_host)), '[]') from instance_group g) as groups,
      (select coalesce(json_agg(json_build_array(i.id, i.group_id)), '[]') from instance i
        where i.group_id is not null) as members,
      (select coalesce(json_agg(json_build_array(m.instance_id, m.id)), '[]') from migration m
        where m.outcome is null) as moving`,
    values: [host],
  })
  const [row] = rows
  if (!row) throw new Error('A select from nothing answered no row.')
  const { instances, groups, members, moving } = row
  return { instances: instances.map(instanceOf), groups, members: new Map(members), activeMigrations: new Map(moving) }
}
