-- The simulated fleet's own table.

-- Writes all records, or none when one of them changed since it was read. Version 0 is a record not written yet. Rows
-- are locked in one order; the insert decides between two first writers of a row.
create or replace function write_simulator(records jsonb) returns boolean language plpgsql as $$
declare
  written bigint;
begin
  perform 1
  from simulator_record r
  join jsonb_to_recordset(records) as w(kind text, key uuid) on r.kind = w.kind and r.key = w.key
  order by r.kind, r.key
  for update of r;

  if exists (
    select 1
    from jsonb_to_recordset(records) as w(kind text, key uuid, version bigint)
    left join simulator_record r on r.kind = w.kind and r.key = w.key
    where coalesce(r.version, 0) <> w.version
  ) then
    return false;
  end if;

  insert into simulator_record as r (kind, key, version, hosts, record)
  select w.kind, w.key, w.version + 1, w.hosts, w.record
  from jsonb_to_recordset(records) as w(kind text, key uuid, version bigint, hosts uuid[], record jsonb)
  order by w.kind, w.key
  on conflict (kind, key) do update
    set version = excluded.version, hosts = excluded.hosts, record = excluded.record
    where r.version = excluded.version - 1;
  get diagnostics written = row_count;
  if written <> jsonb_array_length(records) then
    raise exception 'a simulator record was written meanwhile' using errcode = 'serialization_failure';
  end if;
  return true;
end $$;
