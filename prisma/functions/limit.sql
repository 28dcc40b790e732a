-- The limit of migrations in flight in the fleet. A claim raises the generations of its hosts only, and two servers may
-- claim on different hosts at once, so the limit is checked when the claim commits.

-- IN_FLIGHT_STEPS in server/engine/migration/operations.ts.
create or replace function is_in_flight(step text) returns boolean language sql immutable parallel safe as $$
  select step in ('prepare', 'transfer', 'switch')
$$;

create or replace function count_in_flight() returns bigint language sql volatile as $$
  select count(*) from migration where outcome is null and is_in_flight(step)
$$;

-- Migrations in flight, for a transaction that makes this many more claims under the limit `most`. Other claims wait
-- or fit beside these until it ends; it must ask once, for all its claims. There are sixteen locks, the last ones that a
-- transaction takes. Far from the limit it takes a free one, and claims commit side by side: the sixteen transactions
-- cannot exceed the limit if each leaves it fifteen sixteenths. Near it, or if none is free, it takes all of them.
create or replace function count_before_claims(claims bigint, most bigint) returns bigint language plpgsql as $$
declare
  class constant int := 727075;
  places constant int := 16;
  counted bigint := count_in_flight();
begin
  if (counted + claims) * places <= most then
    begin
      for place in 1..places loop
        if pg_try_advisory_xact_lock(class, place) then
          counted := count_in_flight();
          if (counted + claims) * places <= most then return counted; end if;
          -- Claims that committed meanwhile brought the limit near. Ending the block by an error releases the lock: two
          -- transactions that each kept one would wait for each other.
          raise sqlstate 'BC002';
        end if;
      end loop;
    exception when sqlstate 'BC002' then null;
    end;
  end if;
  for place in 1..places loop
    perform pg_advisory_xact_lock(class, place);
  end loop;
  return count_in_flight();
end $$;

drop function if exists count_in_flight(bigint, bigint);
