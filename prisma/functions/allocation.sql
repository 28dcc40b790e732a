-- Allocations of Placement API clients. The engine decides (server/engine/ledger/allocations.ts); this applies the
-- decision and asserts its preconditions.

-- BL001: the tables differ from what the decision relied on. Nothing was written; decide again.
create or replace function raise_raced() returns jsonb language plpgsql as $$
begin
  raise exception 'raced' using errcode = 'BL001';
end $$;

-- Deletes the previous allocations of existing consumers, if they are as relied on, and consumers left without any. A
-- statement that has nothing to write is not run: starting it would cost as much as its work.
create or replace function give_back(
  consumers uuid[], of int[], was bigint[], holds boolean[], projects text[], users text[], types text[], swapped uuid[],
  gone uuid[], gone_provider uuid[], gone_class text[], gone_amount bigint[],
  requests text[], owner_kinds text[], owner_ids text[], owner_names text[]) returns void language plpgsql
set berth.checks = 'all' as $$
#variable_conflict use_column
declare
  as_relied_on boolean;
  known int := 0;
  ended int := 0;
begin
  with
    given_back as (
      delete from allocation where consumer_id = any(consumers)
      returning consumer_id, provider_id, resource_class, amount)
  select (select count(*) from given_back) = cardinality(gone)
    and cardinality(gone) = (
      select count(*) from unnest(gone) with ordinality w (id, n)
      join given_back b on b.consumer_id = w.id and b.provider_id = gone_provider[n]
        and b.resource_class = gone_class[n] and b.amount = gone_amount[n])
  into as_relied_on;
  if true = any(holds) then
    update consumer k set generation = k.generation + 1, project = projects[n], "user" = users[n],
      type = coalesce(types[n], k.type), owner_kind = owner_kinds[of[n]], owner_id = owner_ids[of[n]],
      owner_name = owner_names[of[n]], written_at = now(), written_request = requests[of[n]]
    from unnest(consumers) with ordinality w (id, n)
    where k.id = w.id and holds[n] and k.generation = was[n] and k.swapped_from is not distinct from swapped[n]
      and not exists (select 1 from claim c where c.consumer_id = w.id offset 0);
    get diagnostics known = row_count;
  end if;
  if false = any(holds) then
    delete from consumer k using unnest(consumers) with ordinality w (id, n)
    where k.id = w.id and not holds[n] and k.generation = was[n] and k.swapped_from is not distinct from swapped[n]
      and not exists (select 1 from claim c where c.consumer_id = w.id offset 0);
    get diagnostics ended = row_count;
  end if;
  if not as_relied_on or known + ended <> cardinality(array_remove(was, null)) then perform raise_raced(); end if;
end $$;

-- Claims of one or many clients, all or nothing. Arrays that go together are walked by the subscripts of the first:
-- each set-returning function in a plan is paid for at every call.
--   named, times: every provider touched, sorted, and the increment of its generation; hosts: of Berth, among them;
--     foreign_relied: the decision relied on these accepting instances of other clients
--   stock_*: every inventory touched, sorted; the change of its usage, and the smallest amount, the largest
--     and the divisor of all that are taken
--   consumers, of: sorted, with the number of the claim, from 1 on; was: the generation it was decided on, null of a new
--     one; holds: false releases everything; swapped: whose whole allocation a new one takes over, or the value relied on
--   gone, gone_*: their previous allocations; a consumer that was deleted and created again has the same generation
--   holders, holding, classes, amounts: their new allocations
--
-- Each check is a condition of a write, so it sees the row as it is once its lock is held: differences of amounts
-- commute, so servers that race wait and need not decide again. The check of `used` against capacity enforces I1: never
-- above capacity, unless the class ends no higher than before (Placement 14).
create or replace function apply_allocations(
  named uuid[], times int[], hosts uuid[], foreign_relied boolean,
  stock uuid[], stock_class text[], stock_delta bigint[], smallest bigint[], largest bigint[], grain bigint[],
  consumers uuid[], of int[], was bigint[], holds boolean[], projects text[], users text[], types text[], swapped uuid[],
  gone uuid[], gone_provider uuid[], gone_class text[], gone_amount bigint[],
  holders uuid[], holding uuid[], classes text[], amounts bigint[],
  kind text, event jsonb, who text, request text, reason text,
  whos text[], requests text[], trail_hosts text[], trails jsonb[], owner_kinds text[], owner_ids text[], owner_names text[])
