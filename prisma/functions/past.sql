-- Stores the old row when a row of the ledger is updated or deleted
-- (docs/decisions/0101-the-past-is-stored-as-ended-rows.md).

-- The time of the change being applied; for writes without one, the transaction's.
create or replace function past_at() returns timestamptz language sql stable as $$
  select coalesce(nullif(current_setting('berth.at', true), '')::timestamptz, now())
$$;

-- Keeps an explicit start time.
create or replace function stamp_since() returns trigger language plpgsql as $$
begin
  if new.since is not distinct from old.since then new.since := past_at(); end if;
  return new;
end $$;

-- False while a repair rewrites an unreadable record, whose old row is as unreadable in the history.
create or replace function keeps_past() returns boolean language sql stable as $$
  select coalesce(current_setting('berth.past', true), '') <> 'off'
$$;

-- Within a batch: consumer or claim whose rows end → time of the change. Otherwise empty.
create or replace function past_moments() returns jsonb language sql stable as $$
  select coalesce(nullif(current_setting('berth.moments', true), ''), '{}')::jsonb
$$;

-- `subject` is the column that `past_moments` uses as key of a table.
do $$
declare
  kept record;
begin
  for kept in
    select * from (values
      ('claim', 'claim', 'consumer_id',
        'claim_id, consumer_id, consumer_kind, instance_id, instance_name, host_id, taken_at',
        'g.id, g.consumer_id, g.consumer_kind, g.instance_id,
          coalesce((select i.name from instance i where i.id = g.instance_id), ''''), g.host_id, g.taken_at'),
      ('claim_cell', 'cell', 'claim_id', 'claim_id, cell', 'g.claim_id, to_jsonb(g) - ''claim_id'' - ''since'''),
      ('unit_holding', 'unit', 'claim_id', 'claim_id, unit_id, use, request_id',
        'g.claim_id, g.unit_id, g.use, g.request_id'),
      ('allocation', 'allocation', 'consumer_id', 'consumer_id, provider_id, resource_class, amount',
        'g.consumer_id, g.provider_id, g.resource_class, g.amount')) as kept (held, past, subject, columns, cells)
  loop
    execute format($function$
      create or replace function keep_past_%1$s() returns trigger language plpgsql as $body$
      declare
        moments constant jsonb := past_moments();
        otherwise constant timestamptz := past_at();
      begin
        if not keeps_past() then return null; end if;
        insert into past_%1$s (%3$s, since, until)
        select %4$s, g.since, t.at
        from gone g, lateral (
          select coalesce((moments ->> g.%2$s::text)::timestamptz, otherwise) as at offset 0) t
        where g.since < t.at;
        return null;
      end $body$
    $function$, kept.past, kept.subject, kept.columns, kept.cells);
    -- Created once: recreating a trigger waits for active writers, and blocks all others.
    if exists (select from pg_trigger where tgrelid = to_regclass(kept.held) and tgname = 'past_ended') then continue; end if;
    execute format('create trigger stamp before update on %I for each row execute function stamp_since()', kept.held);
    execute format('create trigger past_changed after update on %I referencing old table as gone for each statement execute function keep_past_%s()',
      kept.held, kept.past);
    execute format('create trigger past_ended after delete on %I referencing old table as gone for each statement execute function keep_past_%s()',
      kept.held, kept.past);
  end loop;
end $$;
