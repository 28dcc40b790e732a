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
    forced = r.forced, keeps_claim = r.keeps_claim, storage = r.storage, storage_used = r.storage_used, kept = r.kept, wish = r.wish, cause = r.cause, outcome = r.outcome,
    waiting = r.waiting, progress = r.progress, tried = r.tried, attempt = r.attempt, seq = r.seq,
    step_since = r.step_since, confirm_window_ms = r.confirm_window_ms, due_at = r.due_at, next_at = r.next_at,
    ended_at = case when r.outcome is not null then coalesce(m.ended_at, at) end,
    generation = m.generation + (w ->> 'raise')::int, updated_at = at
  where m.id = r.id;
  if not found then perform raise_conflict('migration', r.id::text, 'present', 'absent'); end if;
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