returns jsonb language plpgsql
-- A generic plan of look-ups by key, whatever sizes the tables had when it was made.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off set berth.used = 'kept' set berth.checks = 'kept'
as $$
#variable_conflict use_column
declare
  answer jsonb;
begin
  -- With the constants and conditions below, these are all checks of the rows that it inserts (column.sql).
  if (0 < all(amounts) and 9007199254740992 > all(amounts) and hosts is not null and event @> '{}'
    and array_position(trail_hosts, null) is null and '{}' <@ all(trails)
    and owner_kinds <@ '{berth,token,keystone,noauth,unknown}') is not true then
    raise exception 'the rows violate a check constraint' using errcode = 'check_violation';
  end if;
  -- New consumers alone, which are most writes, skip the look-up of existing rows.
  if cardinality(gone) > 0 or cardinality(array_remove(was, null)) > 0 then
    perform 1 from resource_provider where id = any(named) order by id for no key update;
    perform give_back(consumers, of, was, holds, projects, users, types, swapped, gone, gone_provider, gone_class,
      gone_amount, requests, owner_kinds, owner_ids, owner_names);
  end if;
  with
    raised as (
      update resource_provider p set generation = p.generation + times[n]
      from unnest(named) with ordinality w (id, n)
      where p.id = w.id
        and not exists (select 1 from host h where h.id = p.root_id and h.id <> all(hosts) offset 0)
      returning p.id, p.generation),
    generations as materialized (
      select coalesce(jsonb_object_agg(id, generation), '{}') as raised, count(*) as many from raised),
    stock_now as (
      update inventory i set used = i.used + stock_delta[n]
      from unnest(stock) with ordinality w (id, n)
      where i.provider_id = w.id and i.resource_class = stock_class[n]
        and (stock_delta[n] <= 0
          or i.used + stock_delta[n] <= (i.total - i.reserved) * ratio_of(i.allocation_ratio_milli, i.allocation_ratio))
        and (largest[n] is null or (smallest[n] >= i.min_unit and largest[n] <= i.max_unit and grain[n] % i.step_size = 0))
      returning 1),
    made as (
      insert into consumer (id, generation, type, project, "user", owner_kind, owner_id, owner_name, written_at, written_request,
        swapped_from, swapped_at)
      select w.id, 1, coalesce(types[n], 'unknown'), projects[n], users[n], owner_kinds[of[n]], owner_ids[of[n]],
        owner_names[of[n]], now(), requests[of[n]], swapped[n], case when swapped[n] is not null then now() end
      from unnest(consumers) with ordinality w (id, n)
      where was[n] is null and swapped[n] is distinct from w.id
        and not exists (select 1 from instance i where i.id = w.id offset 0)
        and not exists (select 1 from migration m where m.id = w.id offset 0)
      returning 1),
    taken as (
      insert into allocation (consumer_id, provider_id, resource_class, amount, since)
      select w.id, holding[n], classes[n], amounts[n], now() from unnest(holders) with ordinality w (id, n)),
    -- One event for all: followers only need the changed providers. The audit entries have the consumers.
    outboxed as (
      insert into outbox (kind, hosts, data, raised, who, request, reason, at)
      select 'placement.' || kind, hosts, event, g.raised, who, request, reason, now() from generations g),
    trail as (
      insert into audit_entry (at, who, request, reason, action, hosts, data)
      select now(), w.name, requests[n], reason, 'placement.' || kind, trail_hosts[n]::uuid[], trails[n]
      from unnest(whos) with ordinality w (name, n))
  select case
    when many = cardinality(named) -- first, because every write locks providers before anything else
      and (select count(*) from stock_now) = cardinality(stock)
      and (select count(*) from made) = cardinality(consumers) - cardinality(array_remove(was, null))
      and (not foreign_relied
        or exists (select 1 from setting s where s.name = 'foreign-instances' and s.value = '"allow"'))
    then g.raised else raise_raced() end
  into answer from generations g;
  return answer;
