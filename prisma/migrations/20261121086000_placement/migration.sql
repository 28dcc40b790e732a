-- The Placement API writes through these functions. Each is one round trip: it locks in the order of every other write
-- (providers by id, then consumers by id), checks what the client relied on, writes all or nothing and leaves an event.
--
-- A tree on which a host stands is also claimed on by Berth's engine, whose decisions rest on the root's generation.
-- Whatever changes in such a tree therefore raises its root as well, or the engine could claim on what it last saw.

-- CreateTable
CREATE TABLE "api_token" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "project" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_token_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_token_name_key" ON "api_token"("name");

-- CreateIndex
CREATE UNIQUE INDEX "api_token_hash_key" ON "api_token"("hash");

-- AlterTable
ALTER TABLE "inventory" ADD COLUMN     "allocation_ratio" DOUBLE PRECISION;

-- AlterTable
ALTER TABLE "resource_class" ADD COLUMN     "ordinal" SERIAL NOT NULL;

alter table api_token add constraint api_token_role check (role in ('viewer', 'support', 'operator', 'admin'));

-- Placement knows ratios of 0 and ratios finer than a thousandth. The engine reads the thousandths, rounded down.
alter table inventory drop constraint inventory_ratio_positive;
alter table inventory add constraint inventory_ratio check (allocation_ratio_milli >= 0);

-- The ratio as it was said, while it still is the one the thousandths were made of.
create function ratio_of(milli int, said double precision) returns double precision language sql immutable parallel safe
as $$
  select case
    when said is not null and milli = greatest(0, least(2147483647, floor(said * 1000 + 0.000001)))::int then said
    else milli / 1000.0::double precision
  end
$$;

-- BP001: what a client asked for is refused. The detail is the answer.
create function placement_refuse(why jsonb) returns void language plpgsql as $$
begin
  raise exception 'refused' using errcode = 'BP001', detail = why;
end $$;

-- Locks these providers and the roots of those that belong to a host's tree, in the order of all other writes.
create function placement_lock(ids uuid[]) returns void language sql as $$
  select 1 from resource_provider where id in (
    select unnest(ids)
    union select p.root_id from resource_provider p join host h on h.id = p.root_id where p.id = any(ids)
  ) order by id for no key update
$$;

-- Leaves the event of a write. `raised` are those whose generation the write itself raised; `touched` all it changed.
-- `again` tells readers in memory to read even where no generation says so.
create function placement_event(kind text, touched uuid[], raised uuid[], c jsonb) returns void language plpgsql as $$
declare
  roots uuid[];
  generations jsonb;
begin
  select coalesce(array_agg(distinct p.root_id), '{}') into roots
  from resource_provider p join host h on h.id = p.root_id where p.id = any(touched);
  update resource_provider set generation = generation + 1 where id = any(roots) and not id = any(raised);
  select coalesce(jsonb_object_agg(p.id, p.generation), '{}') into generations
  from resource_provider p where p.id = any(touched || roots);
  insert into outbox (kind, hosts, data, raised, who, request, reason, at)
  values ('placement.' || kind, roots, jsonb_build_object('providers', touched, 'again', not touched <@ raised),
    generations, c ->> 'who', c ->> 'request', null, now());
  insert into audit_entry (at, who, request, reason, action, hosts, data)
  values (now(), c ->> 'who', c ->> 'request', null, 'placement.' || kind, roots,
    jsonb_build_object('providers', touched));
end $$;

-- Replaces, adds or removes inventories of one provider.
-- c: provider, generation | null, rows [[class, total, reserved, min, max, step, milli, ratio | null], …],
--    how 'set' | 'add' | 'update' | 'drop', classes [class] to drop. Answers the provider's generation.
create function placement_write_inventories(c jsonb) returns bigint language plpgsql as $$
declare
  the_provider constant uuid := c ->> 'provider';
  how constant text := c ->> 'how';
  found_generation bigint;
  named text[];
  gone text[];
  bad text;
begin
  perform placement_lock(array[the_provider]);
  select generation into found_generation from resource_provider where id = the_provider;
  if found_generation is null then perform placement_refuse('{"kind": "no-provider"}'); end if;
  if c ->> 'generation' is not null and (c ->> 'generation')::numeric <> found_generation then
    perform placement_refuse(jsonb_build_object('kind', 'generation', 'found', found_generation));
  end if;
  select coalesce(array_agg(r ->> 0), '{}') into named from jsonb_array_elements(c -> 'rows') r;
  select n into bad from unnest(named || coalesce(array(select jsonb_array_elements_text(c -> 'classes')), '{}')) n
  where not exists (select 1 from resource_class k where k.name = n) limit 1;
  if bad is not null then perform placement_refuse(jsonb_build_object('kind', 'no-class', 'class', bad)); end if;
  if how = 'add' and exists (select 1 from inventory where provider_id = the_provider and resource_class = any(named)) then
    perform placement_refuse('{"kind": "duplicate"}');
  end if;
  if how = 'drop' then named := array(select jsonb_array_elements_text(c -> 'classes')); end if;
  if how in ('update', 'drop')
    and not exists (select 1 from inventory where provider_id = the_provider and resource_class = any(named)) then
    perform placement_refuse(jsonb_build_object('kind', 'no-inventory', 'class', named[1]));
  end if;
  gone := case how
    when 'set' then array(select resource_class from inventory where provider_id = the_provider and not resource_class = any(named))
    when 'drop' then named
    else '{}'
  end;
  perform placement_put_inventories(the_provider, c -> 'rows');
  perform placement_keep_claims(array[the_provider]);
  perform placement_drop_inventories(the_provider, gone);
  update resource_provider set generation = generation + 1 where id = the_provider returning generation into found_generation;
  perform placement_event('inventories', array[the_provider], array[the_provider], c);
  return found_generation;
