-- A change lands in one call. `apply_change` writes it or raises; `commit_change` and `commit_changes` turn a lost race
-- into an answer that names whose write came first, with nothing of the change written.
--
-- A change is an object made by server/store/commit/change-row.ts:
--   providers [[id, generation | null], …] sorted by id     instance [id, generation] | null
--   migration [id, generation, fence | null] | null         group [id, generation] | null
--   writes [{ do, … }]   event { kind, hosts, instance, migration, data }   who, request, reason, at

-- BC001: a generation, a fence or a name was not what the change relied on. The detail is the answer.
create function raise_conflict(what text, id text, expected text, seen text) returns void language plpgsql as $$
begin
  raise exception 'conflict on %', what using errcode = 'BC001',
    detail = jsonb_build_object('on', what, 'id', id, 'expected', expected, 'found', coalesce(seen, 'absent'));
end $$;

-- All that one consumer holds on one host, in one statement: a claim is stored whole or not at all.
create function take_claim(w jsonb, at timestamptz) returns void language plpgsql as $$
declare
  the_claim constant uuid := w ->> 'claim';
  the_consumer constant uuid := w ->> 'consumer';
  the_kind constant text := w ->> 'kind';
  the_host constant uuid := w ->> 'host';
  the_instance constant uuid := w ->> 'instance';
  wanted constant int := jsonb_array_length(w -> 'units');
  taken int;
begin
  with
    c as (
      insert into consumer (id, type, project)
      values (the_consumer, upper(the_kind), coalesce((select i.project from instance i where i.id = the_instance), ''))
      on conflict (id) do update set generation = consumer.generation + 1
    ),
    cl as (
      insert into claim (id, consumer_id, consumer_kind, instance_id, host_id, taken_at)
      values (the_claim, the_consumer, the_kind, the_instance, the_host, at)
    ),
    al as (
      insert into allocation (consumer_id, provider_id, resource_class, amount)
      select the_consumer, (a ->> 0)::uuid, a ->> 1, (a ->> 2)::bigint from jsonb_array_elements(w -> 'amounts') a
    ),
    ce as (
      insert into claim_cell (claim_id, guest_cell, host_cell, memory_mib, page_kib, shared_vcpus, pins, reserved_cpus,
        cpu_policy, thread_policy)
      select the_claim, (x ->> 0)::int, (x ->> 1)::int, (x ->> 2)::bigint, (x ->> 3)::int, (x ->> 4)::int[], x -> 5,
        (x ->> 6)::int[], x ->> 7, x ->> 8
      from jsonb_array_elements(w -> 'cells') x
    ),
    un as (
      insert into unit_holding (unit_id, claim_id, use, request_id)
      select u.id, the_claim, x ->> 1, x ->> 2
      from jsonb_array_elements(w -> 'units') x,
        -- One look-up per unit named. A plain join reads all units of the host: nothing tells the planner how few
        -- are named.
        lateral (
          select f.id from unit f where f.host_id = the_host and f.name = x ->> 0 and f.state = 'present' offset 0
        ) u
      returning 1
    )
  select count(*) into taken from un;
  if taken <> wanted then
    perform raise_conflict('unit', (
      select x ->> 0 from jsonb_array_elements(w -> 'units') x
      where not exists (select 1 from unit u where u.host_id = the_host and u.name = x ->> 0 and u.state = 'present') limit 1
    ), 'on the host', 'gone');
  end if;
  if (w ->> 'devices')::boolean then
    perform take_children(the_claim);
  end if;
end $$;

-- Who takes a PF or a GPU holds all that is cut from it, whether the plan named it or not: then the unique holder of a
-- child is also what keeps its parent from being taken.
create function take_children(the_claim uuid) returns void language sql as $$
  with recursive down as (
    select u.id from unit_holding h join unit u on u.parent_id = h.unit_id where h.claim_id = the_claim
    union
    select u.id from down d join unit u on u.parent_id = d.id
  )
  insert into unit_holding (unit_id, claim_id, use)
  select d.id, the_claim, 'with-parent' from down d
  where not exists (select 1 from unit_holding h where h.unit_id = d.id and h.claim_id = the_claim)
$$;

-- Answers the hosts where something was given back.
create function release_consumer(who uuid) returns uuid[] language plpgsql as $$
declare
  hosts uuid[];
begin
  delete from allocation where consumer_id = who;
  with gone as (delete from claim where consumer_id = who returning host_id)
  select coalesce(array_agg(host_id), '{}') into hosts from gone;
  delete from consumer where id = who;
  return hosts;
end $$;

-- Instance and migration swap what they hold (L2). Asked twice it undoes itself.
create function exchange_claims(one uuid, other uuid) returns uuid[] language plpgsql as $$
declare
  hosts uuid[];
begin
  insert into consumer (id, type, project)
  select id, type, coalesce((select i.project from instance i where i.id = one), '')
  from (values (one, 'INSTANCE'), (other, 'MIGRATION')) as sides (id, type)
  on conflict (id) do update set generation = consumer.generation + 1;
  update allocation set consumer_id = case consumer_id when one then other else one end
  where consumer_id in (one, other);
  with swapped as (
    update claim set
      consumer_id = case consumer_id when one then other else one end,
      consumer_kind = case consumer_kind when 'instance' then 'migration' else 'instance' end
    where consumer_id in (one, other)
    returning host_id
  )
  select coalesce(array_agg(host_id), '{}') into hosts from swapped;
  delete from consumer c where c.id in (one, other)
    and not exists (select 1 from allocation a where a.consumer_id = c.id)
    and not exists (select 1 from claim k where k.consumer_id = c.id);
  return hosts;
