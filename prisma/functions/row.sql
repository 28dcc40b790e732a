-- Repairs and layout conversions write rows that an operator has reviewed. A row is written only while it is as shown;
-- otherwise the whole change is a conflict and nothing of it is written.
--
-- A row write is made by server/store/commit/row-write.ts:
--   { do: 'row', table, key { column: value }, before { … } | null, after { … } | null, root: host | null }

-- Writes one reviewed row, or raises a conflict when it no longer reads as it was shown. The row is found by its key:
-- `is not distinct from` scans a whole table for each line, because no index serves it.
create or replace function write_row(w jsonb, at timestamptz) returns void language plpgsql as $$
declare
  t constant text := w ->> 'table';
  cpu_made constant boolean := need_cpu(w);
  k constant jsonb := as_stored(t, row_key(w));
  b constant jsonb := as_stored(t, nullif(w -> 'before', 'null'));
  a constant jsonb := as_stored(t, nullif(w -> 'after', 'null'));
  same constant text := (
    select string_agg(format(case when k -> key = 'null' then 'r.%1$I is null' else 'r.%1$I = k.%1$I' end, key), ' and ')
    from jsonb_object_keys(k) key);
  made jsonb;
  whole jsonb;
  seen jsonb;
begin
  perform check_owner(t, k || coalesce(a, b, '{}'));
  if t not in ('consumer', 'claim', 'allocation', 'claim_cell', 'unit_holding', 'instance', 'migration', 'host_remain', 'host',
    'resource_provider', 'inventory', 'provider_trait', 'unit', 'layout_marker', 'layout_wave')
    and not (w ? 'record' and may_repair(t) and b is not null) then
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
  if w ? 'record' then perform set_config('berth.past', 'off', true); end if;
  if a is null then
    execute format('delete from %1$I r using jsonb_populate_record(null::%1$I, $1) k where %2$s', t, same) using k;
  elsif b is null then
    made := k || a;
    made := made || row_extras(t, made, at);
    -- A line names the parent of a unit, the table has its id.
    if t = 'unit' then
      made := made - 'parent' || jsonb_build_object('parent_id', (
        select u.id from unit u where u.host_id = (k ->> 'host_id')::uuid and u.name = w -> 'after' ->> 'parent'));
    end if;
    perform need_word(t, made);
    execute format('insert into %1$I (%2$s) select %3$s from jsonb_populate_record(null::%1$I, $1) r', t,
      (select string_agg(format('%I', key), ', ') from jsonb_object_keys(made) key),
      (select string_agg(format('r.%I', key), ', ') from jsonb_object_keys(made) key)) using made;
  elsif a <> b then
    execute format('update %1$I r set %3$s from jsonb_populate_record(null::%1$I, $1) k, jsonb_populate_record(null::%1$I, $2) n where %2$s',
      t, same, (select string_agg(format('%1$I = n.%1$I', key), ', ') from jsonb_object_keys(a) key)) using k, a;
  end if;
  if w ? 'record' then perform set_config('berth.past', '', true); end if;
  if t = 'migration' and not w ? 'record' then perform follow_migration((k ->> 'id')::uuid, at); end if;
end $$;

-- A repair sets columns of any table except those of accounts and of the audit log.
create or replace function may_repair(t text) returns boolean language sql stable as $$
  select t !~ '^(auth_|_prisma|api_token|audit_entry)' and exists (
    select 1 from pg_tables where schemaname = current_schema() and tablename = t)
$$;

-- Sets what follows from the migration's state: when it ended, and whether its last step is still active.
create or replace function follow_migration(the_migration uuid, at timestamptz) returns void language plpgsql as $$
declare
  m migration;
begin
  update migration set updated_at = at, ended_at = case when outcome is not null then at end, requested_action = null, next_at = at
  where id = the_migration returning * into m;
  update migration_step s set
    ended_at = m.ended_at,
    result = case when m.ended_at is not null then 'failed' end,
    note = m.cause ->> 'message'
  where s.migration_id = the_migration and s.seq = m.seq;
