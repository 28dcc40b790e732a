-- Of several classes that there are not, the one named first is told, as everywhere else.
create or replace function placement_write_inventories(c jsonb) returns bigint language plpgsql as $$
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
