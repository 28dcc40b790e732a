import type { Flavor, GroupPolicy, PciAlias } from '../../engine/demand'
import type { GroupId } from '../../engine/words/ids'
import type { Database } from '../database/database'
import { isAlias } from '../decode/catalog'

// Flavors, server groups, PCI aliases and settings. The tables are small and read when needed. Rows are written in the
// order of their names: two imports must not wait for each other.

const FLAVORS = `jsonb_to_recordset($1::jsonb)
  as r(name text, vcpus int, "memoryMib" bigint, "diskGib" bigint, "extraSpecs" jsonb)`

/** Adds those whose names are free. Returns the names of existing ones that differ: they stay as they are. */
export async function putFlavors({ pool }: Database, flavors: readonly Flavor[]): Promise<readonly string[]> {
  const values = [JSON.stringify(flavors)]
  await pool.query(
    `insert into flavor (name, vcpus, memory_mib, disk_gib, extra_specs) select * from ${FLAVORS} order by name
      on conflict do nothing`,
    values,
  )
  const { rows } = await pool.query<{ name: string }>(
    `select name from flavor f join ${FLAVORS} using (name)
      where (f.vcpus, f.memory_mib, f.disk_gib, f.extra_specs)
        is distinct from (r.vcpus, r."memoryMib", r."diskGib", r."extraSpecs") order by name`,
    values,
  )
  return rows.map(({ name }) => name)
}

export interface NewGroup {
  readonly id: GroupId
  readonly name: string
  readonly policy: GroupPolicy
  readonly maxPerHost: number
}

/** An existing group stays as it is: members were placed by its policy. */
export async function putGroups({ pool }: Database, groups: readonly NewGroup[]): Promise<void> {
  await pool.query(
    `insert into instance_group (id, name, policy, max_per_host)
      select * from jsonb_to_recordset($1::jsonb) as r(id uuid, name text, policy text, "maxPerHost" int)
      order by name
      on conflict do nothing`,
    [JSON.stringify(groups)],
  )
}

export async function readAliases({ prisma }: Database): Promise<PciAlias[]> {
  const rows = await prisma.pciAlias.findMany({ orderBy: { name: 'asc' } })
  return rows.map(({ name, spec, numaPolicy }): unknown => ({ name, spec, numaPolicy })).filter(isAlias)
}

const ALIASES = `jsonb_to_recordset($1::jsonb) as r(name text, spec jsonb, "numaPolicy" text)`

/** Like `putFlavors`. */
export async function putAliases({ pool }: Database, aliases: readonly PciAlias[]): Promise<readonly string[]> {
  const values = [JSON.stringify(aliases)]
  await pool.query(
    `insert into pci_alias (name, spec, numa_policy) select * from ${ALIASES} order by name on conflict do nothing`,
    values,
  )
  const { rows } = await pool.query<{ name: string }>(
    `select name from pci_alias a join ${ALIASES} using (name)
      where (a.spec, a.numa_policy) is distinct from (r.spec, r."numaPolicy") order by name`,
    values,
  )
  return rows.map(({ name }) => name)
}

/** Null when not set; the caller knows the default, and checks the shape. */
export async function readSetting({ prisma }: Database, name: string): Promise<unknown> {
  return (await prisma.setting.findUnique({ where: { name } }))?.value ?? null
}

export async function putSetting({ pool }: Database, name: string, value: unknown): Promise<void> {
  await pool.query(
    `insert into setting (name, value) values ($1, $2)
      on conflict (name) do update set value = excluded.value, updated_at = now()`,
    [name, JSON.stringify(value)],
  )
}