end $$;

create function placement_put_inventories(the_provider uuid, rows jsonb) returns void language sql as $$
  insert into inventory (provider_id, resource_class, total, reserved, min_unit, max_unit, step_size,
    allocation_ratio_milli, allocation_ratio)
  select the_provider, r ->> 0, (r ->> 1)::bigint, (r ->> 2)::bigint, (r ->> 3)::bigint, (r ->> 4)::bigint,
    (r ->> 5)::bigint, (r ->> 6)::int, (r ->> 7)::double precision
  from jsonb_array_elements(rows) r
  on conflict (provider_id, resource_class) do update set total = excluded.total, reserved = excluded.reserved,
    min_unit = excluded.min_unit, max_unit = excluded.max_unit, step_size = excluded.step_size,
    allocation_ratio_milli = excluded.allocation_ratio_milli, allocation_ratio = excluded.allocation_ratio
$$;

create function placement_drop_inventories(the_provider uuid, gone text[]) returns void language plpgsql as $$
declare
  used text;
begin
  if gone = '{}' then return; end if;
  select string_agg(k.name, ', ' order by k.ordinal) into used from resource_class k
  where k.name = any(gone)
    and exists (select 1 from allocation a where a.provider_id = the_provider and a.resource_class = k.name);
  if used is not null then
    perform placement_refuse(jsonb_build_object('kind', 'in-use', 'classes', used, 'provider', the_provider));
  end if;
  delete from inventory where provider_id = the_provider and resource_class = any(gone);
end $$;

-- I1: Placement lets an inventory shrink under what is held of it. Not where Berth's own claims hold.
create function placement_keep_claims(ids uuid[]) returns void language plpgsql as $$
declare
  short record;
begin
  select i.provider_id, i.resource_class into short
  from inventory i
  join allocation a on a.provider_id = i.provider_id and a.resource_class = i.resource_class
  left join claim k on k.consumer_id = a.consumer_id
  where i.provider_id = any(ids)
  group by i.provider_id, i.resource_class
  having count(k.id) > 0
    and sum(a.amount) > (i.total - i.reserved) * ratio_of(i.allocation_ratio_milli, i.allocation_ratio)
  limit 1;
  if found then
    perform placement_refuse(jsonb_build_object('kind', 'claims', 'class', short.resource_class,
      'provider', short.provider_id));
  end if;
end $$;

-- c: provider, generation | null, traits [name]. Answers the provider's generation.
create function placement_set_traits(c jsonb) returns bigint language plpgsql as $$
declare
  the_provider constant uuid := c ->> 'provider';
  wanted constant text[] := array(select jsonb_array_elements_text(c -> 'traits'));
  found_generation bigint;
  unknown text;
  changed int;
  more int;
begin
  perform placement_lock(array[the_provider]);
  select generation into found_generation from resource_provider where id = the_provider;
  if found_generation is null then perform placement_refuse('{"kind": "no-provider"}'); end if;
  if c ->> 'generation' is not null and (c ->> 'generation')::numeric <> found_generation then
    perform placement_refuse(jsonb_build_object('kind', 'generation', 'found', found_generation));
  end if;
  select string_agg(w, ', ') into unknown from unnest(wanted) w where not exists (select 1 from trait t where t.name = w);
  if unknown is not null then perform placement_refuse(jsonb_build_object('kind', 'no-trait', 'traits', unknown)); end if;
  delete from provider_trait where provider_id = the_provider and not trait = any(wanted);
  get diagnostics changed = row_count;
  insert into provider_trait (provider_id, trait) select distinct the_provider, w from unnest(wanted) w on conflict do nothing;
  get diagnostics more = row_count;
  if changed + more = 0 then return found_generation; end if;
  update resource_provider set generation = generation + 1 where id = the_provider returning generation into found_generation;
  perform placement_event('traits', array[the_provider], array[the_provider], c);
  return found_generation;
end $$;

-- c: provider, generation | null, aggregates [uuid]. Without a generation (below 1.19) it raises none.
create function placement_set_aggregates(c jsonb) returns bigint language plpgsql as $$
declare
  the_provider constant uuid := c ->> 'provider';
  wanted constant uuid[] := array(select jsonb_array_elements_text(c -> 'aggregates')::uuid order by 1);
  found_generation bigint;
  guarded constant boolean := c ->> 'generation' is not null;
begin
  perform placement_lock(array[the_provider]);
  select generation into found_generation from resource_provider where id = the_provider;
  if found_generation is null then perform placement_refuse('{"kind": "no-provider"}'); end if;
  if guarded and (c ->> 'generation')::numeric <> found_generation then
    perform placement_refuse(jsonb_build_object('kind', 'generation', 'found', found_generation));
  end if;
  insert into aggregate (id) select distinct unnest(wanted) on conflict do nothing;
  delete from provider_aggregate where provider_id = the_provider and not aggregate_id = any(wanted);
  insert into provider_aggregate (provider_id, aggregate_id) select distinct the_provider, unnest(wanted) on conflict do nothing;
  if guarded then
    update resource_provider set generation = generation + 1 where id = the_provider returning generation into found_generation;
  end if;
  perform placement_event('aggregates', array[the_provider],
    case when guarded then array[the_provider] else '{}'::uuid[] end, c);
  return found_generation;
end $$;

-- c: provider, name, parent | null. Answers the root.
create function placement_create_provider(c jsonb) returns uuid language plpgsql as $$
declare
  the_provider constant uuid := c ->> 'provider';
  the_parent constant uuid := c ->> 'parent';
  the_root uuid := the_provider;
  taken jsonb := '[]';
