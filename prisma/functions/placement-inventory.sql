-- Inventories of one provider, and the checks after a change. placement-provider.sql explains the settings for plans.

-- The ratio as given, if it still matches the thousandths.
create or replace function ratio_of(milli int, said double precision) returns double precision language sql immutable parallel safe
as $$
  select case
    when said is not null and milli = greatest(0, least(2147483647, floor(said * 1000 + 0.000001)))::int then said
    else milli / 1000.0::double precision
  end
$$;

-- Of several unknown classes, the first one named is reported, as everywhere else.
create or replace function placement_write_inventories(c jsonb) returns bigint language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  the_provider constant uuid := c ->> 'provider';
  how constant text := c ->> 'how';
  found_generation bigint;
  named text[];
  gone text[];
  bad text;
begin
  found_generation := placement_guard(c);
  select coalesce(array_agg(r ->> 0), '{}') into named from jsonb_array_elements(c -> 'rows') r;
  select n into bad
  from unnest(named || coalesce(array(select jsonb_array_elements_text(c -> 'classes')), '{}')) with ordinality u(n, place)
  where not exists (select 1 from resource_class k where k.name = n offset 0) order by place limit 1;
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

create or replace function placement_put_inventories(the_provider uuid, rows jsonb) returns void language sql as $$
  insert into inventory (provider_id, resource_class, total, reserved, min_unit, max_unit, step_size,
    allocation_ratio_milli, allocation_ratio)
  select the_provider, r ->> 0, (r ->> 1)::bigint, (r ->> 2)::bigint, (r ->> 3)::bigint, (r ->> 4)::bigint,
    (r ->> 5)::bigint, (r ->> 6)::int, (r ->> 7)::double precision
  from jsonb_array_elements(rows) r
  on conflict (provider_id, resource_class) do update set total = excluded.total, reserved = excluded.reserved,
    min_unit = excluded.min_unit, max_unit = excluded.max_unit, step_size = excluded.step_size,
    allocation_ratio_milli = excluded.allocation_ratio_milli, allocation_ratio = excluded.allocation_ratio
$$;

create or replace function placement_drop_inventories(the_provider uuid, gone text[]) returns void language plpgsql as $$
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

-- I1: Placement lets an inventory shrink below its allocations, but not below Berth's own claims.
create or replace function placement_keep_claims(ids uuid[]) returns void language plpgsql as $$
declare
  short record;
begin
  -- What is held is compared first: it is hardly ever too much, and only then are allocations read.
  select i.provider_id, i.resource_class into short
  from inventory i
  where i.provider_id = any(ids)
    and i.used > (i.total - i.reserved) * ratio_of(i.allocation_ratio_milli, i.allocation_ratio)
    and exists (
      select 1 from allocation a, lateral (select 1 from claim k where k.consumer_id = a.consumer_id offset 0) k
      where a.provider_id = i.provider_id and a.resource_class = i.resource_class)
  limit 1;
  if found then
    perform placement_refuse(jsonb_build_object('kind', 'claims', 'class', short.resource_class,
      'provider', short.provider_id));
  end if;
end $$;

-- The end of a reshape: deletes inventories of removed classes, and checks that claims of Berth still fit. shapes:
-- [[provider, [class, …]], …], the classes that stay.
create or replace function placement_finish_reshape(shapes jsonb) returns void language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  s jsonb;
begin
  for s in select value from jsonb_array_elements(shapes) loop
    perform placement_drop_inventories((s ->> 0)::uuid, array(
      select resource_class from inventory where provider_id = (s ->> 0)::uuid
      except select jsonb_array_elements_text(s -> 1)));
  end loop;
  perform placement_keep_claims(array(select (x ->> 0)::uuid from jsonb_array_elements(shapes) x));
end $$;