end $$;

-- `inventory.used` is always the sum of its allocations, and an allocation always has its consumer and its inventory.
-- `apply_allocations`, `take_claims`, `release_consumers` and `exchange_claims` ensure both themselves: they write or lock
-- the rows that an allocation refers to. These triggers do so for every other write, including a database client's.
create or replace function keep_used() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update inventory set used = used + new.amount
    where provider_id = new.provider_id and resource_class = new.resource_class;
    perform require_referenced(new);
  elsif tg_op = 'DELETE' then
    update inventory set used = used - old.amount
    where provider_id = old.provider_id and resource_class = old.resource_class;
  else
    -- Renaming a class updates its inventories before its allocations, so differences would count twice.
    update inventory i set used = coalesce((
      select sum(a.amount) from allocation a
      where a.provider_id = i.provider_id and a.resource_class = i.resource_class), 0)
    where (i.provider_id, i.resource_class) in ((old.provider_id, old.resource_class), (new.provider_id, new.resource_class));
  end if;
  return null;
end $$;

-- The foreign keys of an allocation. PostgreSQL would look up both rows again for each allocation, a fifth of what claims
-- cost it; so they are declared as not enforced, where PostgreSQL can (18).
create or replace function require_referenced(a allocation) returns void language plpgsql as $$
begin
  perform 1 from consumer where id = a.consumer_id for key share;
  if not found then
    perform raise_dangling('allocation_consumer_id_fkey', format('There is no consumer %s.', a.consumer_id));
  end if;
  perform 1 from inventory where provider_id = a.provider_id and resource_class = a.resource_class for key share;
  if not found then
    perform raise_dangling('allocation_provider_id_resource_class_fkey',
      format('Provider %s has no inventory of %s.', a.provider_id, a.resource_class));
  end if;
end $$;

create or replace function raise_dangling(key text, why text) returns void language plpgsql as $$
begin
  raise exception 'foreign key "%" of table "allocation" is violated', key
    using errcode = 'foreign_key_violation', schema = current_schema(), table = 'allocation', constraint = key, detail = why;
end $$;

create or replace function require_reference() returns trigger language plpgsql as $$
begin
  perform require_referenced(new);
  return null;
end $$;

create or replace function keep_consumer_referenced() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    update allocation set consumer_id = new.id where consumer_id = old.id;
  elsif exists (select from allocation where consumer_id = old.id) then
    perform raise_dangling('allocation_consumer_id_fkey', format('Consumer %s still has allocations.', old.id));
  end if;
  return null;
end $$;

create or replace function keep_inventory_referenced() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    update allocation set provider_id = new.provider_id, resource_class = new.resource_class
    where provider_id = old.provider_id and resource_class = old.resource_class;
  elsif exists (
    select from allocation where provider_id = old.provider_id and resource_class = old.resource_class) then
    perform raise_dangling('allocation_provider_id_resource_class_fkey',
      format('%s of provider %s is still allocated.', old.resource_class, old.provider_id));
  end if;
  return null;
end $$;

-- Created once: recreating a trigger waits for active writers, and blocks all others.
do $$
begin
  if not exists (select from pg_trigger where tgrelid = 'allocation'::regclass and tgname = 'used_moved') then
    create trigger used_moved after insert or delete on allocation for each row
      when (current_setting('berth.used', true) is distinct from 'kept') execute function keep_used();
    create trigger used_changed after update on allocation for each row
      when ((old.provider_id, old.resource_class, old.amount)
        is distinct from (new.provider_id, new.resource_class, new.amount))
      execute function keep_used();
  end if;
  if not exists (select from pg_trigger where tgrelid = 'allocation'::regclass and tgname = 'reference_changed')
    and current_setting('server_version_num')::int >= 180000 then
    create trigger reference_changed after update of consumer_id, provider_id, resource_class on allocation for each row
      when (current_setting('berth.used', true) is distinct from 'kept') execute function require_reference();
    create trigger referenced_deleted after delete on consumer for each row execute function keep_consumer_referenced();
    create trigger referenced_changed after update of id on consumer for each row
      when (old.id <> new.id) execute function keep_consumer_referenced();
    create trigger referenced_deleted after delete on inventory for each row execute function keep_inventory_referenced();
    create trigger referenced_changed after update of provider_id, resource_class on inventory for each row
      when ((old.provider_id, old.resource_class) <> (new.provider_id, new.resource_class))
      execute function keep_inventory_referenced();
    execute 'alter table allocation alter constraint allocation_consumer_id_fkey not enforced,
      alter constraint allocation_provider_id_resource_class_fkey not enforced';
  end if;
