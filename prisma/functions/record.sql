-- Writes of instances, migrations, steps and hosts. Called by `apply_change`.

create or replace function write_instance(w jsonb, at timestamptz) returns void language plpgsql as $$
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
        power_request = case when w -> 'set' ? 'powerRequest' then nullif(w -> 'set' -> 'powerRequest', 'null')
          else power_request end,
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

create or replace function write_migration(w jsonb, at timestamptz) returns void language plpgsql as $$
declare
  r migration;
begin
  if w ->> 'do' = 'insert-migration' then
    r := jsonb_populate_record(null::migration, w -> 'row');
    r.instance_name := coalesce((select name from instance where id = r.instance_id), '');
    r.updated_at := at;
    r.ended_at := case when r.outcome is not null then at end;
    insert into migration select r.*;
    return;
  end if;
  if not put_migrations(jsonb_build_array(jsonb_build_object('w', w, 'at', at))) then
    perform raise_conflict('migration', w -> 'row' ->> 'id', 'present', 'absent');
  end if;
end $$;

-- [{ w, at }, …]: what a transition may change of each migration. What it was accepted with stays. False when one is not
-- there.
create or replace function put_migrations(puts jsonb) returns boolean language plpgsql as $$
declare
  put bigint;
begin
  update migration m set
    target = r.target, step = r.step, heading = r.heading, home = r.home, handed_over = r.handed_over,
    forced = r.forced, storage_used = r.storage_used, kept = r.kept, wish = r.wish, cause = r.cause,
    outcome = r.outcome, waiting = r.waiting, progress = r.progress, tried = r.tried, attempt = r.attempt, seq = r.seq,
    step_since = r.step_since, due_at = r.due_at, next_at = r.next_at,
    ended_at = case when r.outcome is not null then coalesce(m.ended_at, (p ->> 'at')::timestamptz) end,
    generation = m.generation + (p -> 'w' ->> 'raise')::int, updated_at = (p ->> 'at')::timestamptz
  from jsonb_array_elements(puts) p, lateral jsonb_populate_record(null::migration, p -> 'w' -> 'row') r
  where m.id = r.id;
  get diagnostics put = row_count;
  return put = jsonb_array_length(puts);
end $$;

-- What the changes of a batch deferred, and their events: one statement for each table.
create or replace function write_deferred(cs jsonb) returns void language plpgsql as $$
declare
  writes constant jsonb := (
    select coalesce(jsonb_agg(jsonb_build_object('w', w, 'at', c -> 'at')), '[]')
    from jsonb_array_elements(cs) c, lateral jsonb_array_elements(c -> 'writes') w where w ? 'deferred');
begin
  perform write_migration(p -> 'w', (p ->> 'at')::timestamptz)
  from jsonb_array_elements(writes) p where p -> 'w' ->> 'do' = 'insert-migration';
  perform put_migrations(jsonb_path_query_array(writes, '$[*] ? (@.w.do == "put-migration")'));
  insert into migration_step select r.*
  from jsonb_array_elements(writes) p, lateral jsonb_populate_record(null::migration_step, p -> 'w' -> 'row') r
  where p -> 'w' ->> 'do' = 'put-step'
  on conflict (migration_id, seq) do update set
    step = excluded.step, heading = excluded.heading, started_at = excluded.started_at, ended_at = excluded.ended_at,
    result = excluded.result, note = excluded.note;
  update instance i set generation = i.generation + 1
  from jsonb_array_elements(writes) p where p -> 'w' ->> 'do' = 'raise-instance' and i.id = (p -> 'w' ->> 'id')::uuid;
  perform write_instance(p -> 'w', (p ->> 'at')::timestamptz)
  from jsonb_array_elements(writes) p where p -> 'w' ->> 'do' = 'update-instance';
  insert into outbox (kind, hosts, instance_id, migration_id, data, raised, who, request, reason, at)
  select e ->> 'kind', (e ->> 'hosts')::uuid[], (e ->> 'instance')::uuid, (e ->> 'migration')::uuid, e -> 'data',
    c -> 'raised', c ->> 'who', c ->> 'request', c ->> 'reason', (c ->> 'at')::timestamptz
  from jsonb_array_elements(cs) with ordinality b(c, n), lateral (select c -> 'event' as e) x
  where not e ? 'quiet' or c -> 'raised' <> '{}' order by n;
  insert into audit_entry (at, who, request, reason, action, hosts, instance_id, migration_id, data)
  select (c ->> 'at')::timestamptz, c ->> 'who', c ->> 'request', c ->> 'reason', e ->> 'kind', (e ->> 'hosts')::uuid[],
    (e ->> 'instance')::uuid, (e ->> 'migration')::uuid, e -> 'data'
  from jsonb_array_elements(cs) with ordinality b(c, n), lateral (select c -> 'event' as e) x
  where c ->> 'request' is not null order by n;
end $$;

create or replace function write_step(w jsonb) returns void language plpgsql as $$
begin
  insert into migration_step select (jsonb_populate_record(null::migration_step, w -> 'row')).*
  on conflict (migration_id, seq) do update set
    step = excluded.step, heading = excluded.heading, started_at = excluded.started_at, ended_at = excluded.ended_at,
    result = excluded.result, note = excluded.note;
end $$;

create or replace function write_host(w jsonb, at timestamptz) returns void language plpgsql as $$
declare
  the_host constant uuid := w ->> 'host';
begin
  case w ->> 'do'
    when 'set-host' then
      update host h set
        truth = coalesce(w -> 'set' ->> 'truth', h.truth),
        admission = coalesce(w -> 'set' ->> 'admission', h.admission),
        memory = coalesce(w -> 'set' ->> 'memory', h.memory),
        reason = coalesce(w -> 'set' ->> 'reason', h.reason),
        resumes_guests = coalesce((w -> 'set' ->> 'resumesGuests')::boolean, h.resumes_guests)
      where h.id = the_host;
    when 'note-remains' then
      insert into host_remain (host_id, instance_id, migration_id, side, since)
      values (the_host, (w ->> 'instance')::uuid, (w ->> 'migration')::uuid, w ->> 'side', at);
    when 'clear-remains' then
      perform prove_leftover(the_host, (w ->> 'instance')::uuid, (w ->> 'migration')::uuid);
      delete from host_remain r where r.host_id = the_host and r.instance_id = (w ->> 'instance')::uuid
        and r.migration_id is not distinct from (w ->> 'migration')::uuid;
  end case;
end $$;
