-- The Placement API writes through these functions. Each is one round trip: it locks in the order of every other write
-- (providers by id, then consumers by id), checks what the client relied on, writes all or nothing and leaves an event.
--
-- Berth's engine also claims on the tree of a host, and its decisions rely on the root's generation. Every change in
-- such a tree therefore raises its root, or the engine could claim on a stale snapshot.
--
-- Each has settings for generic plans of look-ups by key. PostgreSQL would plan the statements anew at each call, which
-- costs more than to run them, and a plan made while the tables were small would scan them as long as its connection lives.

-- BP001: a client's request is refused. The detail is the answer.
create or replace function placement_refuse(why jsonb) returns void language plpgsql as $$
begin
  raise exception 'refused' using errcode = 'BP001', detail = why;
end $$;

-- Locks these providers and the roots of those that belong to a host's tree, in the order of all other writes.
create or replace function placement_lock(ids uuid[]) returns void language plpgsql as $$
declare
  roots constant uuid[] := array(
    select h.id from host h where h.id in (select p.root_id from resource_provider p where p.id = any(ids)));
  all_of_them constant uuid[] := ids || roots;
begin
  perform 1 from resource_provider where id = any(all_of_them) order by id for no key update;
end $$;

-- The given providers that belong to a host's tree.
create or replace function placement_hosted(ids uuid[]) returns uuid[] language sql stable as $$
  select coalesce(array_agg(p.id), '{}') from resource_provider p join host h on h.id = p.root_id where p.id = any(ids)
$$;

-- Writes the event of a write. `raised`: providers whose generation the write raised; `touched`: all that it changed.
-- `c` may have a reason, and in `told` further data for the event. `again` makes caches reread even if no generation
-- changed.
create or replace function placement_event(kind text, touched uuid[], raised uuid[], c jsonb) returns void language plpgsql as $$
declare
  roots uuid[];
  generations jsonb;
begin
  select coalesce(array_agg(distinct p.root_id), '{}') into roots
  from resource_provider p join host h on h.id = p.root_id where p.id = any(touched);
  if roots <> '{}' then
    update resource_provider set generation = generation + 1 where id = any(roots) and not id = any(raised);
  end if;
  select coalesce(jsonb_object_agg(p.id, p.generation), '{}') into generations
  from resource_provider p where p.id = any(touched || roots);
  insert into outbox (kind, hosts, data, raised, who, request, reason, at)
  values ('placement.' || kind, roots,
    jsonb_build_object('providers', touched, 'again', not touched <@ raised) || coalesce(c -> 'told', '{}'),
    generations, c ->> 'who', c ->> 'request', c ->> 'reason', now());
  insert into audit_entry (at, who, request, reason, action, hosts, data)
  values (now(), c ->> 'who', c ->> 'request', c ->> 'reason', 'placement.' || kind, roots,
    jsonb_build_object('providers', touched) || coalesce(c -> 'told', '{}'));
end $$;

-- Locks the provider, and returns its generation if it is the one that the client relied on. c: provider, generation | null.
create or replace function placement_guard(c jsonb) returns bigint language plpgsql as $$
declare
  the_provider constant uuid := c ->> 'provider';
  found_generation bigint;
begin
  perform placement_lock(array[the_provider]);
  select generation into found_generation from resource_provider where id = the_provider;
  if found_generation is null then perform placement_refuse('{"kind": "no-provider"}'); end if;
  if c ->> 'generation' is not null and (c ->> 'generation')::numeric <> found_generation then
    perform placement_refuse(jsonb_build_object('kind', 'generation', 'found', found_generation));
  end if;
  return found_generation;
end $$;

-- c: provider, generation | null, traits [name]. Returns the provider's generation.
create or replace function placement_set_traits(c jsonb) returns bigint language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  the_provider constant uuid := c ->> 'provider';
  wanted constant text[] := array(select jsonb_array_elements_text(c -> 'traits'));
  found_generation bigint;
  unknown text;
  changed int;
  more int;
begin
  found_generation := placement_guard(c);
  select string_agg(w, ', ') into unknown from unnest(wanted) w where not exists (select 1 from trait t where t.name = w);
  if unknown is not null then perform placement_refuse(jsonb_build_object('kind', 'no-trait', 'traits', unknown)); end if;
  -- By their own keys: each row compared with all that are wanted takes the square of their number.
  delete from provider_trait where provider_id = the_provider and trait = any(array(
    select trait from provider_trait where provider_id = the_provider except select unnest(wanted)));
  get diagnostics changed = row_count;
  insert into provider_trait (provider_id, trait) select distinct the_provider, w from unnest(wanted) w on conflict do nothing;
  get diagnostics more = row_count;
  if changed + more = 0 then return found_generation; end if;
  update resource_provider set generation = generation + 1 where id = the_provider returning generation into found_generation;
  perform placement_event('traits', array[the_provider], array[the_provider], c);
  return found_generation;
end $$;

