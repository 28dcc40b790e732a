-- One call commits a change. `apply_change` writes it or raises; `commit_change` and `commit_changes` turn a lost race
-- into an answer that names whose write came first, with nothing of the change written.
--
-- A change is an object made by server/store/change-row.ts:
--   providers [[id, generation | null], …] sorted by id     instance [id, generation] | null
--   migration [id, generation, fence | null] | null         group [id, generation] | null
--   writes [{ do, … }]   event { kind, hosts, instance, migration, data }   who, request, reason, at

-- BC001: a generation, a fence or a name was not what the change relied on. The detail is the answer.
create or replace function raise_conflict(what text, id text, expected text, seen text) returns void language plpgsql as $$
begin
  raise exception 'conflict on %', what using errcode = 'BC001',
    detail = jsonb_build_object('on', what, 'id', id, 'expected', expected, 'found', coalesce(seen, 'absent'));
end $$;

-- { raised } when the change landed, else { conflict }.
create or replace function commit_change(c jsonb) returns jsonb language plpgsql as $$
declare
  answer jsonb;
  said text;
begin
  return jsonb_build_object('raised', apply_change(c));
exception
  when sqlstate 'BC001' then
    get stacked diagnostics said = pg_exception_detail;
    return jsonb_build_object('conflict', said::jsonb);
  when unique_violation then
    get stacked diagnostics said = constraint_name;
    answer := conflict_of(said, c);
    if answer is null then raise; end if;
    return jsonb_build_object('conflict', answer);
end $$;

-- Many changes, each answering for itself, in one transaction. All locks are taken first and in order: two batches that
-- name the same rows must not wait for each other.
create or replace function commit_changes(cs jsonb) returns jsonb language plpgsql as $$
declare
  answers jsonb := '[]';
  c jsonb;
begin
  perform 1 from resource_provider where id in (
    select (p ->> 0)::uuid from jsonb_array_elements(cs) b, jsonb_array_elements(b -> 'providers') p
  ) order by id for no key update;
  perform 1 from instance where id in (select (b -> 'instance' ->> 0)::uuid from jsonb_array_elements(cs) b)
  order by id for no key update;
  perform 1 from migration where id in (select (b -> 'migration' ->> 0)::uuid from jsonb_array_elements(cs) b)
  order by id for no key update;
  for c in select value from jsonb_array_elements(cs) loop
    answers := answers || jsonb_build_array(commit_change(c));
  end loop;
  return answers;
end $$;

-- Answers every generation the change raised.
create or replace function apply_change(c jsonb) returns jsonb language plpgsql as $$
declare
  at constant timestamptz := c ->> 'at';
  e constant jsonb := c -> 'event';
  raised jsonb;
  touched uuid[] := '{}';
  w jsonb;
begin
  raised := lock_and_check(c);
  for w in select value from jsonb_array_elements(c -> 'writes') loop
    case w ->> 'do'
      when 'take' then
        perform take_claim(w, at);
        touched := touched || (w ->> 'host')::uuid;
      when 'release' then touched := touched || release_consumer((w ->> 'consumer')::uuid);
      when 'exchange' then
        touched := touched || exchange_claims((w ->> 'instance')::uuid, (w ->> 'migration')::uuid);
      when 'insert-migration', 'put-migration' then perform write_migration(w, at);
      when 'put-step' then perform write_step(w);
      when 'insert-instance', 'update-instance', 'delete-instance' then perform write_instance(w, at);
      when 'set-host', 'note-remains', 'clear-remains' then
        perform write_host(w, at);
        touched := touched || (w ->> 'host')::uuid;
      when 'raise-instance' then update instance set generation = generation + 1 where id = (w ->> 'id')::uuid;
      when 'raise-migration' then update migration set generation = generation + 1 where id = (w ->> 'id')::uuid;
      when 'row' then
        perform write_row(w, at);
        if w ->> 'root' is not null then touched := touched || (w ->> 'root')::uuid; end if;
    end case;
  end loop;
  raised := raised || raise_touched(touched, raised);
  insert into outbox (kind, hosts, instance_id, migration_id, data, raised, who, request, reason, at)
  select e ->> 'kind', (e ->> 'hosts')::uuid[], (e ->> 'instance')::uuid, (e ->> 'migration')::uuid,
    e -> 'data', raised, c ->> 'who', c ->> 'request', c ->> 'reason', at;
  if c ->> 'request' is not null then
    insert into audit_entry (at, who, request, reason, action, hosts, instance_id, migration_id, data)
    select at, c ->> 'who', c ->> 'request', c ->> 'reason', e ->> 'kind', (e ->> 'hosts')::uuid[],
      (e ->> 'instance')::uuid, (e ->> 'migration')::uuid, e -> 'data';
  end if;
  return raised;
end $$;