begin
  if the_parent is not null then
    perform placement_lock(array[the_parent]);
    select root_id into the_root from resource_provider where id = the_parent;
    if the_root is null then perform placement_refuse('{"kind": "no-parent"}'); end if;
  end if;
  if exists (select 1 from resource_provider where id = the_provider) then taken := taken || '["uuid"]'; end if;
  if exists (select 1 from resource_provider where name = c ->> 'name') then taken := taken || '["name"]'; end if;
  if taken <> '[]' then perform placement_refuse(jsonb_build_object('kind', 'taken', 'what', taken)); end if;
  insert into resource_provider (id, name, parent_id, root_id) values (the_provider, c ->> 'name', the_parent, the_root);
  perform placement_event('provider-created', array[the_provider], '{}', c);
  return the_root;
end $$;

-- c: provider, name, parent | null, reparents (may a parent change or go), keeps (no parent was named).
-- Answers { generation, parent, root }.
create function placement_update_provider(c jsonb) returns jsonb language plpgsql as $$
declare
  the_provider constant uuid := c ->> 'provider';
  the_parent uuid := c ->> 'parent';
  was resource_provider;
  new_root uuid;
  below uuid[];
begin
  -- One tree changes shape at a time: two moves that cross would make a loop.
  perform pg_advisory_xact_lock(727074);
  select * into was from resource_provider where id = the_provider;
  if was.id is null then perform placement_refuse('{"kind": "no-provider"}'); end if;
  if (c ->> 'keeps')::boolean then the_parent := was.parent_id; end if;
  perform placement_lock(array_remove(array[the_provider, the_parent, was.parent_id], null));
  if the_parent is not null and not exists (select 1 from resource_provider where id = the_parent) then
    perform placement_refuse('{"kind": "no-parent"}');
  end if;
  with recursive down as (
    select the_provider as id union select p.id from down d join resource_provider p on p.parent_id = d.id
  ) select array_agg(id) into below from down;
  if was.parent_id is not null and the_parent is distinct from was.parent_id and not (c ->> 'reparents')::boolean then
    perform placement_refuse(jsonb_build_object('kind', case when the_parent is null then 'un-parent' else 're-parent' end));
  end if;
  if the_parent = any(below) then perform placement_refuse('{"kind": "loop"}'); end if;
  if exists (select 1 from resource_provider where name = c ->> 'name' and id <> the_provider) then
    perform placement_refuse('{"kind": "taken"}');
  end if;
  if the_parent is distinct from was.parent_id and exists (select 1 from host where id in (was.root_id, the_provider)) then
    perform placement_refuse('{"kind": "host"}');
  end if;
  new_root := coalesce((select root_id from resource_provider where id = the_parent), the_provider);
  update resource_provider set name = c ->> 'name', parent_id = the_parent, root_id = new_root where id = the_provider;
  if new_root <> was.root_id then
    update resource_provider set root_id = new_root where id = any(below) and id <> the_provider;
  end if;
  perform placement_event('provider-updated', below || was.root_id || new_root, '{}', c);
  return jsonb_build_object('generation', (select generation from resource_provider where id = the_provider),
    'parent', the_parent, 'root', new_root);
end $$;

create function placement_delete_provider(c jsonb) returns void language plpgsql as $$
declare
  the_provider constant uuid := c ->> 'provider';
  the_root uuid;
begin
  perform placement_lock(array[the_provider]);
  select root_id into the_root from resource_provider where id = the_provider;
  if the_root is null then perform placement_refuse('{"kind": "no-provider"}'); end if;
  if exists (select 1 from resource_provider where parent_id = the_provider) then
    perform placement_refuse('{"kind": "parent"}');
  end if;
  if exists (select 1 from allocation where provider_id = the_provider) then
    perform placement_refuse('{"kind": "in-use"}');
  end if;
  if exists (select 1 from host where id = the_provider) then perform placement_refuse('{"kind": "host"}'); end if;
  perform placement_event('provider-deleted', array[the_provider, the_root], '{}', c);
  delete from resource_provider where id = the_provider;
end $$;

-- What several consumers hold from now on, all or nothing; with `inventories` a reshape.
-- c: consumers [[id, generation | null, checked, project, user, type | null], …], amounts [[consumer, provider, class,
--    amount], …], inventories [[provider, generation, rows], …] | null.
create function placement_allocate(c jsonb) returns void language plpgsql as $$
declare
  who constant uuid[] := array(select (x ->> 0)::uuid from jsonb_array_elements(c -> 'consumers') x);
  named constant uuid[] := array(select distinct (a ->> 1)::uuid from jsonb_array_elements(c -> 'amounts') a);
  shaped constant uuid[] := array(select (s ->> 0)::uuid from jsonb_array_elements(coalesce(nullif(c -> 'inventories', 'null'), '[]')) s);
  emptied constant uuid[] := array(
    select w from unnest(who) w
    where not exists (select 1 from jsonb_array_elements(c -> 'amounts') a where (a ->> 0)::uuid = w));
  held constant uuid[] := array(select distinct provider_id from allocation where consumer_id = any(who));
  given_back uuid[];
