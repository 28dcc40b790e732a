// Entries of the catalog as one JSON value each, by kind. `e` names the row.

const CATALOG_KINDS = ['flavor', 'group', 'alias'] as const
export type CatalogKind = (typeof CATALOG_KINDS)[number]

interface CatalogSql {
  readonly table: string
  readonly json: string
  readonly uses: string
  /** $1 is the whole value. */
  readonly insert: string
  readonly update: string
}

const ALIAS_NAMED = (specs: string) => `exists (
  select 1 from unnest(string_to_array(${specs} ->> 'pci_passthrough:alias', ',')) part
  where trim(split_part(part, ':', 1)) = e.name)`

export const CATALOG_SQL: Readonly<Record<CatalogKind, CatalogSql>> = {
  flavor: {
    table: 'flavor',
    json: `json_build_object('name', e.name, 'vcpus', e.vcpus, 'memoryMib', e.memory_mib, 'diskGib', e.disk_gib,
      'extraSpecs', e.extra_specs)`,
    uses: `(select count(*)::int from instance i where i.flavor ->> 'name' = e.name)`,
    insert: `insert into flavor (name, vcpus, memory_mib, disk_gib, extra_specs)
      select $1::jsonb ->> 'name', ($1::jsonb ->> 'vcpus')::int, ($1::jsonb ->> 'memoryMib')::bigint,
        ($1::jsonb ->> 'diskGib')::bigint, $1::jsonb -> 'extraSpecs' on conflict do nothing`,
    update: `update flavor set vcpus = ($1::jsonb ->> 'vcpus')::int, memory_mib = ($1::jsonb ->> 'memoryMib')::bigint,
      disk_gib = ($1::jsonb ->> 'diskGib')::bigint, extra_specs = $1::jsonb -> 'extraSpecs'
      where name = $1::jsonb ->> 'name'`,
  },
  group: {
    table: 'instance_group',
    json: `json_build_object('name', e.name, 'policy', e.policy, 'maxPerHost', e.max_per_host)`,
    uses: '(select count(*)::int from instance i where i.group_id = e.id)',
    insert: `insert into instance_group (id, name, policy, max_per_host)
      select gen_random_uuid(), $1::jsonb ->> 'name', $1::jsonb ->> 'policy', ($1::jsonb ->> 'maxPerHost')::int
      on conflict do nothing`,
    // A claim that was decided by the old rule must not commit.
    update: `update instance_group set policy = $1::jsonb ->> 'policy', max_per_host = ($1::jsonb ->> 'maxPerHost')::int,
      generation = generation + 1 where name = $1::jsonb ->> 'name'`,
  },
  alias: {
    table: 'pci_alias',
    json: `json_build_object('name', e.name, 'spec', e.spec, 'numaPolicy', e.numa_policy)`,
    uses: `((select count(*)::int from instance i where ${ALIAS_NAMED(`(i.flavor -> 'extraSpecs')`)})
      + (select count(*)::int from flavor f where ${ALIAS_NAMED('f.extra_specs')}))`,
    insert: `insert into pci_alias (name, spec, numa_policy)
      select $1::jsonb ->> 'name', $1::jsonb -> 'spec', $1::jsonb ->> 'numaPolicy' on conflict do nothing`,
    update: `update pci_alias set spec = $1::jsonb -> 'spec', numa_policy = $1::jsonb ->> 'numaPolicy'
      where name = $1::jsonb ->> 'name'`,
  },
}