-- Checks what the change relied on after taking each lock, in an order that is the same for everybody: providers by
-- id, instance, migration, group. Answers the generations the providers were raised to.
create or replace function lock_and_check(c jsonb) returns jsonb language plpgsql as $$
declare
  raised jsonb := '{}';
  g jsonb;
  found_generation bigint;
  found_fence bigint;
begin
  -- From here on the moment of the change is known to `past_at`.
  perform set_config('berth.at', c ->> 'at', true);
  for g in select value from jsonb_array_elements(c -> 'providers') loop
    update resource_provider set generation = generation + 1 where id = (g ->> 0)::uuid
    returning generation into found_generation;
    if found_generation is null or found_generation - 1 <> (g ->> 1)::bigint then
      perform raise_conflict('provider', g ->> 0, coalesce(g ->> 1, 'any'), (found_generation - 1)::text);
    end if;
    raised := raised || jsonb_build_object(g ->> 0, found_generation);
  end loop;
  g := nullif(c -> 'instance', 'null');
  if g is not null then
    select generation into found_generation from instance where id = (g ->> 0)::uuid for no key update;
    if found_generation is distinct from (g ->> 1)::bigint then
      perform raise_conflict('instance', g ->> 0, g ->> 1, found_generation::text);
    end if;
  end if;
  g := nullif(c -> 'migration', 'null');
  if g is not null then
    select generation, fence into found_generation, found_fence from migration where id = (g ->> 0)::uuid
    for no key update;
    if found_generation is not null and found_fence <> (g ->> 2)::bigint then
      perform raise_conflict('fence', g ->> 0, g ->> 2, found_fence::text);
    end if;
    if found_generation is distinct from (g ->> 1)::bigint then
      perform raise_conflict('migration', g ->> 0, g ->> 1, found_generation::text);
    end if;
  end if;
  g := nullif(c -> 'group', 'null');
  if g is not null then
    update instance_group set generation = generation + 1 where id = (g ->> 0)::uuid
    returning generation into found_generation;
    if found_generation is null or found_generation - 1 <> (g ->> 1)::bigint then
      perform raise_conflict('group', g ->> 0, g ->> 1, (found_generation - 1)::text);
    end if;
  end if;
  return raised;
end $$;

-- Every change to what is held on a host raises its root, named by a guard or not: the projections of other servers
-- read a host again only when its root was raised.
create or replace function raise_touched(touched uuid[], raised jsonb) returns jsonb language plpgsql as $$
declare
  more jsonb := '{}';
  root uuid;
  now_at bigint;
begin
  foreach root in array touched loop
    if raised ? root::text or more ? root::text then continue; end if;
    update resource_provider set generation = generation + 1 where id = root returning generation into now_at;
    more := more || jsonb_build_object(root, now_at);
  end loop;
  return more;
end $$;

-- Which conflict a violated law of the database stands for; null when it is none and must be raised again.
create or replace function conflict_of(law text, c jsonb) returns jsonb language plpgsql as $$
declare
  answer jsonb;
begin
  case law
    when 'unit_holding_pkey' then
      select jsonb_build_object('on', 'unit', 'id', u.name, 'expected', 'free', 'found', k.consumer_id) into answer
      from jsonb_array_elements(c -> 'writes') w
      cross join lateral jsonb_array_elements(w -> 'units') x
      join unit u on u.host_id = (w ->> 'host')::uuid and u.name = x ->> 0
      join unit_holding h on h.unit_id = u.id or h.unit_id in (select ch.id from unit ch where ch.parent_id = u.id)
      join claim k on k.id = h.claim_id
      where w ->> 'do' = 'take' limit 1;
      return coalesce(answer, jsonb_build_object('on', 'unit', 'id', '', 'expected', 'free', 'found', 'released'));
    when 'migration_one_active_per_instance' then
      select jsonb_build_object('on', 'active-migration', 'id', m.instance_id, 'expected', 'none', 'found', m.id)
      into answer
      from jsonb_array_elements(c -> 'writes') w
      join migration m on m.instance_id = (w -> 'row' ->> 'instance_id')::uuid and m.outcome is null
      where w ->> 'do' = 'insert-migration' limit 1;
      return coalesce(answer, jsonb_build_object('on', 'active-migration', 'id', '', 'expected', 'none', 'found', 'ended'));
    when 'instance_pkey' then
      return jsonb_build_object('on', 'instance', 'id', c -> 'event' ->> 'instance', 'expected', 'absent',
        'found', 'present');
    when 'migration_pkey' then
      return jsonb_build_object('on', 'migration', 'id', c -> 'event' ->> 'migration', 'expected', 'absent',
        'found', 'present');
    else
      -- A line that makes a row which somebody made meanwhile, under the same key or the same unique name.
      if exists (select 1 from jsonb_array_elements(c -> 'writes') w where w ->> 'do' = 'row') then
        return jsonb_build_object('on', 'row', 'id', law, 'expected', 'absent', 'found', 'present');
      end if;
      return null;
  end case;
end $$;

drop function if exists lock_and_check_generations(jsonb);
