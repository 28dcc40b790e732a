-- Constraints of every column by its type, each as a separate check. A column without one, from any migration, gets it
-- at the next start, as NOT VALID (server/boot/migrate.ts validates it). A check costs time by its length in every
-- statement (20261128010000_short_checks), so a range is written as a bit shift.

-- Whether it maps ids of providers to whole numbers, in `raised` of the outbox. Without digits, ids and separators only an
-- empty object is left. Parsing the call costs PostgreSQL less than parsing an expression, and no regular expression is
-- as fast.
create or replace function are_generations(raised jsonb) returns boolean language plpgsql immutable as $$
begin
  return translate(
    replace(translate(raised::text, '123456789abcdef', '000000000000000'), '"00000000-0000-0000-0000-000000000000": ', ''),
    '0, ', '') = '{}';
end $$;

do $$
declare
  missing record;
begin
  for missing in
    select c.oid::regclass as of, r.name, format(r.test, a.attname) as test, r.says
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type y on y.oid = a.atttypid
    cross join lateral (values
      (y.typname = 'timestamptz', 'finite', 'isfinite(%I)', 'expected a finite time'),
      (y.typname = 'int8', 'whole', '(%I >> 53) = 0', 'expected a whole number from 0 to 2^53 − 1'),
      (y.typcategory = 'A', 'list', '%I is not null', 'expected a list')) as k (applies, suffix, test, says)
    cross join lateral (
      select format('%s_%s_%s', c.relname, a.attname, k.suffix)::name as name, k.test, k.says) r
    where k.applies and c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
      and c.relname <> '_prisma_migrations'
      -- Enforced by a foreign key; and a wrong count must not prevent a release (`recount_used`).
      and (c.relname, a.attname) not in (('unit', 'parent_id'), ('unit_holding', 'unit_id'), ('inventory', 'used'))
    union all
    select t::regclass, t || '_name_said', $test$name <> ''$test$, 'expected a name'
    from unnest('{flavor,host,instance,instance_group,pci_alias,resource_class,resource_provider,setting,trait}'::text[]) t
    union all
    select 'outbox', 'outbox_raised_shape', 'are_generations(raised)', 'expected generations by id of a provider'
  loop
    if exists (select from pg_constraint where conrelid = missing.of and conname = missing.name) then continue; end if;
    execute format('alter table %s add constraint %I check (%s) not valid', missing.of, missing.name, missing.test);
    execute format('comment on constraint %I on %s is %L', missing.name, missing.of, missing.says);
  end loop;
end $$;

-- Ids of events and audit entries stay in the integer range of clients.
do $$
declare
  numbers record;
begin
  for numbers in
    select schemaname, sequencename from pg_sequences
    where schemaname = current_schema() and sequencename in ('outbox_id_seq', 'audit_entry_id_seq')
      and max_value > 9007199254740991 and coalesce(last_value, 0) <= 9007199254740991
  loop
    execute format('alter sequence %I.%I maxvalue 9007199254740991', numbers.schemaname, numbers.sequencename);
  end loop;
end $$;

-- PostgreSQL parses all checks of a table in every statement that writes to it, and copies all its triggers and their
-- conditions. For a claim that arrives alone the checks were a fifth of its function, so on the tables that a claim writes
-- they are declared as not enforced, where PostgreSQL can (18), and one trigger per table enforces them:
--   inventory, resource_provider: when a column of a check changes. A claim changes `used` and `generation` alone.
--   the others: for every row, except those of `apply_allocations`, which cannot violate one.
do $$
declare
  rule record;
begin
  if current_setting('server_version_num')::int < 180000 then return; end if;
  for rule in
    select c.conrelid::regclass as of, c.conname as name, pg_get_expr(c.conbin, c.conrelid) as test,
      obj_description(c.oid, 'pg_constraint') as says
    from pg_constraint c
    where c.contype = 'c' and c.conenforced
      and c.conrelid::regclass::text in ('inventory', 'resource_provider', 'allocation', 'consumer', 'outbox', 'audit_entry')
      and not exists (
        select from pg_attribute a
        where a.attrelid = c.conrelid and a.attnum = any(c.conkey)
          and (a.attrelid::regclass::text, a.attname) in (('inventory', 'used'), ('resource_provider', 'generation')))
  loop
    execute format('alter table %s drop constraint %I, add constraint %2$I check (%s) not enforced', rule.of, rule.name, rule.test);
    execute format('comment on constraint %I on %s is %L', rule.name, rule.of, rule.says);
  end loop;
  -- An earlier version had one trigger for each check.
  for rule in
    select t.tgrelid::regclass as of, t.tgname as name from pg_trigger t
    join pg_constraint c on c.conrelid = t.tgrelid and c.conname = t.tgname and c.contype = 'c' and not c.conenforced
  loop
    execute format('drop trigger %I on %s', rule.name, rule.of);
  end loop;
  for rule in
    with
      checked as (
        select c.conrelid, c.conname, k.columns,
          regexp_replace(pg_get_expr(c.conbin, c.conrelid), '\m(' || array_to_string(k.columns, '|') || ')\M', 'new.\1', 'g') as test
        from pg_constraint c
        cross join lateral (
          select array_agg(quote_ident(a.attname)) as columns from pg_attribute a
          where a.attrelid = c.conrelid and a.attnum = any(c.conkey)) k
        where c.contype = 'c' and not c.conenforced),
      of_table as (
        select conrelid, string_agg(format(
          e'\n    when (tg_op = ''INSERT'' or (new.%s) is distinct from (old.%s)) and not (%s) then %L',
          array_to_string(columns, ', new.'), array_to_string(columns, ', old.'), test, conname), '' order by conname) as cases
        from checked group by conrelid)
    select o.conrelid::regclass as of, o.cases, c.columns, c.columns is distinct from t.columns as is_new,
      case when o.conrelid::regclass::text not in ('inventory', 'resource_provider')
        then $c$when (current_setting('berth.checks', true) is distinct from 'kept')$c$ end as condition
    from of_table o
    cross join lateral (
      select array_agg(distinct n order by n) as columns from checked c, unnest(c.columns) n where c.conrelid = o.conrelid) c
    cross join lateral (
      select array_agg(quote_ident(a.attname) order by 1) as columns from pg_trigger t
      join pg_attribute a on a.attrelid = t.tgrelid and a.attnum = any(t.tgattr)
      where t.tgrelid = o.conrelid and t.tgname = 'checks_enforced') t
  loop
    execute format($f$
create or replace function %I() returns trigger language plpgsql as $g$
declare
  violated constant text := case %s end;
begin
  if violated is null then return null; end if;
  raise exception 'new row for relation "%%" violates check constraint "%%"', tg_table_name, violated
    using errcode = 'check_violation', schema = tg_table_schema, table = tg_table_name, constraint = violated;
end $g$ $f$, 'enforce_checks_of_' || rule.of, rule.cases);
    if rule.is_new then
      execute format('drop trigger if exists checks_enforced on %s', rule.of);
      execute format('create trigger checks_enforced after insert or update of %s on %s for each row %s execute function %I()',
        array_to_string(rule.columns, ', '), rule.of, rule.condition, 'enforce_checks_of_' || rule.of);
    end if;
  end loop;
end $$;
