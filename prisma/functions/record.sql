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
      -- Hosts refuse fences older than those they have seen of an instance of that id: a new one begins after all of them.
      if exists (select from domain_record where instance = r.id) then r.generation := ms(at); end if;
      insert into instance select r.*;
    when 'update-instance' then
      if not put_instances(jsonb_build_array(w)) then perform raise_conflict('instance', w ->> 'id', 'present', 'absent'); end if;
      if (w ->> 'byRule')::boolean then perform note_resume((w ->> 'id')::uuid, at); end if;
    when 'delete-instance' then
      if exists (select 1 from migration where instance_id = (w ->> 'id')::uuid and outcome is null) then
        perform raise_conflict('active-migration', w ->> 'id', 'none', (
          select id::text from migration where instance_id = (w ->> 'id')::uuid and outcome is null));
      end if;
      delete from instance where id = (w ->> 'id')::uuid;
  end case;
end $$;

-- Notes that the rule of its host requested a start; a survey that observes another power clears the note.
create or replace function note_resume(the_instance uuid, at timestamptz) returns void language plpgsql as $$
begin
  update guest_power p set resume_asked_at = at from instance i
  where i.id = the_instance and p.instance_id = i.id and p.host_id = i.host_id and p.resume_asked_at is null;
  if not found then perform raise_conflict('instance', the_instance::text, 'no start requested by its host', 'one'); end if;
end $$;

-- [{ id, set, raise, at? }, …]: new values of instances. False when one does not exist.
create or replace function put_instances(puts jsonb) returns boolean language plpgsql as $$
declare
  put bigint;
begin
  update instance i set
    host_id = case when w -> 'set' ? 'host' then (w -> 'set' ->> 'host')::uuid else i.host_id end,
    vm_state = coalesce(w -> 'set' ->> 'vmState', i.vm_state),
    flavor = coalesce(w -> 'set' -> 'flavor', i.flavor),
    image = coalesce(w -> 'set' -> 'image', i.image),
    power_request = case when w -> 'set' ? 'powerRequest' then nullif(w -> 'set' -> 'powerRequest', 'null')
      else i.power_request end,
    generation = i.generation + (w ->> 'raise')::int,
    updated_at = coalesce((w ->> 'at')::timestamptz, i.updated_at)
  from jsonb_array_elements(puts) w where i.id = (w ->> 'id')::uuid;
  get diagnostics put = row_count;
  return put = jsonb_array_length(puts);
end $$;

-- Migrations as accepted. Their instances exist.
create or replace function insert_migrations(accepted jsonb) returns void language sql as $$
  insert into migration select r.*
  from jsonb_array_elements(accepted) x
  cross join lateral (select coalesce(
    (select i.name from instance i where i.id = (x ->> 'instance_id')::uuid), '') as name offset 0) i
  cross join lateral jsonb_populate_record(null::migration, x || jsonb_build_object('instance_name', i.name)) r
$$;

-- The columns that a transition may change; `generation` is an increment. The accepted request stays. False when a
-- migration does not exist.
create or replace function put_migrations(puts jsonb) returns boolean language plpgsql as $$
declare
  put bigint;
begin
  update migration m set
    target = r.target, step = r.step, direction = r.direction, home = r.home, handed_over = r.handed_over,
    forced = r.forced, storage_used = r.storage_used, kept = r.kept, requested_action = r.requested_action, cause = r.cause,
    outcome = r.outcome, waiting = r.waiting, progress = r.progress, tried = r.tried, attempt = r.attempt, seq = r.seq,
    step_since = r.step_since, due_at = r.due_at, next_at = r.next_at,
    ended_at = case when r.outcome is not null then coalesce(m.ended_at, r.updated_at) end,
    generation = m.generation + r.generation, updated_at = r.updated_at
  from jsonb_populate_recordset(null::migration, puts) r
  where m.id = r.id;
  get diagnostics put = row_count;
  return put = jsonb_array_length(puts);
end $$;

create or replace function put_steps(steps jsonb) returns void language sql as $$
  insert into migration_step select r.* from jsonb_populate_recordset(null::migration_step, steps) r
  on conflict (migration_id, seq) do update set
    step = excluded.step, direction = excluded.direction, started_at = excluded.started_at, ended_at = excluded.ended_at,
    result = excluded.result, note = excluded.note
$$;

create or replace function write_host(w jsonb, at timestamptz) returns void language plpgsql as $$
declare
  the_host constant uuid := w ->> 'host';
begin
  case w ->> 'do'
    when 'set-host' then
      update host h set
        status = coalesce(w -> 'set' ->> 'status', h.status),
        scheduling = coalesce(w -> 'set' ->> 'scheduling', h.scheduling),
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
