-- The outbox relay.

-- Moves committed outbox rows to `event` and numbers them. A relay with nothing to do returns before locking
-- (docs/decisions/0021-events-are-numbered-by-a-relay.md): the lock alone costs a transaction id and a disk write. Its
-- one row is only a lock and a cache: when it is missing, or behind the numbered events, the events say where to
-- continue, because a duplicate number would stop the relay for good.
create or replace function relay_events(batch int) returns int language plpgsql as $$
declare
  given bigint;
  moved int;
begin
  perform 1 from relay r where r.last < 9007199254740991 and r.last >= last_sequence();
  if not found then
    insert into relay (id, last) values (1, last_sequence())
    on conflict (id) do update set last = excluded.last;
  end if;
  perform 1 from outbox order by id limit 1;
  if not found then return 0; end if;
  select r.last into given from relay r where r.id = 1 for update skip locked;
  if not found then return 0; end if;
  with
    gone as (delete from outbox where id in (select id from outbox order by id limit batch) returning *),
    numbered as (select row_number() over (order by id) as n, * from gone)
  insert into event (sequence, kind, hosts, instance_id, migration_id, data, raised, who, request, reason, at)
  -- A row older than the constraints must not block all that come after it.
  select given + n, kind, coalesce(hosts, '{}'), instance_id, migration_id,
    case when jsonb_typeof(data) = 'object' then data else '{}' end,
    case when jsonb_typeof(raised) = 'object' then raised else '{}' end,
    who, request, reason, case when isfinite(at) then at else now() end from numbered;
  get diagnostics moved = row_count;
  if moved > 0 then
    update relay set last = given + moved where id = 1;
    -- One notification per batch. Listeners that miss it poll.
    perform pg_notify('berth_events', (given + moved)::text);
  end if;
  return moved;
end $$;

-- The last assigned number. One beyond the clients' integer range was never assigned.
create or replace function last_sequence() returns bigint language sql stable as $$
  select greatest((select last from relay where last < 9007199254740991),
    (select max(sequence) from event where sequence < 9007199254740991), 0)
$$;

-- Times leave the database as ms since the epoch, an infinite one as null, for the reader to judge. Not strict: a
-- strict function with a case in it is not inlined.
create or replace function ms(t timestamptz) returns bigint language sql immutable parallel safe as $$
  select case when isfinite(t) then (extract(epoch from t) * 1000)::bigint end
$$;
