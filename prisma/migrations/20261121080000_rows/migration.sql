-- Heals and reshapes write row by row what a person has reviewed. A row lands only while it still reads as it was shown;
-- otherwise the whole change is a conflict and nothing of it is written.
--
-- A row write is made by server/store/commit/row-write.ts:
--   { do: 'row', table, key { column: value }, before { … } | null, after { … } | null, root: host | null }

-- The columns of a table's row that `shown` names, as the table itself would print them.
create function as_stored(t text, shown jsonb) returns jsonb language plpgsql stable as $$
declare
  whole jsonb;
begin
  if shown is null then return null; end if;
  execute format('select to_jsonb(jsonb_populate_record(null::%I, $1))', t) into whole using shown;
  return (select coalesce(jsonb_object_agg(key, whole -> key), '{}') from jsonb_object_keys(shown) key);
end $$;

create function row_key(w jsonb) returns jsonb language sql stable as $$
  select case
    when w ->> 'table' = 'unit_holding' then jsonb_build_object('unit_id', (
      select u.id from unit u where u.host_id = (w -> 'key' ->> 'host_id')::uuid and u.name = w -> 'key' ->> 'unit'))
    else w -> 'key'
  end
$$;

-- What a made row has besides its key and what the line shows.
create function row_extras(t text, made jsonb, at timestamptz) returns jsonb language sql stable as $$
  select case t
    when 'claim' then jsonb_build_object('taken_at', at)
    when 'host_remain' then jsonb_build_object('since', at)
    when 'consumer' then jsonb_build_object('project', coalesce(
      (select i.project from instance i where i.id = (made ->> 'id')::uuid),
      (select i.project from migration m join instance i on i.id = m.instance_id where m.id = (made ->> 'id')::uuid),
      ''))
    else '{}'
  end
$$;

create function write_row(w jsonb, at timestamptz) returns void language plpgsql as $$
declare
  t constant text := w ->> 'table';
  k constant jsonb := as_stored(t, row_key(w));
  b constant jsonb := as_stored(t, nullif(w -> 'before', 'null'));
  a constant jsonb := as_stored(t, nullif(w -> 'after', 'null'));
  same constant text := (
    select string_agg(format('r.%1$I is not distinct from k.%1$I', key), ' and ') from jsonb_object_keys(k) key);
  made jsonb;
  whole jsonb;
  seen jsonb;
begin
  if t not in ('consumer', 'claim', 'allocation', 'claim_cell', 'unit_holding', 'instance', 'host_remain', 'host',
    'resource_provider', 'inventory', 'provider_trait', 'unit') then
    raise exception 'no line may name the table %', t;
  end if;
  execute format('select to_jsonb(r) from %1$I r, jsonb_populate_record(null::%1$I, $1) k where %2$s for update of r', t, same)
  into whole using k;
  if whole is not null then
    select coalesce(jsonb_object_agg(key, whole -> key), '{}') into seen from jsonb_object_keys(coalesce(b, '{}')) key;
  end if;
  if seen is distinct from b then
    perform raise_conflict('row', t || ' ' || (w -> 'key')::text, coalesce(b::text, 'absent'), coalesce(seen, whole)::text);
  end if;
  if a is null then
    execute format('delete from %1$I r using jsonb_populate_record(null::%1$I, $1) k where %2$s', t, same) using k;
  elsif b is null then
    made := k || a;
    made := made || row_extras(t, made, at);
    execute format('insert into %1$I (%2$s) select %3$s from jsonb_populate_record(null::%1$I, $1) r', t,
      (select string_agg(format('%I', key), ', ') from jsonb_object_keys(made) key),
      (select string_agg(format('r.%I', key), ', ') from jsonb_object_keys(made) key)) using made;
  elsif a <> b then
    execute format('update %1$I r set %3$s from jsonb_populate_record(null::%1$I, $1) k, jsonb_populate_record(null::%1$I, $2) n where %2$s',
      t, same, (select string_agg(format('%1$I = n.%1$I', key), ', ') from jsonb_object_keys(a) key)) using k, a;
  end if;
end $$;

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
