-- A row is found by its key. `is not distinct from` reads a whole table for each line, because no index serves it: on a
-- fleet of 1 500 hosts a reshape of one took seconds, while claims waited for the host.
create or replace function write_row(w jsonb, at timestamptz) returns void language plpgsql as $$
declare
  t constant text := w ->> 'table';
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
  if t not in ('consumer', 'claim', 'allocation', 'claim_cell', 'unit_holding', 'instance', 'host_remain', 'host',
    'resource_provider', 'inventory', 'provider_trait', 'unit', 'layout_marker', 'layout_wave') then
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
    perform need_word(t, made);
    execute format('insert into %1$I (%2$s) select %3$s from jsonb_populate_record(null::%1$I, $1) r', t,
      (select string_agg(format('%I', key), ', ') from jsonb_object_keys(made) key),
      (select string_agg(format('r.%I', key), ', ') from jsonb_object_keys(made) key)) using made;
  elsif a <> b then
    execute format('update %1$I r set %3$s from jsonb_populate_record(null::%1$I, $1) k, jsonb_populate_record(null::%1$I, $2) n where %2$s',
      t, same, (select string_agg(format('%1$I = n.%1$I', key), ', ') from jsonb_object_keys(a) key)) using k, a;
  end if;
end $$;
