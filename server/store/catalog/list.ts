import type { Flavor, GroupPolicy, Image } from '../../engine/demand'
import type { Database } from '../database/database'
import { isFlavor, isImage } from '../decode/catalog'

// Lists for the console's choosers: flavors, images, server groups.

export async function listFlavors({ pool }: Database): Promise<Flavor[]> {
  const { rows } = await pool.query<Flavor>(
    `select name, vcpus, memory_mib::float8 as "memoryMib", disk_gib::float8 as "diskGib", extra_specs as "extraSpecs"
     from flavor order by name`,
  )
  return rows.filter(isFlavor)
}

/** Images belong to Glance; Berth knows only those that some instance was built from. */
export async function listImages({ pool }: Database): Promise<Image[]> {
  const { rows } = await pool.query<{ image: Image }>(
    `select distinct on (image ->> 'name') image from instance order by image ->> 'name', created_at desc`,
  )
  return rows.map(({ image }) => image).filter(isImage)
}

export interface GroupRow {
  readonly id: string
  readonly name: string
  readonly policy: GroupPolicy
  readonly maxPerHost: number
  readonly generation: number
  readonly members: number
}

export async function listGroups({ pool }: Database): Promise<GroupRow[]> {
  const { rows } = await pool.query<GroupRow>(
    `select g.id, g.name, g.policy, g.max_per_host as "maxPerHost", g.generation::float8 as generation,
       (select count(*)::int from instance i where i.group_id = g.id) as members
     from instance_group g order by g.name`,
  )
  return rows
}
