-- Of several things that are wrong with a claim the first one as the client wrote it is told.
create or replace function placement_check_names(amounts jsonb, named uuid[]) returns void language plpgsql as $$
declare
  bad text;
begin
  select a.value ->> 1 into bad from jsonb_array_elements(amounts) with ordinality a
  where not exists (select 1 from resource_provider p where p.id = (a.value ->> 1)::uuid) order by a.ordinality limit 1;
  if bad is not null then perform placement_refuse(jsonb_build_object('kind', 'no-provider', 'provider', bad)); end if;
  select a.value ->> 2 into bad from jsonb_array_elements(amounts) with ordinality a
  where not exists (select 1 from resource_class k where k.name = a.value ->> 2) order by a.ordinality limit 1;
  if bad is not null then perform placement_refuse(jsonb_build_object('kind', 'no-class', 'class', bad)); end if;
end $$;

-- I1. What the consumers held before is already given back; the providers are locked.
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
  left join inventory i on i.provider_id = w.provider and i.resource_class = w.class
  where i.provider_id is null or w.amount < i.min_unit or w.amount > i.max_unit or w.amount % i.step_size <> 0
    or w.together + coalesce((
        select sum(x.amount) from allocation x where x.provider_id = w.provider and x.resource_class = w.class), 0)
      > (i.total - i.reserved) * ratio_of(i.allocation_ratio_milli, i.allocation_ratio)
  order by w.ordinality limit 1;
  if short.kind is not null then
    perform placement_refuse(jsonb_build_object('kind', short.kind, 'class', short.class, 'provider', short.provider));
  end if;
end $$;
