-- A claim names a handful of rows. The planner cannot know how many elements an object of JSON has and would rather read
-- all inventories or consumers once; these forms leave it nothing but one look-up per row named, so that a claim costs
-- the same however large the fleet is.

create or replace function placement_lock(ids uuid[]) returns void language plpgsql as $$
declare
  roots constant uuid[] := array(
    select h.id from host h where h.id in (select p.root_id from resource_provider p where p.id = any(ids)));
  all_of_them constant uuid[] := ids || roots;
begin
  perform 1 from resource_provider where id = any(all_of_them) order by id for no key update;
end $$;

create or replace function placement_check_names(amounts jsonb, named uuid[]) returns void language plpgsql as $$
declare
  bad text;
begin
  select a.value ->> 1 into bad from jsonb_array_elements(amounts) with ordinality a
  where not exists (select 1 from resource_provider p where p.id = (a.value ->> 1)::uuid offset 0) order by a.ordinality limit 1;
  if bad is not null then perform placement_refuse(jsonb_build_object('kind', 'no-provider', 'provider', bad)); end if;
  select a.value ->> 2 into bad from jsonb_array_elements(amounts) with ordinality a
  where not exists (select 1 from resource_class k where k.name = a.value ->> 2 offset 0) order by a.ordinality limit 1;
  if bad is not null then perform placement_refuse(jsonb_build_object('kind', 'no-class', 'class', bad)); end if;
end $$;

create or replace function placement_check_room(amounts jsonb, named uuid[]) returns void language plpgsql as $$
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
    select (a.value ->> 1)::uuid as provider, a.value ->> 2 as class, (a.value ->> 3)::bigint as amount, a.ordinality,
      sum((a.value ->> 3)::bigint) over (partition by a.value ->> 1, a.value ->> 2) as together
    from jsonb_array_elements(amounts) with ordinality a
  ) w
  left join lateral (
    select * from inventory f where f.provider_id = w.provider and f.resource_class = w.class offset 0) i on true
  where i.provider_id is null or w.amount < i.min_unit or w.amount > i.max_unit or w.amount % i.step_size <> 0
    or w.together + coalesce((
        select sum(x.amount) from allocation x where x.provider_id = w.provider and x.resource_class = w.class), 0)
      > (i.total - i.reserved) * ratio_of(i.allocation_ratio_milli, i.allocation_ratio)
  order by w.ordinality limit 1;
  if short.kind is not null then
    perform placement_refuse(jsonb_build_object('kind', short.kind, 'class', short.class, 'provider', short.provider));
  end if;
end $$;

create or replace function placement_allocate(c jsonb) returns void language plpgsql as $$
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
  from jsonb_array_elements(c -> 'consumers') x where k.id = any(who) and k.id = (x ->> 0)::uuid;
  delete from consumer where id = any(emptied);
  update resource_provider set generation = generation + 1 where id = any(named || given_back);
  if c -> 'inventories' <> 'null' then perform placement_finish_shapes(c -> 'inventories'); end if;
  perform placement_event(case when c -> 'inventories' <> 'null' then 'reshaped' else 'allocated' end,
    array(select distinct unnest(named || held || shaped)), named || given_back || shaped, c);
end $$;
