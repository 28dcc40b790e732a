-- Takes, releases and exchanges claims, for one consumer (`apply_change`) or for the independent consumers of a batch
-- (`commit_together`). `at`: the time of each change, for the history.

-- [{ at, claim, consumer, kind, instance, host, amounts, cells, units, devices }, …]: all that one consumer holds on one
-- host each. A claim is stored whole or not at all.
create or replace function take_claims(ws jsonb) returns void language plpgsql
-- The few named inventories are looked up by key, whatever sizes the tables had when the plan was made.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set berth.used = 'kept' as $$
declare
  unowned bigint;
  missing bigint;
  short uuid;
begin
  with
    t as materialized (
      select (w ->> 'at')::timestamptz as at, (w ->> 'claim')::uuid as claim, (w ->> 'consumer')::uuid as consumer,
        w ->> 'kind' as kind, (w ->> 'instance')::uuid as instance, (w ->> 'host')::uuid as host, w
      from jsonb_array_elements(ws) w
    ),
    c as (
      insert into consumer (id, type, project, owner_kind)
      select consumer, upper(kind), coalesce((select i.project from instance i where i.id = t.instance), ''), 'berth' from t
      on conflict (id) do update set generation = consumer.generation + 1 where consumer.owner_kind = 'berth'
      returning 1
    ),
    cl as (
      insert into claim (id, consumer_id, consumer_kind, instance_id, host_id, taken_at, since)
      select claim, consumer, kind, instance, host, at, at from t
    ),
    al as (
      insert into allocation (consumer_id, provider_id, resource_class, amount, since)
      select consumer, (a ->> 0)::uuid, a ->> 1, (a ->> 2)::bigint, at from t, jsonb_array_elements(w -> 'amounts') a
    ),
    -- I1, enforced by the database: what is taken fits beside all current holdings once the row is locked.
    wanted as (
      select (a ->> 0)::uuid as provider, a ->> 1 as class, sum((a ->> 2)::bigint) as amount
      from t, jsonb_array_elements(w -> 'amounts') a group by 1, 2
    ),
    us as (
      update inventory i set used = i.used + n.amount from wanted n
      where i.provider_id = n.provider and i.resource_class = n.class
        and i.used + n.amount <= (i.total - i.reserved) * ratio_of(i.allocation_ratio_milli, i.allocation_ratio)
      returning i.provider_id, i.resource_class
    ),
    ce as (
      insert into claim_cell (claim_id, guest_cell, host_cell, memory_mib, page_kib, shared_vcpus, pins, reserved_cpus,
        cpu_policy, thread_policy, reserved_shares_core, since)
      select claim, (x ->> 0)::int, (x ->> 1)::int, (x ->> 2)::bigint, (x ->> 3)::int, (x ->> 4)::int[], x -> 5,
        (x ->> 6)::int[], x ->> 7, x ->> 8, (x ->> 9)::boolean, at
      from t, jsonb_array_elements(w -> 'cells') x
    ),
    un as (
      insert into unit_holding (unit_id, claim_id, use, request_id, since)
      select u.id, claim, x ->> 1, x ->> 2, at
      from t, jsonb_array_elements(w -> 'units') x,
        -- One look-up per named unit. A plain join reads all units of the host: the planner cannot know how few are
        -- named.
        lateral (
          select f.id from unit f where f.host_id = t.host and f.name = x ->> 0 and f.state = 'present' offset 0
        ) u
      returning 1
    )
  select count(*) - (select count(*) from c), sum(jsonb_array_length(w -> 'units')) - (select count(*) from un),
    (select n.provider from wanted n where not exists (
      select 1 from us where us.provider_id = n.provider and us.resource_class = n.class) limit 1)
  into unowned, missing, short from t;
  if short is not null then
    perform raise_conflict('provider', short::text, 'room for all that is taken', 'less');
  end if;
  if unowned > 0 then
    perform raise_owner((w ->> 'consumer')::uuid) from jsonb_array_elements(ws) w
    join consumer c on c.id = (w ->> 'consumer')::uuid and c.owner_kind <> 'berth';
  end if;
  if missing > 0 then
    perform raise_conflict('unit', x ->> 0, 'on the host', 'gone')
    from jsonb_array_elements(ws) w, jsonb_array_elements(w -> 'units') x
    where not exists (
      select 1 from unit u where u.host_id = (w ->> 'host')::uuid and u.name = x ->> 0 and u.state = 'present');
  end if;
  perform take_children((w ->> 'claim')::uuid, (w ->> 'at')::timestamptz)
  from jsonb_array_elements(ws) w where (w ->> 'devices')::boolean;
end $$;

-- A claim of a PF or a GPU holds all its child units, whether or not the plan names them, so that a held child also
-- blocks a claim of its parent.
create or replace function take_children(the_claim uuid, at timestamptz) returns void language sql as $$
  with recursive down as (
    -- One look-up per held unit: a plain join reads all existing units, because few have a parent.
    select u.id from unit_holding h, lateral (select f.id from unit f where f.parent_id = h.unit_id offset 0) u
    where h.claim_id = the_claim
    union
    select u.id from down d, lateral (select f.id from unit f where f.parent_id = d.id offset 0) u
  )
  insert into unit_holding (unit_id, claim_id, use, since)
  select d.id, the_claim, 'with-parent', at from down d
  where not exists (select 1 from unit_holding h where h.unit_id = d.id and h.claim_id = the_claim)
