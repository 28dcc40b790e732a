-- The outbox relay.

-- Moves committed outbox rows to `event` and numbers them. A relay that finds nothing leaves before it locks
-- (docs/decisions/0166-the-relay-rests.md): the lock alone costs a transaction id and a disk write.
-- Its one row is only a lock and a memory: when it is missing, or behind what was numbered, the events say where to go
-- on, because a number that is given twice would stop the relay for good.
create or replace function relay_events(batch int) returns int language plpgsql as $$
declare
  given bigint;
  moved int;
begin
  perform 1 from relay r where r.last >= coalesce((select max(sequence) from event), 0);
  if not found then
    insert into relay (id, last) values (1, last_sequence())
    on conflict (id) do update set last = greatest(relay.last, excluded.last);
  end if;
  perform 1 from outbox order by id limit 1;
  if not found then return 0; end if;
  select r.last into given from relay r where r.id = 1 for update skip locked;
  if not found then return 0; end if;
  with
    gone as (delete from outbox where id in (select id from outbox order by id limit batch) returning *),
    numbered as (select row_number() over (order by id) as n, * from gone)
  insert into event (sequence, kind, hosts, instance_id, migration_id, data, raised, who, request, reason, at)
  select given + n, kind, hosts, instance_id, migration_id, data, raised, who, request, reason, at from numbered;
  get diagnostics moved = row_count;
  if moved > 0 then
    update relay set last = given + moved where id = 1;
    -- One hint per batch. Those who miss it poll.
    perform pg_notify('berth_events', (given + moved)::text);
  end if;
  return moved;
end $$;

-- The last number that was given.
create or replace function last_sequence() returns bigint language sql stable as $$
  select greatest((select last from relay), (select max(sequence) from event), 0)
$$;

-- Times leave the database as ms since the epoch.
create or replace function ms(t timestamptz) returns bigint language sql immutable strict parallel safe as $$
  select (extract(epoch from t) * 1000)::bigint
$$;