end $$;

-- For the audit: recounts `used` where it is not the sum of its allocations, and returns these inventories.
create or replace function recount_used()
returns table (provider uuid, name text, host uuid, class text, used bigint, held bigint) language plpgsql as $$
#variable_conflict use_column
declare
  suspects constant uuid[] := array(
    select distinct i.provider_id from inventory i
    left join (select provider_id, resource_class, sum(amount) as held from allocation group by 1, 2) h
      using (provider_id, resource_class)
    where i.used <> coalesce(h.held, 0));
begin
  if suspects = '{}' then return; end if;
  perform placement_lock(suspects);
  return query
    with counted as (
      update inventory i set used = s.held
      from (
        select f.provider_id, f.resource_class, f.used, coalesce((
          select sum(a.amount) from allocation a
          where a.provider_id = f.provider_id and a.resource_class = f.resource_class), 0)::bigint as held
        from inventory f where f.provider_id = any(suspects)) s
      where i.provider_id = s.provider_id and i.resource_class = s.resource_class and i.used <> s.held
      returning i.provider_id, i.resource_class, s.used as was, i.used as now)
    select c.provider_id, p.name, h.id, c.resource_class, c.was, c.now
    from counted c join resource_provider p on p.id = c.provider_id left join host h on h.id = p.root_id;
  perform placement_event('usage-recounted', suspects, '{}', '{"who": "audit"}');
end $$;

-- Releases the allocations of another client's consumer at an operator's request. c: consumer, generation and writtenAt
-- | null (both as shown), who, request, reason. A consumer that was deleted and created again has the same generation, but
-- was written at another time. Returns the owner. Nothing else in Berth deletes rows of other clients.
create or replace function placement_release_foreign(c jsonb) returns jsonb language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  the_consumer constant uuid := c ->> 'consumer';
  held constant uuid[] := array(select distinct provider_id from allocation where consumer_id = the_consumer);
  was consumer;
  gone jsonb;
  owner jsonb;
begin
  perform placement_lock(held);
  select * into was from consumer where id = the_consumer for update;
  if was.id is null then perform placement_refuse('{"kind": "nothing-held"}'); end if;
  if was.owner_kind = 'berth' then perform placement_refuse('{"kind": "driven"}'); end if;
  if was.generation <> (c ->> 'generation')::numeric or was.written_at is distinct from (c ->> 'writtenAt')::timestamptz then
    perform placement_refuse(jsonb_build_object('kind', 'consumer-generation', 'found', was.generation));
  end if;
  with d as (
    delete from allocation where consumer_id = the_consumer and provider_id = any(held)
    returning provider_id, resource_class, amount)
  select jsonb_agg(jsonb_build_array(provider_id, resource_class, amount)) into gone from d;
  if exists (select 1 from allocation where consumer_id = the_consumer) then
    raise exception 'the consumer changed meanwhile' using errcode = '40001';
  end if;
  delete from consumer where id = the_consumer;
  update resource_provider set generation = generation + 1 where id = any(held);
  owner := jsonb_build_object('kind', was.owner_kind, 'id', was.owner_id, 'name', was.owner_name);
  perform placement_event('released-for-owner', held, held, c || jsonb_build_object('told', jsonb_build_object(
    'consumer', the_consumer, 'type', was.type, 'project', was.project, 'owner', owner, 'amounts', gone)));
  return owner;
end $$;