end $$;

-- A repair changes only what Berth owns; another client releases its own consumers.
create or replace function check_owner(t text, r jsonb) returns void language plpgsql as $$
declare
  the_consumer constant uuid := case t
    when 'consumer' then (r ->> 'id')::uuid
    when 'claim' then (r ->> 'consumer_id')::uuid
    when 'allocation' then (r ->> 'consumer_id')::uuid
  end;
begin
  if the_consumer is null then return; end if;
  if exists (select 1 from consumer c where c.id = the_consumer and c.owner_kind <> 'berth') then
    perform raise_owner(the_consumer);
  end if;
end $$;

-- The columns named in `shown`, in the table's own text form.
create or replace function as_stored(t text, shown jsonb) returns jsonb language plpgsql stable as $$
declare
  whole jsonb;
begin
  if shown is null then return null; end if;
  execute format('select to_jsonb(jsonb_populate_record(null::%I, $1))', t) into whole using shown;
  return (select coalesce(jsonb_object_agg(key, whole -> key), '{}') from jsonb_object_keys(shown) key);
end $$;

-- A CPU's unit follows from the NUMA node that lists it, so the lost row of a claimed unit can be recreated.
create or replace function need_cpu(w jsonb) returns boolean language plpgsql as $$
declare
  the_host uuid;
  the_unit constant text := w -> 'key' ->> 'unit';
begin
  if w ->> 'table' <> 'unit_holding' or w ? 'record' or w -> 'after' is not distinct from 'null' or the_unit !~ '^cpu:[0-9]{1,6}$' then
    return false;
  end if;
  the_host := (w -> 'key' ->> 'host_id')::uuid;
  insert into unit (host_id, name, kind, cell)
    select n.host_id, the_unit, 'cpu', n.cell from numa_cell n
    where n.host_id = the_host and substr(the_unit, 5)::int = any (n.dedicated_cpus || n.shared_cpus)
    on conflict (host_id, name) do nothing;
  return found;
end $$;

-- A claim moved to another host still has units of the old one, so a deleted row is found by its claim.
create or replace function row_key(w jsonb) returns jsonb language sql stable as $$
  select case
    when w ->> 'table' = 'unit_holding' and not w ? 'record' then jsonb_build_object('unit_id', coalesce(
      (select h.unit_id from unit_holding h join unit u on u.id = h.unit_id
        where h.claim_id = (w -> 'before' ->> 'claim_id')::uuid and u.name = w -> 'key' ->> 'unit'
        order by u.host_id <> (w -> 'key' ->> 'host_id')::uuid limit 1),
      (select u.id from unit u where u.host_id = (w -> 'key' ->> 'host_id')::uuid and u.name = w -> 'key' ->> 'unit')))
    else w -> 'key'
  end
$$;

-- Defaults of a created row besides its key and the columns of the line.
create or replace function row_extras(t text, made jsonb, at timestamptz) returns jsonb language sql stable as $$
  select case t
    when 'claim' then jsonb_build_object('taken_at', at)
    when 'host_remain' then jsonb_build_object('since', at)
    when 'consumer' then jsonb_build_object('owner_kind', 'berth', 'project', coalesce(
      (select i.project from instance i where i.id = (made ->> 'id')::uuid),
      (select i.project from migration m join instance i on i.id = m.instance_id where m.id = (made ->> 'id')::uuid),
      ''))
    else '{}'
  end
$$;

-- Child providers may have inventories of new classes, and new traits.
create or replace function need_word(t text, made jsonb) returns void language plpgsql as $$
begin
  case t
    when 'inventory' then
      insert into resource_class (name) values (made ->> 'resource_class') on conflict do nothing;
    when 'provider_trait' then
      insert into trait (name) values (made ->> 'trait') on conflict do nothing;
    else null;
  end case;
end $$;