-- c: provider, generation | null, aggregates [uuid]. Without a generation (below 1.19) it raises none, except in a
-- host's tree.
create or replace function placement_set_aggregates(c jsonb) returns bigint language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  the_provider constant uuid := c ->> 'provider';
  wanted constant uuid[] := array(select jsonb_array_elements_text(c -> 'aggregates')::uuid order by 1);
  found_generation bigint;
  raises constant boolean := c ->> 'generation' is not null or placement_hosted(array[the_provider]) <> '{}';
begin
  found_generation := placement_guard(c);
  -- In one order, because two writers of new aggregates wait for each other's rows.
  insert into aggregate (id) select distinct unnest(wanted) order by 1 on conflict do nothing;
  -- As with traits, by their own keys.
  delete from provider_aggregate where provider_id = the_provider and aggregate_id = any(array(
    select aggregate_id from provider_aggregate where provider_id = the_provider except select unnest(wanted)));
  insert into provider_aggregate (provider_id, aggregate_id) select distinct the_provider, unnest(wanted) on conflict do nothing;
  if raises then
    update resource_provider set generation = generation + 1 where id = the_provider returning generation into found_generation;
  end if;
  perform placement_event('aggregates', array[the_provider],
    case when raises then array[the_provider] else '{}'::uuid[] end, c);
  return found_generation;
end $$;

-- c: provider, name, parent | null. Returns the root.
create or replace function placement_create_provider(c jsonb) returns uuid language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  the_provider constant uuid := c ->> 'provider';
  the_parent constant uuid := c ->> 'parent';
  the_root uuid := the_provider;
  taken jsonb := '[]';
  law text;
begin
  if the_parent is not null then
    -- Children are made beside each other, but not beside a move: it would not see the child, which kept the old root.
    perform pg_advisory_xact_lock_shared(727074);
    perform placement_lock(array[the_parent]);
    select root_id into the_root from resource_provider where id = the_parent;
    if the_root is null then perform placement_refuse('{"kind": "no-parent"}'); end if;
  end if;
  if exists (select 1 from resource_provider where id = the_provider) then taken := taken || '["uuid"]'; end if;
  if exists (select 1 from resource_provider where name = c ->> 'name') then taken := taken || '["name"]'; end if;
  if taken <> '[]' then perform placement_refuse(jsonb_build_object('kind', 'taken', 'what', taken)); end if;
  begin
    insert into resource_provider (id, name, parent_id, root_id) values (the_provider, c ->> 'name', the_parent, the_root);
  exception when unique_violation then
    -- Another request created it between our read and our insert.
    get stacked diagnostics law = constraint_name;
    perform placement_refuse(jsonb_build_object('kind', 'taken', 'what',
      jsonb_build_array(case law when 'resource_provider_name_key' then 'name' else 'uuid' end)));
  end;
  perform placement_event('provider-created', array[the_provider], '{}', c);
  return the_root;
end $$;

-- c: provider, name, parent | null, reparents (the parent may change or be removed), keeps (no parent was given).
-- Returns { generation, parent, root }.
create or replace function placement_update_provider(c jsonb) returns jsonb language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  the_provider constant uuid := c ->> 'provider';
  the_parent uuid := c ->> 'parent';
  was resource_provider;
  new_root uuid;
  below uuid[];
begin
  -- One tree changes shape at a time, because two crossing re-parentings would make a loop.
  perform pg_advisory_xact_lock(727074);
  select * into was from resource_provider where id = the_provider;
  if was.id is null then perform placement_refuse('{"kind": "no-provider"}'); end if;
  if (c ->> 'keeps')::boolean then the_parent := was.parent_id; end if;
  with recursive down as (
    select the_provider as id union select p.id from down d join resource_provider p on p.parent_id = d.id
  ) select array_agg(id) into below from down;
  perform placement_lock(array_remove(below || the_parent || was.parent_id, null));
  if not exists (select 1 from resource_provider where id = the_provider) then -- deleted before it was locked
    perform placement_refuse('{"kind": "no-provider"}');
  end if;
  if the_parent is not null and not exists (select 1 from resource_provider where id = the_parent) then
    perform placement_refuse('{"kind": "no-parent"}');
  end if;
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
  begin
    update resource_provider set name = c ->> 'name', parent_id = the_parent, root_id = new_root where id = the_provider;
  exception when unique_violation then
    perform placement_refuse('{"kind": "taken"}'); -- another request took the name between our check and our update
  end;
  if new_root <> was.root_id then
    update resource_provider set root_id = new_root where id = any(below) and id <> the_provider;
  end if;
  perform placement_event('provider-updated', below || was.root_id || new_root, '{}', c);
  return jsonb_build_object('generation', (select generation from resource_provider where id = the_provider),
    'parent', the_parent, 'root', new_root);
end $$;

create or replace function placement_delete_provider(c jsonb) returns void language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
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

-- Until 1.6 a PUT renames a custom class. Returns false when there is no such class.
create or replace function placement_rename_class(old_name text, new_name text, c jsonb) returns boolean language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
begin
  update resource_class set name = new_name where name = old_name;
  if not found then return false; end if;
  perform placement_event('class-renamed',
    array(select provider_id from inventory where resource_class = new_name), '{}', c);
  return true;
end $$;