begin
  perform placement_lock(named || held || shaped);
  if c -> 'inventories' <> 'null' then perform placement_check_shapes(c -> 'inventories'); end if;
  perform placement_check_consumers(c -> 'consumers', who, emptied);
  if exists (select 1 from allocation where consumer_id = any(who) and not provider_id = any(held)) then
    -- Somebody gave this consumer something between our look and our locks.
    raise exception 'the consumer changed meanwhile' using errcode = '40001';
  end if;
  perform placement_check_names(c -> 'amounts', named);
  given_back := array(select distinct provider_id from allocation where consumer_id = any(emptied));
  delete from allocation where consumer_id = any(who);
  perform placement_put_inventories((s ->> 0)::uuid, s -> 2) from jsonb_array_elements(nullif(c -> 'inventories', 'null')) s;
  perform placement_check_room(c -> 'amounts', named);
  insert into allocation (consumer_id, provider_id, resource_class, amount)
  select (a ->> 0)::uuid, (a ->> 1)::uuid, a ->> 2, (a ->> 3)::bigint from jsonb_array_elements(c -> 'amounts') a;
  update consumer k set generation = k.generation + 1, project = x ->> 3, "user" = x ->> 4, type = coalesce(x ->> 5, k.type)
  from jsonb_array_elements(c -> 'consumers') x where k.id = (x ->> 0)::uuid;
  delete from consumer where id = any(emptied);
  update resource_provider set generation = generation + 1 where id = any(named || given_back);
  if c -> 'inventories' <> 'null' then perform placement_finish_shapes(c -> 'inventories'); end if;
  perform placement_event(case when c -> 'inventories' <> 'null' then 'reshaped' else 'allocated' end,
    array(select distinct unnest(named || held || shaped)), named || given_back || shaped, c);
end $$;

create function placement_check_shapes(shapes jsonb) returns void language plpgsql as $$
declare
  s jsonb;
  seen bigint;
begin
  for s in select value from jsonb_array_elements(shapes) loop
    select generation into seen from resource_provider where id = (s ->> 0)::uuid;
    if seen is null then
      perform placement_refuse(jsonb_build_object('kind', 'no-shape-provider', 'provider', s ->> 0));
    end if;
    if seen <> (s ->> 1)::numeric then
      perform placement_refuse(jsonb_build_object('kind', 'shape-generation', 'provider', s ->> 0, 'found', seen,
        'given', s -> 1));
    end if;
  end loop;
end $$;

-- Locks the consumers, checks their generations and makes those that will hold something for the first time.
create function placement_check_consumers(consumers jsonb, who uuid[], emptied uuid[]) returns void language plpgsql as $$
declare
  x jsonb;
  seen bigint;
  driven text;
begin
  perform 1 from consumer where id = any(who) order by id for update;
  select id::text into driven from (
    select consumer_id as id from claim where consumer_id = any(who)
    union all select id from instance where id = any(who)
    union all select id from migration where id = any(who)
  ) d limit 1;
  if driven is not null then perform placement_refuse(jsonb_build_object('kind', 'driven', 'consumer', driven)); end if;
  for x in select value from jsonb_array_elements(consumers) loop
    select generation into seen from consumer where id = (x ->> 0)::uuid;
    if (x ->> 2)::boolean and seen is distinct from (x ->> 1)::numeric then
      perform placement_refuse(jsonb_build_object('kind', 'consumer-generation', 'found', seen, 'given', x -> 1));
    end if;
    if seen is null and not (x ->> 0)::uuid = any(emptied) then
      insert into consumer (id, generation, type, project, "user")
      values ((x ->> 0)::uuid, 0, coalesce(x ->> 5, 'unknown'), x ->> 3, x ->> 4) on conflict do nothing;
      if not found then raise exception 'the consumer was made meanwhile' using errcode = '40001'; end if;
    end if;
  end loop;
end $$;

create function placement_check_names(amounts jsonb, named uuid[]) returns void language plpgsql as $$
declare
  bad text;
begin
  select n::text into bad from unnest(named) n where not exists (select 1 from resource_provider p where p.id = n) limit 1;
  if bad is not null then perform placement_refuse(jsonb_build_object('kind', 'no-provider', 'provider', bad)); end if;
  select a ->> 2 into bad from jsonb_array_elements(amounts) a
  where not exists (select 1 from resource_class k where k.name = a ->> 2) limit 1;
  if bad is not null then perform placement_refuse(jsonb_build_object('kind', 'no-class', 'class', bad)); end if;
end $$;

-- I1. What the consumers held before is already given back; the providers are locked.
create function placement_check_room(amounts jsonb, named uuid[]) returns void language plpgsql as $$
declare
  classes constant text[] := array(select distinct a ->> 2 from jsonb_array_elements(amounts) a order by 1);
  bare text;
  short record;
begin
  select string_agg(n::text, ', ') into bare from unnest(named) n
  where not exists (select 1 from inventory i where i.provider_id = n and i.resource_class = any(classes));
  if bare is not null then
    perform placement_refuse(jsonb_build_object('kind', 'no-inventory', 'class', array_to_string(classes, ', '),
      'provider', bare));
  end if;
  select w.provider, w.class, case
      when i.provider_id is null then 'no-inventory'
      when w.amount < i.min_unit or w.amount > i.max_unit or w.amount % i.step_size <> 0 then 'shape'
      else 'full'
    end as kind into short
  from (
    select (a ->> 1)::uuid as provider, a ->> 2 as class, (a ->> 3)::bigint as amount,
      sum((a ->> 3)::bigint) over (partition by a ->> 1, a ->> 2) as together
    from jsonb_array_elements(amounts) a
  ) w
  left join inventory i on i.provider_id = w.provider and i.resource_class = w.class
  where i.provider_id is null or w.amount < i.min_unit or w.amount > i.max_unit or w.amount % i.step_size <> 0
    or w.together + coalesce((
        select sum(x.amount) from allocation x where x.provider_id = w.provider and x.resource_class = w.class), 0)
      > (i.total - i.reserved) * ratio_of(i.allocation_ratio_milli, i.allocation_ratio)
  limit 1;
  if short.kind is not null then
    perform placement_refuse(jsonb_build_object('kind', short.kind, 'class', short.class, 'provider', short.provider));
  end if;
end $$;