end $$;

create function write_instance(w jsonb, at timestamptz) returns void language plpgsql as $$
declare
  r instance;
begin
  case w ->> 'do'
    when 'insert-instance' then
      r := jsonb_populate_record(null::instance, w -> 'row');
      r.created_at := at;
      r.updated_at := at;
      insert into instance select r.*;
    when 'update-instance' then
      update instance set
        host_id = case when w -> 'set' ? 'host' then (w -> 'set' ->> 'host')::uuid else host_id end,
        vm_state = coalesce(w -> 'set' ->> 'vmState', vm_state),
        flavor = coalesce(w -> 'set' -> 'flavor', flavor),
        image = coalesce(w -> 'set' -> 'image', image),
        generation = generation + (w ->> 'raise')::int,
        updated_at = at
      where id = (w ->> 'id')::uuid;
      if not found then perform raise_conflict('instance', w ->> 'id', 'present', 'absent'); end if;
    when 'delete-instance' then
      if exists (select 1 from migration where instance_id = (w ->> 'id')::uuid and outcome is null) then
        perform raise_conflict('active-migration', w ->> 'id', 'none', (
          select id::text from migration where instance_id = (w ->> 'id')::uuid and outcome is null));
      end if;
      delete from instance where id = (w ->> 'id')::uuid;
  end case;
end $$;

create function write_migration(w jsonb, at timestamptz) returns void language plpgsql as $$
declare
  r migration;
begin
  r := jsonb_populate_record(null::migration, w -> 'row');
  if w ->> 'do' = 'insert-migration' then
    r.instance_name := coalesce((select name from instance where id = r.instance_id), '');
    r.updated_at := at;
    r.ended_at := case when r.outcome is not null then at end;
    insert into migration select r.*;
    return;
  end if;
  update migration m set
    source = r.source, target = r.target, requested_target = r.requested_target,
    new_flavor = r.new_flavor, new_image = r.new_image, old_flavor = r.old_flavor, old_image = r.old_image,
    was_running = r.was_running, step = r.step, heading = r.heading, home = r.home, handed_over = r.handed_over,
    forced = r.forced, keeps_claim = r.keeps_claim, wish = r.wish, cause = r.cause, outcome = r.outcome,
    waiting = r.waiting, progress = r.progress, tried = r.tried, attempt = r.attempt, seq = r.seq,
    step_since = r.step_since, confirm_window_ms = r.confirm_window_ms, due_at = r.due_at, next_at = r.next_at,
    ended_at = case when r.outcome is not null then coalesce(m.ended_at, at) end,
    generation = m.generation + (w ->> 'raise')::int, updated_at = at
  where m.id = r.id;
  if not found then perform raise_conflict('migration', r.id::text, 'present', 'absent'); end if;
end $$;

create function write_step(w jsonb) returns void language plpgsql as $$
begin
  insert into migration_step select (jsonb_populate_record(null::migration_step, w -> 'row')).*
  on conflict (migration_id, seq) do update set
    step = excluded.step, heading = excluded.heading, started_at = excluded.started_at, ended_at = excluded.ended_at,
    result = excluded.result, note = excluded.note;
end $$;

create function write_host(w jsonb, at timestamptz) returns void language plpgsql as $$
declare
  the_host constant uuid := w ->> 'host';
begin
  case w ->> 'do'
    when 'set-host' then
      update host h set
        truth = coalesce(w -> 'set' ->> 'truth', h.truth),
        admission = coalesce(w -> 'set' ->> 'admission', h.admission),
        reason = coalesce(w -> 'set' ->> 'reason', h.reason)
      where h.id = the_host;
    when 'note-remains' then
      insert into host_remain (host_id, instance_id, migration_id, side, since)
      values (the_host, (w ->> 'instance')::uuid, (w ->> 'migration')::uuid, w ->> 'side', at);
    when 'clear-remains' then
      delete from host_remain r where r.host_id = the_host and r.instance_id = (w ->> 'instance')::uuid
        and r.migration_id is not distinct from (w ->> 'migration')::uuid;
  end case;
end $$;

-- Checks what the change relied on after taking each lock, in an order that is the same for everybody: providers by
-- id, instance, migration, group. Answers the generations the providers were raised to.
create function lock_and_check(c jsonb) returns jsonb language plpgsql as $$
declare
  raised jsonb := '{}';
  g jsonb;
  found_generation bigint;
  found_fence bigint;
begin
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

-- Answers every generation the change raised.
create function apply_change(c jsonb) returns jsonb language plpgsql as $$
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

-- Every change to what is held on a host raises its root, named by a guard or not: the projections of other servers
-- read a host again only when its root was raised.
create function raise_touched(touched uuid[], raised jsonb) returns jsonb language plpgsql as $$
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
create function conflict_of(law text, c jsonb) returns jsonb language plpgsql as $$
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
      return null;
  end case;
end $$;

-- { raised } when the change landed, else { conflict }.
create function commit_change(c jsonb) returns jsonb language plpgsql as $$
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
create function commit_changes(cs jsonb) returns jsonb language plpgsql as $$
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
