-- A reshape to a class that there is not is refused as such.
create or replace function placement_check_shapes(shapes jsonb) returns void language plpgsql as $$
declare
  s jsonb;
  seen bigint;
  bad text;
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
    select r.value ->> 0 into bad from jsonb_array_elements(s -> 2) with ordinality r
    where not exists (select 1 from resource_class k where k.name = r.value ->> 0 offset 0) order by r.ordinality limit 1;
    if bad is not null then perform placement_refuse(jsonb_build_object('kind', 'no-class', 'class', bad)); end if;
  end loop;
end $$;
