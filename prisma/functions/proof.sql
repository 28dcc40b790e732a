-- What must hold of the rows themselves before a claim is given back, exchanged or struck from a list: who lives where,
-- and whose claim it is. Raises a conflict on `law`, so nothing of the change is written. server/engine/proof/writes.ts
-- says the same for the simulation.

create or replace function raise_law(id text, expected text, seen text) returns void language sql as $$
  select raise_conflict('law', id, expected, seen)
$$;

-- Before `release_consumer`: what is given back is the consumer's own, and does not cover a guest. Rows of consumers that
-- have no claim are nobody's guest.
create or replace function prove_release(who uuid) returns void language plpgsql as $$
declare
  k claim;
  m migration;
  i instance;
begin
  for k in select * from claim where consumer_id = who loop
    if k.consumer_kind = 'migration' then
      select * into m from migration where id = who;
      select * into i from instance where id = k.instance_id;
      if m.id is null or m.instance_id <> k.instance_id then
        perform raise_law(who::text, 'a migration of the claim''s instance', m.instance_id::text);
      end if;
      if k.host_id is distinct from (case m.home when 'source' then m.target else m.source end) then
        perform raise_law(who::text, 'a claim on the side that is left', 'a claim on ' || k.host_id);
      end if;
      if i.host_id is not null and not exists (
        select 1 from claim o where o.consumer_id = i.id and o.host_id = i.host_id and o.instance_id = i.id
      ) then
        perform raise_law(who::text, 'a claim of the instance where it lives', 'none on ' || i.host_id);
      end if;
    else
      select * into i from instance where id = who;
      if k.instance_id <> who or i.host_id is distinct from k.host_id then
        perform raise_law(who::text, 'a claim where the instance lives', 'a claim on ' || k.host_id);
      end if;
    end if;
  end loop;
end $$;

-- Before the rows are swapped: once they are, each holds its side of this very migration.
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
        (case (k.consumer_id = other) = (m.heading = 'target') when true then m.target else m.source end)
    then
      perform raise_law(other::text, 'claims of both sides of this migration', 'a claim on ' || k.host_id);
    end if;
  end loop;
  if (case m.heading when 'target' then m.source else m.target end) is not null
    and not exists (select 1 from claim where consumer_id = one) then
    perform raise_law(other::text, 'a claim to exchange', 'none');
  end if;
end $$;

-- Before a leftover is struck from the list of a host: of an instance that lives there nothing was left.
create or replace function prove_leftover(the_host uuid, the_instance uuid, the_migration uuid) returns void
language plpgsql as $$
begin
  if exists (select 1 from instance i where i.id = the_instance and i.host_id = the_host)
    and not exists (select 1 from migration m where m.id = the_migration and m.source = m.target and m.outcome is not null)
  then
    perform raise_law(the_instance::text, 'an instance that lives elsewhere', the_host::text);
  end if;
end $$;
