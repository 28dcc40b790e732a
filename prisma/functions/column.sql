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

-- A claim updates `generation` of a provider and `used` of inventories. PostgreSQL would parse every check of both tables for
-- each claim, although no other column changes, so their other checks are declared as not enforced, where PostgreSQL can (18),
-- and a trigger of the same name enforces each one when a column of it is written.
create or replace function raise_check() returns trigger language plpgsql as $$
begin
  raise exception 'new row for relation "%" violates check constraint "%"', tg_table_name, tg_name
    using errcode = 'check_violation', schema = tg_table_schema, table = tg_table_name, constraint = tg_name;
end $$;

do $$
declare
  rule record;
begin
  if current_setting('server_version_num')::int < 180000 then return; end if;
  for rule in
    select c.conrelid::regclass as of, c.conname as name, k.columns, pg_get_expr(c.conbin, c.conrelid) as test,
      regexp_replace(pg_get_expr(c.conbin, c.conrelid), '\m(' || array_to_string(k.columns, '|') || ')\M', 'new.\1', 'g') as new,
      obj_description(c.oid, 'pg_constraint') as says
    from pg_constraint c
    cross join lateral (
      select array_agg(a.attname::text) as columns from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any(c.conkey)) k
    where c.contype = 'c' and c.conenforced and c.conrelid in ('inventory'::regclass, 'resource_provider'::regclass)
      and not k.columns && '{generation,used}'
  loop
    execute format('alter table %s drop constraint %I, add constraint %2$I check (%s) not enforced', rule.of, rule.name, rule.test);
    execute format('comment on constraint %I on %s is %L', rule.name, rule.of, rule.says);
    execute format('create trigger %I after insert or update of %s on %s for each row when (not (%s)) execute function raise_check()',
      rule.name, array_to_string(rule.columns, ', '), rule.of, rule.new);
  end loop;
end $$;
