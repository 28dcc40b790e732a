-- Checks rows before a claim is released or exchanged, or a leftover is deleted: where the instance is, and whose claim
-- it is. Raises a conflict on `law`, so nothing of the change is written. server/engine/proof/writes.ts is the same
-- check for the simulation.

create or replace function raise_law(id text, expected text, seen text) returns void language sql as $$
  select raise_conflict('law', id, expected, seen)
$$;

-- Before `release_consumers`: the released rows are the consumer's own, and do not cover an instance. Rows of consumers
-- without a claim belong to no instance.
create or replace function prove_release(who uuid[]) returns void language plpgsql as $$
declare
  bad record;
begin
  select k.*, m.id as migration, m.instance_id as moved, m.left_host, i.host_id as home into bad
  from claim k
  left join lateral (
    select id, instance_id, case home when 'source' then target else source end as left_host
    from migration where id = k.consumer_id and k.consumer_kind = 'migration' offset 0) m on true
  left join lateral (
    select id, host_id from instance
    where id = case k.consumer_kind when 'migration' then k.instance_id else k.consumer_id end offset 0) i on true
  where k.consumer_id = any(who) and case
    when k.consumer_kind <> 'migration' then k.instance_id <> k.consumer_id or i.host_id is distinct from k.host_id
    else m.id is null or m.instance_id <> k.instance_id or k.host_id is distinct from m.left_host
      or i.host_id is not null and not exists (
        select 1 from claim o where o.consumer_id = i.id and o.host_id = i.host_id and o.instance_id = i.id offset 0)
    end
  limit 1;
  if bad.id is null then return; end if;
  if bad.consumer_kind <> 'migration' then
    perform raise_law(bad.consumer_id::text, 'a claim where the instance lives', 'a claim on ' || bad.host_id);
  elsif bad.migration is null or bad.moved <> bad.instance_id then
    perform raise_law(bad.consumer_id::text, 'a migration of the claim''s instance', bad.moved::text);
  elsif bad.host_id is distinct from bad.left_host then
    perform raise_law(bad.consumer_id::text, 'a claim on the side that is left', 'a claim on ' || bad.host_id);
  else
    perform raise_law(bad.consumer_id::text, 'a claim of the instance where it lives', 'none on ' || bad.home);
  end if;
end $$;

-- Before the rows are swapped: afterwards each must hold its side of this migration.
create or replace function prove_exchange(one uuid, other uuid) returns void language plpgsql as $$
declare
  m migration;
  k claim;
begin
  select * into m from migration where id = other;
  if m.id is null or m.instance_id <> one or m.outcome is not null then
    perform raise_law(other::text, 'a migration of this instance under way', m.instance_id::text);
  end if;
  for k in select * from claim where consumer_id in (one, other) loop
    if k.instance_id <> one
      or k.consumer_kind <> (case k.consumer_id when one then 'instance' else 'migration' end)
      or k.host_id is distinct from
        (case (k.consumer_id = other) = (m.direction = 'target') when true then m.target else m.source end)
    then
      perform raise_law(other::text, 'claims of both sides of this migration', 'a claim on ' || k.host_id);
    end if;
  end loop;
  if (case m.direction when 'target' then m.source else m.target end) is not null
    and not exists (select 1 from claim where consumer_id = one) then
    perform raise_law(other::text, 'a claim to exchange', 'none');
  end if;
end $$;

-- Before a leftover is deleted: an instance that is recorded on the host has no leftovers there.
create or replace function prove_leftover(the_host uuid, the_instance uuid, the_migration uuid) returns void
language plpgsql as $$
begin
  if exists (select 1 from instance i where i.id = the_instance and i.host_id = the_host)
    and not exists (select 1 from migration m where m.id = the_migration and m.source = m.target and m.outcome is not null)
  then
    perform raise_law(the_instance::text, 'an instance that lives elsewhere', the_host::text);
  end if;
end $$;
