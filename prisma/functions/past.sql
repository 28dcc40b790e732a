-- Stores the old row when a row of the ledger is updated or deleted
-- (docs/decisions/0101-the-past-is-rows-that-ended.md).

-- The time of the change being applied; for writes without one, the transaction's.
create or replace function past_at() returns timestamptz language sql stable as $$
  select coalesce(nullif(current_setting('berth.at', true), '')::timestamptz, now())
$$;

-- A write that says since when stays as it is said.
create or replace function stamp_since() returns trigger language plpgsql as $$
begin
  if new.since is not distinct from old.since then new.since := past_at(); end if;
  return new;
end $$;

-- False while a repair rewrites an unreadable record: the old row cannot be read now, and could not be then.
create or replace function keeps_past() returns boolean language sql stable as $$
  select coalesce(current_setting('berth.past', true), '') <> 'off'
$$;

-- The changes of a batch, by consumers and claims whose rows they end: id → time. Empty outside of one.
create or replace function past_moments() returns jsonb language sql stable as $$
  select coalesce(nullif(current_setting('berth.moments', true), ''), '{}')::jsonb
$$;

create or replace function keep_past_claim() returns trigger language plpgsql as $$
declare
  moments constant jsonb := past_moments();
  otherwise constant timestamptz := past_at();
begin
  if not keeps_past() then return null; end if;
  insert into past_claim (claim_id, consumer_id, consumer_kind, instance_id, instance_name, host_id, taken_at, since, until)
  select g.id, g.consumer_id, g.consumer_kind, g.instance_id,
    coalesce((select i.name from instance i where i.id = g.instance_id), ''), g.host_id, g.taken_at, g.since, t.at
  from gone g, lateral (
    select coalesce((moments ->> g.consumer_id::text)::timestamptz, otherwise) as at offset 0) t
  where g.since < t.at;
  return null;
end $$;

create or replace function keep_past_cell() returns trigger language plpgsql as $$
declare
  moments constant jsonb := past_moments();
  otherwise constant timestamptz := past_at();
begin
  if not keeps_past() then return null; end if;
  insert into past_cell (claim_id, cell, since, until)
  select g.claim_id, to_jsonb(g) - 'claim_id' - 'since', g.since, t.at
  from gone g, lateral (
    select coalesce((moments ->> g.claim_id::text)::timestamptz, otherwise) as at offset 0) t
  where g.since < t.at;
  return null;
end $$;

create or replace function keep_past_unit() returns trigger language plpgsql as $$
declare
  moments constant jsonb := past_moments();
  otherwise constant timestamptz := past_at();
begin
  if not keeps_past() then return null; end if;
  insert into past_unit (claim_id, unit_id, use, request_id, since, until)
  select g.claim_id, g.unit_id, g.use, g.request_id, g.since, t.at
  from gone g, lateral (
    select coalesce((moments ->> g.claim_id::text)::timestamptz, otherwise) as at offset 0) t
  where g.since < t.at;
  return null;
end $$;

create or replace function keep_past_allocation() returns trigger language plpgsql as $$
declare
  moments constant jsonb := past_moments();
  otherwise constant timestamptz := past_at();
begin
  if not keeps_past() then return null; end if;
  insert into past_allocation (consumer_id, provider_id, resource_class, amount, since, until)
  select g.consumer_id, g.provider_id, g.resource_class, g.amount, g.since, t.at
  from gone g, lateral (
    select coalesce((moments ->> g.consumer_id::text)::timestamptz, otherwise) as at offset 0) t
  where g.since < t.at;
  return null;
end $$;

-- Created once: recreating a trigger waits for active writers, and blocks all others.
do $$
declare
  watched record;
begin
  for watched in
    select * from (values ('claim', 'keep_past_claim'), ('claim_cell', 'keep_past_cell'), ('unit_holding', 'keep_past_unit'),
      ('allocation', 'keep_past_allocation')) as watched (name, keep)
    where not exists (select from pg_trigger where tgrelid = to_regclass(name) and tgname = 'past_ended')
  loop
    execute format('create trigger stamp before update on %I for each row execute function stamp_since()', watched.name);
    execute format('create trigger past_changed after update on %I referencing old table as gone for each statement execute function %I()',
      watched.name, watched.keep);
    execute format('create trigger past_ended after delete on %I referencing old table as gone for each statement execute function %I()',
      watched.name, watched.keep);
  end loop;
end $$;