$$;

-- Another client owns the allocations of its consumer: Berth neither adds to nor removes from them.
create or replace function raise_owner(the_consumer uuid) returns void language plpgsql as $$
begin
  perform raise_conflict('owner', the_consumer::text, 'Berth', (
    select case when c.owner_kind = 'unknown' then 'another client' else c.owner_kind || ' ' || c.owner_name end
    from consumer c where c.id = the_consumer));
end $$;

-- Returns the hosts and providers where something was released. Skips what another client owns.
create or replace function release_consumers(who uuid[]) returns uuid[] language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set berth.used = 'kept' as $$
declare
  touched uuid[];
  hosts uuid[];
begin
  perform prove_release(who);
  with
    gone as (
      delete from allocation where consumer_id = any(who)
        and exists (select 1 from consumer c where c.id = allocation.consumer_id and c.owner_kind = 'berth' offset 0)
      returning provider_id, resource_class, amount),
    given_back as (
      update inventory i set used = i.used - g.amount
      from (select provider_id, resource_class, sum(amount) as amount from gone group by 1, 2) g
      where i.provider_id = g.provider_id and i.resource_class = g.resource_class)
  select coalesce(array_agg(distinct provider_id), '{}') into touched from gone;
  with gone as (delete from claim where consumer_id = any(who) returning host_id)
  select coalesce(array_agg(host_id), '{}') into hosts from gone;
  delete from consumer where id = any(who) and owner_kind = 'berth';
  return touched || hosts;
end $$;

-- [[one, other, kept, at], …]: instance and migration swap what they hold (L2). A second call reverts it. Returns as
-- `release_consumers` does. `kept` [[provider, class], …]: allocations of storage that both sides share stay with the
-- instance, row for row.
create or replace function exchange_claims(pairs jsonb) returns uuid[] language plpgsql
set berth.used = 'kept' as $$
declare
  touched uuid[];
  hosts uuid[];
  sides constant uuid[] := array(
    select unnest(array[(p ->> 0)::uuid, (p ->> 1)::uuid]) from jsonb_array_elements(pairs) p);
  bad uuid;
begin
  perform prove_exchange((p ->> 0)::uuid, (p ->> 1)::uuid) from jsonb_array_elements(pairs) p;
  insert into consumer (id, type, project, owner_kind)
  select s.id, s.type, coalesce((select i.project from instance i where i.id = (p ->> 0)::uuid), ''), 'berth'
  from jsonb_array_elements(pairs) p,
    lateral (values ((p ->> 0)::uuid, 'INSTANCE'), ((p ->> 1)::uuid, 'MIGRATION')) as s (id, type)
  on conflict (id) do update set generation = consumer.generation + 1 where consumer.owner_kind = 'berth';
  select id into bad from consumer where id = any(sides) and owner_kind <> 'berth' limit 1;
  if bad is not null then perform raise_owner(bad); end if;
  perform raise_conflict('instance', p ->> 0, 'its allocations at shared storage', 'others')
  from jsonb_array_elements(pairs) p where jsonb_array_length(p -> 2) <> (
    select count(*) from allocation a, jsonb_array_elements(p -> 2) k
    where a.consumer_id = (p ->> 0)::uuid and a.provider_id = (k ->> 0)::uuid and a.resource_class = k ->> 1);
  with
    turned as (
      select s.* from jsonb_array_elements(pairs) p, lateral (
        values ((p ->> 0)::uuid, (p ->> 1)::uuid, p -> 2, (p ->> 3)::timestamptz),
          ((p ->> 1)::uuid, (p ->> 0)::uuid, '[]', (p ->> 3)::timestamptz)) as s (was, now, kept, at)),
    swapped as (
      update allocation a set consumer_id = t.now, since = t.at from turned t
      where a.consumer_id = t.was and not exists (
        select 1 from jsonb_array_elements(t.kept) k
        where (k ->> 0)::uuid = a.provider_id and k ->> 1 = a.resource_class)
      returning provider_id)
  select coalesce(array_agg(distinct provider_id), '{}') into touched from swapped;
  with
    turned as (
      select s.* from jsonb_array_elements(pairs) p, lateral (
        values ((p ->> 0)::uuid, (p ->> 1)::uuid, (p ->> 3)::timestamptz),
          ((p ->> 1)::uuid, (p ->> 0)::uuid, (p ->> 3)::timestamptz)) as s (was, now, at)),
    swapped as (
      update claim c set
        consumer_id = t.now,
        consumer_kind = case consumer_kind when 'instance' then 'migration' else 'instance' end,
        since = t.at
      from turned t where c.consumer_id = t.was
      returning host_id
    )
  select coalesce(array_agg(host_id), '{}') into hosts from swapped;
  delete from consumer c where c.id = any(sides)
    and not exists (select 1 from allocation a where a.consumer_id = c.id offset 0)
    and not exists (select 1 from claim k where k.consumer_id = c.id offset 0);
  return touched || hosts;
end $$;
