-- The relay: moves committed outbox rows to the public event table and numbers them there. Whoever holds the one row
-- of `relay` is the relay for that moment; the others see it locked and do nothing, so any server may run it.
--
-- The rows are read by a statement of their own, after the lock: its snapshot then holds all that earlier relays left
-- behind. A row that commits later than its neighbours is found by a later call and gets a later number.
create function relay_events(batch int) returns int language plpgsql as $$
declare
  given bigint;
  moved int;
begin
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
