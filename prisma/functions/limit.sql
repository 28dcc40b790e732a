-- The limit of migrations in flight in the fleet. A claim raises the generations of its hosts only, and two servers may
-- claim on different hosts at once, so the limit is checked when the claim commits.

-- IN_FLIGHT_STEPS in server/engine/migration/operations.ts.
create or replace function is_in_flight(step text) returns boolean language sql immutable parallel safe as $$
  select step in ('prepare', 'transfer', 'switch')
$$;

-- Migrations in flight, for a transaction that makes this many more claims under the limit `most`. Far from the limit,
-- claims commit side by side: sixteen transactions at once cannot exceed it if each leaves it fifteen sixteenths. Near
-- it, one transaction at a time counts and commits. The lock is the last one that a transaction takes.
create or replace function count_in_flight(claims bigint, most bigint) returns bigint language plpgsql as $$
declare
  lock constant int := 727075;
  counted bigint;
begin
  select count(*) into counted from migration where outcome is null and is_in_flight(step);
  if (counted + claims) * 16 <= most then
    perform pg_advisory_xact_lock_shared(lock);
    select count(*) into counted from migration where outcome is null and is_in_flight(step);
  end if;
  if (counted + claims) * 16 > most then
    perform pg_advisory_xact_lock(lock);
    select count(*) into counted from migration where outcome is null and is_in_flight(step);
  end if;
  return counted;
end $$;
