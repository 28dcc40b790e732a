-- Claims: taking, releasing, exchanging. Called by `apply_change`.

-- All that one consumer holds on one host, in one statement: a claim is stored whole or not at all.
create or replace function take_claim(w jsonb, at timestamptz) returns void language plpgsql as $$
declare
  the_claim constant uuid := w ->> 'claim';
  the_consumer constant uuid := w ->> 'consumer';
  the_kind constant text := w ->> 'kind';
  the_host constant uuid := w ->> 'host';
  the_instance constant uuid := w ->> 'instance';
  wanted constant int := jsonb_array_length(w -> 'units');
  taken int;
  owned int;
begin
  with
    c as (
      insert into consumer (id, type, project, owner_kind)
      values (the_consumer, upper(the_kind), coalesce((select i.project from instance i where i.id = the_instance), ''),
        'berth')
      on conflict (id) do update set generation = consumer.generation + 1 where consumer.owner_kind = 'berth'
      returning 1
    ),
    cl as (
      insert into claim (id, consumer_id, consumer_kind, instance_id, host_id, taken_at)
      values (the_claim, the_consumer, the_kind, the_instance, the_host, at)
    ),
    al as (
      insert into allocation (consumer_id, provider_id, resource_class, amount)
      select the_consumer, (a ->> 0)::uuid, a ->> 1, (a ->> 2)::bigint from jsonb_array_elements(w -> 'amounts') a
    ),
    ce as (
      insert into claim_cell (claim_id, guest_cell, host_cell, memory_mib, page_kib, shared_vcpus, pins, reserved_cpus,
        cpu_policy, thread_policy, reserved_shares_core)
      select the_claim, (x ->> 0)::int, (x ->> 1)::int, (x ->> 2)::bigint, (x ->> 3)::int, (x ->> 4)::int[], x -> 5,
        (x ->> 6)::int[], x ->> 7, x ->> 8, (x ->> 9)::boolean
      from jsonb_array_elements(w -> 'cells') x
    ),
    un as (
      insert into unit_holding (unit_id, claim_id, use, request_id)
      select u.id, the_claim, x ->> 1, x ->> 2
      from jsonb_array_elements(w -> 'units') x,
        -- One look-up per unit named. A plain join reads all units of the host: nothing tells the planner how few
        -- are named.
        lateral (
          select f.id from unit f where f.host_id = the_host and f.name = x ->> 0 and f.state = 'present' offset 0
        ) u
      returning 1
    )
  select count(*), (select count(*) from c) into taken, owned from un;
  if owned = 0 then perform raise_owner(the_consumer); end if;
  if taken <> wanted then
    perform raise_conflict('unit', (
      select x ->> 0 from jsonb_array_elements(w -> 'units') x
      where not exists (select 1 from unit u where u.host_id = the_host and u.name = x ->> 0 and u.state = 'present') limit 1
    ), 'on the host', 'gone');
  end if;
  if (w ->> 'devices')::boolean then
    perform take_children(the_claim);
  end if;
end $$;

-- Who takes a PF or a GPU holds all that is cut from it, whether the plan named it or not: then the unique holder of a
-- child is also what keeps its parent from being taken.
create or replace function take_children(the_claim uuid) returns void language sql as $$
  with recursive down as (
    -- One look-up per unit held: a plain join reads all units there are, because few have a parent.
    select u.id from unit_holding h, lateral (select f.id from unit f where f.parent_id = h.unit_id offset 0) u
    where h.claim_id = the_claim
    union
    select u.id from down d, lateral (select f.id from unit f where f.parent_id = d.id offset 0) u
  )
  insert into unit_holding (unit_id, claim_id, use)
  select d.id, the_claim, 'with-parent' from down d
  where not exists (select 1 from unit_holding h where h.unit_id = d.id and h.claim_id = the_claim)
$$;

-- Another client's consumer holds what is its own; Berth neither adds to it nor takes from it.
create or replace function raise_owner(the_consumer uuid) returns void language plpgsql as $$
begin
  perform raise_conflict('owner', the_consumer::text, 'Berth', (
    select case when c.owner_kind = 'unknown' then 'another client' else c.owner_kind || ' ' || c.owner_name end
    from consumer c where c.id = the_consumer));
end $$;

-- Answers the hosts and providers where something was given back. Leaves alone what another client owns.
create or replace function release_consumer(who uuid) returns uuid[] language plpgsql as $$
declare
  touched uuid[];
  hosts uuid[];
begin
  perform prove_release(who);
  with gone as (
    delete from allocation where consumer_id = who
      and exists (select 1 from consumer c where c.id = who and c.owner_kind = 'berth')
    returning provider_id)
  select coalesce(array_agg(distinct provider_id), '{}') into touched from gone;
  with gone as (delete from claim where consumer_id = who returning host_id)
  select coalesce(array_agg(host_id), '{}') into hosts from gone;
  delete from consumer where id = who and owner_kind = 'berth';
  return touched || hosts;
end $$;

-- Instance and migration swap what they hold (L2). Asked twice it undoes itself. Answers as `release_consumer` does.
-- `kept` [[provider, class], …]: what lies at storage that both sides share stays with the instance, row for row.
drop function if exists exchange_claims(uuid, uuid);
create or replace function exchange_claims(one uuid, other uuid, kept jsonb) returns uuid[] language plpgsql as $$
declare
  touched uuid[];
  hosts uuid[];
  owned int;
begin
  perform prove_exchange(one, other);
  insert into consumer (id, type, project, owner_kind)
  select id, type, coalesce((select i.project from instance i where i.id = one), ''), 'berth'
  from (values (one, 'INSTANCE'), (other, 'MIGRATION')) as sides (id, type)
  on conflict (id) do update set generation = consumer.generation + 1 where consumer.owner_kind = 'berth';
  get diagnostics owned = row_count;
  if owned <> 2 then
    perform raise_owner((select id from consumer where id in (one, other) and owner_kind <> 'berth' limit 1));
  end if;
  if jsonb_array_length(kept) <> (
    select count(*) from allocation a, jsonb_array_elements(kept) k
    where a.consumer_id = one and a.provider_id = (k ->> 0)::uuid and a.resource_class = k ->> 1
  ) then
    perform raise_conflict('instance', one::text, 'its allocations at shared storage', 'others');
  end if;
  with swapped as (
    update allocation set consumer_id = case consumer_id when one then other else one end
    where consumer_id in (one, other) and not (consumer_id = one and exists (
      select 1 from jsonb_array_elements(kept) k
      where (k ->> 0)::uuid = provider_id and k ->> 1 = resource_class))
    returning provider_id)
  select coalesce(array_agg(distinct provider_id), '{}') into touched from swapped;
  with swapped as (
    update claim set
      consumer_id = case consumer_id when one then other else one end,
      consumer_kind = case consumer_kind when 'instance' then 'migration' else 'instance' end
    where consumer_id in (one, other)
    returning host_id
  )
  select coalesce(array_agg(host_id), '{}') into hosts from swapped;
  delete from consumer c where c.id in (one, other)
    and not exists (select 1 from allocation a where a.consumer_id = c.id)
    and not exists (select 1 from claim k where k.consumer_id = c.id);
  return touched || hosts;
end $$;