-- The end of a reshape: what no inventory shall be left of goes, and claims of Berth still fit.
create function placement_finish_shapes(shapes jsonb) returns void language plpgsql as $$
declare
  s jsonb;
begin
  for s in select value from jsonb_array_elements(shapes) loop
    perform placement_drop_inventories((s ->> 0)::uuid, array(
      select resource_class from inventory where provider_id = (s ->> 0)::uuid
      except select r ->> 0 from jsonb_array_elements(s -> 2) r));
    -- Clients know Placement's count: one step for the interim inventories, one for the final ones.
    update resource_provider set generation = generation + case jsonb_array_length(s -> 2) when 0 then 1 else 2 end
    where id = (s ->> 0)::uuid;
  end loop;
  perform placement_keep_claims(array(select (x ->> 0)::uuid from jsonb_array_elements(shapes) x));
end $$;

-- Gives back all that a consumer holds. Placement raises no generation for it.
create function placement_release(c jsonb) returns void language plpgsql as $$
declare
  the_consumer constant uuid := c ->> 'consumer';
  held constant uuid[] := array(select distinct provider_id from allocation where consumer_id = the_consumer);
begin
  perform placement_lock(held);
  perform placement_check_consumers('[]', array[the_consumer], '{}');
  delete from allocation where consumer_id = the_consumer and provider_id = any(held);
  if not found then perform placement_refuse('{"kind": "nothing-held"}'); end if;
  if exists (select 1 from allocation where consumer_id = the_consumer) then
    raise exception 'the consumer changed meanwhile' using errcode = '40001';
  end if;
  delete from consumer where id = the_consumer;
  perform placement_event('released', held, '{}', c);
end $$;

-- Standard resource classes and traits: os-resource-classes 1.1.0, os-traits 2.9.0 (Apache-2.0).
alter sequence resource_class_ordinal_seq restart with 10000;
update resource_class set ordinal = default;
insert into resource_class (ordinal, name) values
  (1, 'VCPU'), (2, 'MEMORY_MB'), (3, 'DISK_GB'), (4, 'PCI_DEVICE'), (5, 'SRIOV_NET_VF'), (6, 'NUMA_SOCKET'), (7,
  'NUMA_CORE'), (8, 'NUMA_THREAD'), (9, 'NUMA_MEMORY_MB'), (10, 'IPV4_ADDRESS'), (11, 'VGPU'), (12,
  'VGPU_DISPLAY_HEAD'), (13, 'NET_BW_EGR_KILOBIT_PER_SEC'), (14, 'NET_BW_IGR_KILOBIT_PER_SEC'), (15, 'PCPU'),
  (16, 'MEM_ENCRYPTION_CONTEXT'), (17, 'FPGA'), (18, 'PGPU'), (19, 'NET_PACKET_RATE_KILOPACKET_PER_SEC'), (20,
  'NET_PACKET_RATE_EGR_KILOPACKET_PER_SEC'), (21, 'NET_PACKET_RATE_IGR_KILOPACKET_PER_SEC')
