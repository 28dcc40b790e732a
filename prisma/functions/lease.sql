-- Leases.

-- A lease holds until it expires. No lease is longer than a minute, so a later expiry was written by a wrong clock, or
-- by hand, and holds nothing. The second is for rounding. LONGEST_LEASE_MS in server/store/migration/lease.ts.
create or replace function lease_holds(until timestamptz, at timestamptz) returns boolean
language sql immutable strict parallel safe as $$
  select until > at and until <= at + interval '61 seconds'
$$;
