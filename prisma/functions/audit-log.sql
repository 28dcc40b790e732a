-- The audit log is append-only. The owner of the database can drop the trigger; the chain of seals then reveals the
-- changes (server/store/audit-log/seal.ts).

create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('berth.audit_retention', true) = 'on' then return old; end if;
  raise exception '% is append-only: no row of it is changed or removed', tg_table_name
    using hint = 'Entries that are older than the retention are removed by `npm run audit-log -- prune`.';
end $$;

do $$
declare
  t text;
begin
  foreach t in array '{audit_entry,audit_seal}'::text[] loop
    if exists (select from pg_trigger where tgrelid = to_regclass(t) and tgname = 'append_only') then continue; end if;
    execute format('create trigger append_only before update or delete on %I for each row execute function refuse_audit_change()', t);
    execute format('create trigger append_only_whole before truncate on %I for each statement execute function refuse_audit_change()', t);
  end loop;
end $$;

-- Columns are listed explicitly: one that is added later is in no earlier seal.
create or replace function audit_digest(first_id bigint, last_id bigint, previous text) returns text
language sql stable set timezone = 'UTC' as $$
  select encode(sha256(convert_to(previous || coalesce(string_agg(jsonb_build_array(id, at, who, request, reason, action, hosts,
    instance_id, migration_id, data, origin)::text, E'\n' order by id), ''), 'UTF8')), 'hex')
  from audit_entry where id between first_id and last_id
$$;