on conflict (name) do update set ordinal = excluded.ordinal;
insert into trait (name) values
  ('COMPUTE_ACCELERATORS'), ('COMPUTE_ARCH_AARCH64'), ('COMPUTE_ARCH_MIPSEL'), ('COMPUTE_ARCH_PPC64LE'),
  ('COMPUTE_ARCH_RISCV64'), ('COMPUTE_ARCH_S390X'), ('COMPUTE_ARCH_X86_64'),
  ('COMPUTE_CONFIG_DRIVE_REGENERATION'), ('COMPUTE_DEVICE_TAGGING'), ('COMPUTE_EPHEMERAL_ENCRYPTION'),
  ('COMPUTE_EPHEMERAL_ENCRYPTION_LUKS'), ('COMPUTE_EPHEMERAL_ENCRYPTION_LUKSV2'),
  ('COMPUTE_EPHEMERAL_ENCRYPTION_PLAIN'), ('COMPUTE_FIRMWARE_BIOS'), ('COMPUTE_FIRMWARE_UEFI'),
  ('COMPUTE_GRAPHICS_MODEL_BOCHS'), ('COMPUTE_GRAPHICS_MODEL_CIRRUS'), ('COMPUTE_GRAPHICS_MODEL_GOP'),
  ('COMPUTE_GRAPHICS_MODEL_NONE'), ('COMPUTE_GRAPHICS_MODEL_QXL'), ('COMPUTE_GRAPHICS_MODEL_VGA'),
  ('COMPUTE_GRAPHICS_MODEL_VIRTIO'), ('COMPUTE_GRAPHICS_MODEL_VMVGA'), ('COMPUTE_GRAPHICS_MODEL_XEN'),
  ('COMPUTE_IMAGE_TYPE_AKI'), ('COMPUTE_IMAGE_TYPE_AMI'), ('COMPUTE_IMAGE_TYPE_ARI'),
  ('COMPUTE_IMAGE_TYPE_ISO'), ('COMPUTE_IMAGE_TYPE_PLOOP'), ('COMPUTE_IMAGE_TYPE_QCOW2'),
  ('COMPUTE_IMAGE_TYPE_RAW'), ('COMPUTE_IMAGE_TYPE_VDI'), ('COMPUTE_IMAGE_TYPE_VHD'),
  ('COMPUTE_IMAGE_TYPE_VHDX'), ('COMPUTE_IMAGE_TYPE_VMDK'), ('COMPUTE_MANAGED_PCI_DEVICE'),
  ('COMPUTE_MEM_BACKING_FILE'), ('COMPUTE_MIGRATE_AUTO_CONVERGE'), ('COMPUTE_MIGRATE_POST_COPY'),
  ('COMPUTE_NET_ATTACH_INTERFACE'), ('COMPUTE_NET_ATTACH_INTERFACE_WITH_TAG'), ('COMPUTE_NET_VIF_MODEL_E1000'),
  ('COMPUTE_NET_VIF_MODEL_E1000E'), ('COMPUTE_NET_VIF_MODEL_LAN9118'), ('COMPUTE_NET_VIF_MODEL_NE2K_PCI'),
  ('COMPUTE_NET_VIF_MODEL_NETFRONT'), ('COMPUTE_NET_VIF_MODEL_PCNET'), ('COMPUTE_NET_VIF_MODEL_RTL8139'),
  ('COMPUTE_NET_VIF_MODEL_SPAPR_VLAN'), ('COMPUTE_NET_VIF_MODEL_SRIOV'), ('COMPUTE_NET_VIF_MODEL_VIRTIO'),
  ('COMPUTE_NET_VIF_MODEL_VMXNET'), ('COMPUTE_NET_VIF_MODEL_VMXNET3'), ('COMPUTE_NODE'),
  ('COMPUTE_REMOTE_MANAGED_PORTS'), ('COMPUTE_RESCUE_BFV'), ('COMPUTE_SAME_HOST_COLD_MIGRATE'),
  ('COMPUTE_SECURITY_TPM_1_2'), ('COMPUTE_SECURITY_TPM_2_0'), ('COMPUTE_SECURITY_UEFI_SECURE_BOOT'),
  ('COMPUTE_SOCKET_PCI_NUMA_AFFINITY'), ('COMPUTE_STATUS_DISABLED'), ('COMPUTE_STORAGE_BUS_FDC'),
  ('COMPUTE_STORAGE_BUS_IDE'), ('COMPUTE_STORAGE_BUS_LXC'), ('COMPUTE_STORAGE_BUS_SATA'),
  ('COMPUTE_STORAGE_BUS_SCSI'), ('COMPUTE_STORAGE_BUS_UML'), ('COMPUTE_STORAGE_BUS_USB'),
  ('COMPUTE_STORAGE_BUS_VIRTIO'), ('COMPUTE_STORAGE_BUS_XEN'), ('COMPUTE_STORAGE_VIRTIO_FS'),
  ('COMPUTE_TRUSTED_CERTS'), ('COMPUTE_VIOMMU_MODEL_AUTO'), ('COMPUTE_VIOMMU_MODEL_INTEL'),
  ('COMPUTE_VIOMMU_MODEL_SMMUV3'), ('COMPUTE_VIOMMU_MODEL_VIRTIO'), ('COMPUTE_VOLUME_ATTACH'),
  ('COMPUTE_VOLUME_ATTACH_WITH_TAG'), ('COMPUTE_VOLUME_EXTEND'), ('COMPUTE_VOLUME_MULTI_ATTACH'),
  ('HW_ARCH_AARCH64'), ('HW_ARCH_ALPHA'), ('HW_ARCH_ARMV6'), ('HW_ARCH_ARMV7'), ('HW_ARCH_ARMV7B'),
  ('HW_ARCH_CRIS'), ('HW_ARCH_I686'), ('HW_ARCH_IA64'), ('HW_ARCH_LM32'), ('HW_ARCH_M68K'),
  ('HW_ARCH_MICROBLAZE'), ('HW_ARCH_MICROBLAZEEL'), ('HW_ARCH_MIPS'), ('HW_ARCH_MIPS64'), ('HW_ARCH_MIPS64EL'),
  ('HW_ARCH_MIPSEL'), ('HW_ARCH_OPENRISC'), ('HW_ARCH_PARISC'), ('HW_ARCH_PARISC64'), ('HW_ARCH_PPC'),
  ('HW_ARCH_PPC64'), ('HW_ARCH_PPC64LE'), ('HW_ARCH_PPCEMB'), ('HW_ARCH_PPCLE'), ('HW_ARCH_S390'),
  ('HW_ARCH_S390X'), ('HW_ARCH_SH4'), ('HW_ARCH_SH4EB'), ('HW_ARCH_SPARC'), ('HW_ARCH_SPARC64'),
  ('HW_ARCH_UNICORE32'), ('HW_ARCH_X86_64'), ('HW_ARCH_XTENSA'), ('HW_ARCH_XTENSAEB'), ('HW_CPU_AARCH64_AES'),
  ('HW_CPU_AARCH64_ASIMD'), ('HW_CPU_AARCH64_ASIMDDP'), ('HW_CPU_AARCH64_ASIMDHP'), ('HW_CPU_AARCH64_ASIMDRDM'),
  ('HW_CPU_AARCH64_ATOMICS'), ('HW_CPU_AARCH64_CPUID'), ('HW_CPU_AARCH64_CRC32'), ('HW_CPU_AARCH64_DCPOP'),
  ('HW_CPU_AARCH64_EVTSTRM'), ('HW_CPU_AARCH64_FCMA'), ('HW_CPU_AARCH64_FP'), ('HW_CPU_AARCH64_FPHP'),
  ('HW_CPU_AARCH64_JSCVT'), ('HW_CPU_AARCH64_LRCPC'), ('HW_CPU_AARCH64_PMULL'), ('HW_CPU_AARCH64_SHA1'),
  ('HW_CPU_AARCH64_SHA2'), ('HW_CPU_AARCH64_SHA3'), ('HW_CPU_AARCH64_SHA512'), ('HW_CPU_AARCH64_SM3'),
  ('HW_CPU_AARCH64_SM4'), ('HW_CPU_AARCH64_SVE'), ('HW_CPU_AMD_SEV'), ('HW_CPU_HYPERTHREADING'),
  ('HW_CPU_PPC64LE_POWER8'), ('HW_CPU_PPC64LE_POWER9'), ('HW_CPU_X86_3DNOW'), ('HW_CPU_X86_ABM'),
  ('HW_CPU_X86_AESNI'), ('HW_CPU_X86_AMD_IBPB'), ('HW_CPU_X86_AMD_NO_SSB'), ('HW_CPU_X86_AMD_SEV'),
  ('HW_CPU_X86_AMD_SSBD'), ('HW_CPU_X86_AMD_SVM'), ('HW_CPU_X86_AMD_VIRT_SSBD'), ('HW_CPU_X86_ASF'),
  ('HW_CPU_X86_AVX'), ('HW_CPU_X86_AVX2'), ('HW_CPU_X86_AVX512BITALG'), ('HW_CPU_X86_AVX512BW'),
  ('HW_CPU_X86_AVX512CD'), ('HW_CPU_X86_AVX512DQ'), ('HW_CPU_X86_AVX512ER'), ('HW_CPU_X86_AVX512F'),
  ('HW_CPU_X86_AVX512GFNI'), ('HW_CPU_X86_AVX512IFMA'), ('HW_CPU_X86_AVX512PF'), ('HW_CPU_X86_AVX512VAES'),
  ('HW_CPU_X86_AVX512VBMI'), ('HW_CPU_X86_AVX512VBMI2'), ('HW_CPU_X86_AVX512VL'), ('HW_CPU_X86_AVX512VNNI'),
  ('HW_CPU_X86_AVX512VPCLMULQDQ'), ('HW_CPU_X86_AVX512VPOPCNTDQ'), ('HW_CPU_X86_BMI'), ('HW_CPU_X86_BMI2'),
  ('HW_CPU_X86_CLMUL'), ('HW_CPU_X86_F16C'), ('HW_CPU_X86_FMA3'), ('HW_CPU_X86_FMA4'),
  ('HW_CPU_X86_INTEL_MD_CLEAR'), ('HW_CPU_X86_INTEL_PCID'), ('HW_CPU_X86_INTEL_SPEC_CTRL'),
  ('HW_CPU_X86_INTEL_SSBD'), ('HW_CPU_X86_INTEL_VMX'), ('HW_CPU_X86_MMX'), ('HW_CPU_X86_MPX'),
  ('HW_CPU_X86_PDPE1GB'), ('HW_CPU_X86_SGX'), ('HW_CPU_X86_SHA'), ('HW_CPU_X86_SSE'), ('HW_CPU_X86_SSE2'),
  ('HW_CPU_X86_SSE3'), ('HW_CPU_X86_SSE41'), ('HW_CPU_X86_SSE42'), ('HW_CPU_X86_SSE4A'), ('HW_CPU_X86_SSSE3'),
  ('HW_CPU_X86_STIBP'), ('HW_CPU_X86_SVM'), ('HW_CPU_X86_TBM'), ('HW_CPU_X86_TSX'), ('HW_CPU_X86_VMX'),
  ('HW_CPU_X86_XOP'), ('HW_GPU_API_DIRECT2D'), ('HW_GPU_API_DIRECT3D_V10_0'), ('HW_GPU_API_DIRECT3D_V10_1'),
  ('HW_GPU_API_DIRECT3D_V11_0'), ('HW_GPU_API_DIRECT3D_V11_1'), ('HW_GPU_API_DIRECT3D_V11_2'),
  ('HW_GPU_API_DIRECT3D_V11_3'), ('HW_GPU_API_DIRECT3D_V12_0'), ('HW_GPU_API_DIRECT3D_V6_0'),
  ('HW_GPU_API_DIRECT3D_V7_0'), ('HW_GPU_API_DIRECT3D_V8_0'), ('HW_GPU_API_DIRECT3D_V8_1'),
  ('HW_GPU_API_DIRECT3D_V9_0'), ('HW_GPU_API_DIRECT3D_V9_0B'), ('HW_GPU_API_DIRECT3D_V9_0C'),
  ('HW_GPU_API_DIRECT3D_V9_0L'), ('HW_GPU_API_DIRECTX_V10'), ('HW_GPU_API_DIRECTX_V11'),
  ('HW_GPU_API_DIRECTX_V12'), ('HW_GPU_API_DXVA'), ('HW_GPU_API_OPENCL_V1_0'), ('HW_GPU_API_OPENCL_V1_1'),
  ('HW_GPU_API_OPENCL_V1_2'), ('HW_GPU_API_OPENCL_V2_0'), ('HW_GPU_API_OPENCL_V2_1'),
  ('HW_GPU_API_OPENCL_V2_2'), ('HW_GPU_API_OPENGL_V1_1'), ('HW_GPU_API_OPENGL_V1_2'),
  ('HW_GPU_API_OPENGL_V1_3'), ('HW_GPU_API_OPENGL_V1_4'), ('HW_GPU_API_OPENGL_V1_5'),
  ('HW_GPU_API_OPENGL_V2_0'), ('HW_GPU_API_OPENGL_V2_1'), ('HW_GPU_API_OPENGL_V3_0'),
  ('HW_GPU_API_OPENGL_V3_1'), ('HW_GPU_API_OPENGL_V3_2'), ('HW_GPU_API_OPENGL_V3_3'),
  ('HW_GPU_API_OPENGL_V4_0'), ('HW_GPU_API_OPENGL_V4_1'), ('HW_GPU_API_OPENGL_V4_2'),
  ('HW_GPU_API_OPENGL_V4_3'), ('HW_GPU_API_OPENGL_V4_4'), ('HW_GPU_API_OPENGL_V4_5'), ('HW_GPU_API_VULKAN'),
  ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V1_0'), ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V1_1'),
  ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V1_2'), ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V1_3'),
  ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V2_0'), ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V2_1'),
  ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V3_0'), ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V3_2'),
  ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V3_5'), ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V3_7'),
  ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V5_0'), ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V5_2'),
  ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V5_3'), ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V6_0'),
  ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V6_1'), ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V6_2'),
  ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V7_0'), ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V7_1'),
  ('HW_GPU_CUDA_COMPUTE_CAPABILITY_V7_2'), ('HW_GPU_CUDA_SDK_V10_0'), ('HW_GPU_CUDA_SDK_V6_5'),
  ('HW_GPU_CUDA_SDK_V7_5'), ('HW_GPU_CUDA_SDK_V8_0'), ('HW_GPU_CUDA_SDK_V9_0'), ('HW_GPU_CUDA_SDK_V9_1'),
  ('HW_GPU_CUDA_SDK_V9_2'), ('HW_GPU_MAX_DISPLAY_HEADS_1'), ('HW_GPU_MAX_DISPLAY_HEADS_2'),
  ('HW_GPU_MAX_DISPLAY_HEADS_4'), ('HW_GPU_MAX_DISPLAY_HEADS_6'), ('HW_GPU_MAX_DISPLAY_HEADS_8'),
  ('HW_GPU_RESOLUTION_W1024H600'), ('HW_GPU_RESOLUTION_W1024H768'), ('HW_GPU_RESOLUTION_W1152H864'),
  ('HW_GPU_RESOLUTION_W1280H1024'), ('HW_GPU_RESOLUTION_W1280H720'), ('HW_GPU_RESOLUTION_W1280H768'),
  ('HW_GPU_RESOLUTION_W1280H800'), ('HW_GPU_RESOLUTION_W1360H768'), ('HW_GPU_RESOLUTION_W1366H768'),
  ('HW_GPU_RESOLUTION_W1440H900'), ('HW_GPU_RESOLUTION_W1600H1200'), ('HW_GPU_RESOLUTION_W1600H900'),
  ('HW_GPU_RESOLUTION_W1680H1050'), ('HW_GPU_RESOLUTION_W1920H1080'), ('HW_GPU_RESOLUTION_W1920H1200'),
  ('HW_GPU_RESOLUTION_W2560H1440'), ('HW_GPU_RESOLUTION_W2560H1600'), ('HW_GPU_RESOLUTION_W320H240'),
  ('HW_GPU_RESOLUTION_W3840H2160'), ('HW_GPU_RESOLUTION_W640H480'), ('HW_GPU_RESOLUTION_W7680H4320'),
  ('HW_GPU_RESOLUTION_W800H600'), ('HW_NIC_ACCEL_DEFLATE'), ('HW_NIC_ACCEL_DIFFIEH'), ('HW_NIC_ACCEL_ECC'),
  ('HW_NIC_ACCEL_IPSEC'), ('HW_NIC_ACCEL_LZS'), ('HW_NIC_ACCEL_RSA'), ('HW_NIC_ACCEL_SSL'),
  ('HW_NIC_ACCEL_TLS'), ('HW_NIC_DCB_ETS'), ('HW_NIC_DCB_PFC'), ('HW_NIC_DCB_QCN'), ('HW_NIC_MULTIQUEUE'),
  ('HW_NIC_OFFLOAD_FDF'), ('HW_NIC_OFFLOAD_GENEVE'), ('HW_NIC_OFFLOAD_GRE'), ('HW_NIC_OFFLOAD_GRO'),
  ('HW_NIC_OFFLOAD_GSO'), ('HW_NIC_OFFLOAD_L2CRC'), ('HW_NIC_OFFLOAD_LRO'), ('HW_NIC_OFFLOAD_LSO'),
  ('HW_NIC_OFFLOAD_QINQ'), ('HW_NIC_OFFLOAD_RDMA'), ('HW_NIC_OFFLOAD_RX'), ('HW_NIC_OFFLOAD_RXHASH'),
  ('HW_NIC_OFFLOAD_RXVLAN'), ('HW_NIC_OFFLOAD_SCS'), ('HW_NIC_OFFLOAD_SG'), ('HW_NIC_OFFLOAD_SWITCHDEV'),
  ('HW_NIC_OFFLOAD_TCS'), ('HW_NIC_OFFLOAD_TSO'), ('HW_NIC_OFFLOAD_TX'), ('HW_NIC_OFFLOAD_TXUDP'),
  ('HW_NIC_OFFLOAD_TXVLAN'), ('HW_NIC_OFFLOAD_UCS'), ('HW_NIC_OFFLOAD_UFO'), ('HW_NIC_OFFLOAD_VXLAN'),
  ('HW_NIC_PROGRAMMABLE_PIPELINE'), ('HW_NIC_SRIOV'), ('HW_NIC_SRIOV_MULTIQUEUE'), ('HW_NIC_SRIOV_QOS_RX'),
  ('HW_NIC_SRIOV_QOS_TX'), ('HW_NIC_SRIOV_TRUSTED'), ('HW_NIC_VMDQ'), ('HW_NUMA_ROOT'),
  ('MISC_SHARES_VIA_AGGREGATE'), ('OWNER_CYBORG'), ('OWNER_NOVA'), ('STORAGE_DISK_HDD'), ('STORAGE_DISK_SSD')
on conflict do nothing;

-- Until 1.6 a PUT gives a class of one's own another name. Answers false when there is no such class.
create function placement_rename_class(old_name text, new_name text, c jsonb) returns boolean language plpgsql as $$
begin
  update resource_class set name = new_name where name = old_name;
  if not found then return false; end if;
  perform placement_event('class-renamed',
    array(select provider_id from inventory where resource_class = new_name), '{}', c);
  return true;
end $$;
