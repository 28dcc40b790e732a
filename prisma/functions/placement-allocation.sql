-- Allocations that clients of the Placement API write.

-- What several consumers hold from now on, all or nothing; with `inventories` a reshape.
-- c: consumers [[id, generation | null, checked, project, user, type | null], …], amounts [[consumer, provider, class,
--    amount], …], inventories [[provider, generation, rows], …] | null, owner { kind, id, name }: a write replaces all that
--    a consumer holds, so whoever wrote last owns it.
create or replace function placement_allocate(c jsonb) returns void language plpgsql as $$
declare
  who constant uuid[] := array(select (x ->> 0)::uuid from jsonb_array_elements(c -> 'consumers') x);
  named constant uuid[] := array(select distinct (a ->> 1)::uuid from jsonb_array_elements(c -> 'amounts') a);
  shaped constant uuid[] := array(select (s ->> 0)::uuid from jsonb_array_elements(coalesce(nullif(c -> 'inventories', 'null'), '[]')) s);
  emptied constant uuid[] := array(
    select w from unnest(who) w
    where not exists (select 1 from jsonb_array_elements(c -> 'amounts') a where (a ->> 0)::uuid = w));
  held constant uuid[] := array(select distinct provider_id from allocation where consumer_id = any(who));
  before jsonb;
begin
  perform placement_lock(named || held || shaped);
  if c -> 'inventories' <> 'null' then perform placement_check_shapes(c -> 'inventories'); end if;
  perform placement_check_consumers(c -> 'consumers', who, emptied);
  if exists (select 1 from allocation where consumer_id = any(who) and not provider_id = any(held)) then
    -- Somebody gave this consumer something between our look and our locks.
    raise exception 'the consumer changed meanwhile' using errcode = '40001';
  end if;
  perform placement_check_names(c -> 'amounts', named);
  perform placement_check_hosts(c, named);
  select coalesce(jsonb_object_agg(h.provider_id || ' ' || h.resource_class, h.amount), '{}') into before from (
    select provider_id, resource_class, sum(amount) as amount from allocation where consumer_id = any(who) group by 1, 2) h;
  delete from allocation where consumer_id = any(who);
  perform placement_put_inventories((s ->> 0)::uuid, s -> 2) from jsonb_array_elements(nullif(c -> 'inventories', 'null')) s;
  perform placement_check_room(c -> 'amounts', named, before);
  insert into allocation (consumer_id, provider_id, resource_class, amount)
  select (a ->> 0)::uuid, (a ->> 1)::uuid, a ->> 2, (a ->> 3)::bigint from jsonb_array_elements(c -> 'amounts') a;
  update consumer k set generation = k.generation + 1, project = x ->> 3, "user" = x ->> 4, type = coalesce(x ->> 5, k.type),
    owner_kind = c -> 'owner' ->> 'kind', owner_id = c -> 'owner' ->> 'id', owner_name = c -> 'owner' ->> 'name',
    written_at = now(), written_request = c ->> 'request'
  from jsonb_array_elements(c -> 'consumers') x where k.id = any(who) and k.id = (x ->> 0)::uuid;
  delete from consumer where id = any(emptied);
  update resource_provider set generation = generation + 1 where id = any(named || held);
  if c -> 'inventories' <> 'null' then perform placement_finish_shapes(c -> 'inventories'); end if;
  perform placement_event(case when c -> 'inventories' <> 'null' then 'reshaped' else 'allocated' end,
    array(select distinct unnest(named || held || shaped)), named || held || shaped, c);
end $$;

-- On a host of Berth nobody else's instance takes room, unless the setting lets it: Berth would neither see it run nor
-- move it away. A consumer without a type (before 1.38, as Nova writes) may be one. What it holds there already it may
-- keep, lay out anew within the host, lessen and give back. Other types say that they are no instance.
create or replace function placement_check_hosts(c jsonb, named uuid[]) returns void language plpgsql as $$
declare
  bad record;
begin
  if not exists (select 1 from resource_provider p join host h on h.id = p.root_id where p.id = any(named)) then return; end if;
  if exists (select 1 from setting s where s.name = 'foreign-instances' and s.value = '"allow"') then return; end if;
  select w.consumer, w.type, w.class, h.name, w.provider into bad
  from (
    select (a.value ->> 0)::uuid as consumer, p.root_id, a.value ->> 2 as class, min(a.value ->> 1) as provider,
      coalesce(x ->> 5, k.type, 'unknown') as type, sum((a.value ->> 3)::bigint) as amount, min(a.ordinality) as place
    from jsonb_array_elements(c -> 'amounts') with ordinality a
    join resource_provider p on p.id = (a.value ->> 1)::uuid
    join jsonb_array_elements(c -> 'consumers') x on (x ->> 0)::uuid = (a.value ->> 0)::uuid
    left join consumer k on k.id = (a.value ->> 0)::uuid
    group by 1, 2, 3, 5
  ) w join host h on h.id = w.root_id
  where w.type in ('INSTANCE', 'MIGRATION', 'unknown')
    and w.amount > coalesce((
      select sum(b.amount) from resource_provider q join allocation b on b.provider_id = q.id
      where q.root_id = w.root_id and b.consumer_id = w.consumer and b.resource_class = w.class), 0)
  order by w.place limit 1;
  if found then
    perform placement_refuse(jsonb_build_object('kind', 'berth-host', 'consumer', bad.consumer, 'type', bad.type,
      'class', bad.class, 'provider', bad.provider, 'host', bad.name));
  end if;
end $$;

-- Its parameters have changed.
drop function if exists placement_allocate_all(
  boolean, uuid[], int[], bigint[], boolean[], text[], text[], text[], uuid[], int[], uuid[], text[], bigint[],
  uuid[], text[], bigint[], bigint[], int[], int[], uuid[], int[], text[], text[], jsonb[], text, text);

-- Claims of many clients land in one call (docs/decisions/0110-two-doors-to-the-same-books.md). It writes all of them
-- or none: when one of them does not fit it answers which, and the caller asks again without those, and for each of those
-- alone, so that what is refused is refused by `placement_allocate` and in its words.
--
-- Only claims that hold something are given, and no consumer is in two of them. Arrays of one kind of thing go together;
-- `of` is the number of the claim, from 1 on. The caller has summed what the claims need of each inventory: `needs` has a
-- row for each amount, whose shape is checked, with the total of all claims. Where one claim alone names a provider, what
-- its consumers (`needs_from` to `needs_to`) held there counts as given back, as in `placement_allocate`. Elsewhere
-- nothing does: two claims that make room for each other cannot be told from two that came in a good order.
--
-- Each set-returning function in a plan is paid for at every call, so arrays that go together are walked by the subscripts
-- of one. `offset 0` keeps the planner from reading a whole table for the few rows that are named.
create or replace function placement_allocate_all(
  known boolean, -- whether one of the consumers may be there already
  consumers uuid[], consumers_of int[], generations bigint[], checked boolean[], projects text[], users text[], types text[],
  holders uuid[], holders_of int[], holding uuid[], classes text[], amounts bigint[],
  needs uuid[], needs_class text[], needs_amount bigint[], needs_total bigint[], needs_from int[], needs_to int[],
  named uuid[], times int[], -- each provider once, with how many claims name it
  whos text[], requests text[], trails jsonb[], owner_kinds text[], owner_ids text[], owner_names text[], who text, request text,
  out refused int[], out missed int[]) -- claims whose consumers, rows of needs whose inventories do not do
language plpgsql
-- One plan for good, of look-ups by key, whatever sizes the tables had when it was made.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  touched uuid[] := named;
begin
  if known then
    touched := array(select unnest(named) union select provider_id from allocation where consumer_id = any(consumers));
  end if;
  perform 1 from resource_provider where id = any(touched) order by id for no key update;
  if known then
    perform 1 from consumer where id = any(consumers) order by id for update;
    refused := array(
      select consumers_of[n] from unnest(consumers) with ordinality c (id, n)
      cross join lateral (select provider_id from allocation where consumer_id = c.id offset 0) a
      -- Somebody gave the consumer something between our look and our locks, or it holds in a host's tree (see below).
      where a.provider_id <> all(touched) or exists (
        select 1 from resource_provider p join host h on h.id = p.root_id where p.id = a.provider_id offset 0));
  end if;

  select
    coalesce(refused, '{}') || array(
      select consumers_of[n] from unnest(consumers) with ordinality c (id, n)
      where (checked[n] and generations[n] is distinct from (select k.generation from consumer k where k.id = c.id))
        or exists (select 1 from claim k where k.consumer_id = c.id offset 0)
        or exists (select 1 from instance i where i.id = c.id offset 0)
        or exists (select 1 from migration m where m.id = c.id offset 0)),
    array(
      select n from unnest(needs) with ordinality w (provider, n)
      left join inventory i on i.provider_id = w.provider and i.resource_class = needs_class[n]
      where i.provider_id is null
        or needs_amount[n] < i.min_unit or needs_amount[n] > i.max_unit or needs_amount[n] % i.step_size <> 0
        or needs_total[n] + coalesce((
            select sum(x.amount) from allocation x where x.provider_id = w.provider and x.resource_class = needs_class[n]
              and not (known and x.consumer_id = any(consumers[needs_from[n]:needs_to[n]]))), 0)
          > (i.total - i.reserved) * ratio_of(i.allocation_ratio_milli, i.allocation_ratio)
        -- In a host's tree the root is raised as well, and its event names the host: one claim after the other.
        or exists (
          select 1 from resource_provider p join host h on h.id = p.root_id where p.id = w.provider offset 0))
  into refused, missed;
  if refused <> '{}' or missed <> '{}' then return; end if;

  if known then
    update consumer k
    set generation = k.generation + 1, project = projects[n], "user" = users[n], type = coalesce(types[n], k.type),
      owner_kind = owner_kinds[consumers_of[n]], owner_id = owner_ids[consumers_of[n]],
      owner_name = owner_names[consumers_of[n]], written_at = now(), written_request = requests[consumers_of[n]]
    from unnest(consumers) with ordinality c (id, n) where k.id = c.id;
    trails := array(
      select jsonb_build_object('providers', jsonb_agg(distinct provider)) from (
        select holders_of[n] as of, h.provider from unnest(holding) with ordinality h (provider, n)
        union all
        select consumers_of[n], a.provider_id from unnest(consumers) with ordinality c (id, n)
        cross join lateral (select provider_id from allocation where consumer_id = c.id offset 0) a
      ) l group by of order by of);
    delete from allocation where consumer_id = any(consumers);
  end if;
  with
    made as (
      insert into consumer (id, generation, type, project, "user", owner_kind, owner_id, owner_name, written_at, written_request)
      select c.id, 1, coalesce(types[n], 'unknown'), projects[n], users[n], owner_kinds[consumers_of[n]],
        owner_ids[consumers_of[n]], owner_names[consumers_of[n]], now(), requests[consumers_of[n]]
      from unnest(consumers) with ordinality c (id, n)
      where not (known and exists (select 1 from consumer k where k.id = c.id offset 0))
    ),
    given as (
      insert into allocation (consumer_id, provider_id, resource_class, amount, since)
      select h.id, holding[n], classes[n], amounts[n], now() from unnest(holders) with ordinality h (id, n)
    ),
    raised as (
      -- Once for each claim that takes there, and once where the batch only gives back.
      update resource_provider set generation = generation + coalesce(times[array_position(named, id)], 1)
      where id = any(touched) returning id, generation
    ),
    -- One event for all: who follows wants to know which providers changed. Who wanted what is in the trail.
    told as (
      insert into outbox (kind, hosts, data, raised, who, request, reason, at)
      select 'placement.allocated', '{}', jsonb_build_object('providers', touched, 'again', false),
        jsonb_object_agg(id, generation), who, request, null, now()
      from raised
    )
  insert into audit_entry (at, who, request, reason, action, hosts, data)
  select now(), w.name, requests[n], null, 'placement.allocated', '{}', trails[n]
  from unnest(whos) with ordinality w (name, n);
end $$;

-- A reshape to a class that there is not is refused as such.
create or replace function placement_check_shapes(shapes jsonb) returns void language plpgsql as $$
declare
  s jsonb;
  seen bigint;
  bad text;
begin
  for s in select value from jsonb_array_elements(shapes) loop
    select generation into seen from resource_provider where id = (s ->> 0)::uuid;
    if seen is null then
      perform placement_refuse(jsonb_build_object('kind', 'no-shape-provider', 'provider', s ->> 0));
    end if;
    if seen <> (s ->> 1)::numeric then
      perform placement_refuse(jsonb_build_object('kind', 'shape-generation', 'provider', s ->> 0, 'found', seen,
        'given', s -> 1));
    end if;
    select r.value ->> 0 into bad from jsonb_array_elements(s -> 2) with ordinality r
    where not exists (select 1 from resource_class k where k.name = r.value ->> 0 offset 0) order by r.ordinality limit 1;
    if bad is not null then perform placement_refuse(jsonb_build_object('kind', 'no-class', 'class', bad)); end if;
  end loop;
end $$;

-- Locks the consumers, checks their generations and makes those that will hold something for the first time.
create or replace function placement_check_consumers(consumers jsonb, who uuid[], emptied uuid[]) returns void language plpgsql as $$
declare
  x jsonb;
  seen bigint;
  driven text;
begin
  perform 1 from consumer where id = any(who) order by id for update;
  select id::text into driven from (
    select consumer_id as id from claim where consumer_id = any(who)
    union all select id from instance where id = any(who)
    union all select id from migration where id = any(who)
  ) d limit 1;
  if driven is not null then perform placement_refuse(jsonb_build_object('kind', 'driven', 'consumer', driven)); end if;
  for x in select value from jsonb_array_elements(consumers) loop
    select generation into seen from consumer where id = (x ->> 0)::uuid;
    if (x ->> 2)::boolean and seen is distinct from (x ->> 1)::numeric then
      perform placement_refuse(jsonb_build_object('kind', 'consumer-generation', 'found', seen, 'given', x -> 1));
    end if;
    if seen is null and not (x ->> 0)::uuid = any(emptied) then
      insert into consumer (id, generation, type, project, "user")
      values ((x ->> 0)::uuid, 0, coalesce(x ->> 5, 'unknown'), x ->> 3, x ->> 4) on conflict do nothing;
      if not found then raise exception 'the consumer was made meanwhile' using errcode = '40001'; end if;
    end if;
  end loop;
end $$;

-- Of several things that are wrong with a claim the first one as the client wrote it is told.
create or replace function placement_check_names(amounts jsonb, named uuid[]) returns void language plpgsql as $$
declare
  bad text;
begin
  select a.value ->> 1 into bad from jsonb_array_elements(amounts) with ordinality a
  where not exists (select 1 from resource_provider p where p.id = (a.value ->> 1)::uuid offset 0) order by a.ordinality limit 1;
  if bad is not null then perform placement_refuse(jsonb_build_object('kind', 'no-provider', 'provider', bad)); end if;
  select a.value ->> 2 into bad from jsonb_array_elements(amounts) with ordinality a
  where not exists (select 1 from resource_class k where k.name = a.value ->> 2 offset 0) order by a.ordinality limit 1;
  if bad is not null then perform placement_refuse(jsonb_build_object('kind', 'no-class', 'class', bad)); end if;
end $$;

-- I1. What the consumers held before (`before`: 'provider class' → amount) is already given back; the providers are
-- locked. A provider that is over its capacity still takes what leaves a class no higher than it was, or no instance
-- could leave an over-committed host.
drop function if exists placement_check_room(jsonb, uuid[]);
create or replace function placement_check_room(amounts jsonb, named uuid[], before jsonb) returns void language plpgsql as $$
declare
  classes constant text[] := array(select distinct a ->> 2 from jsonb_array_elements(amounts) a order by 1);
  bare text;
  short record;
begin
  select string_agg(n::text, ', ') into bare from unnest(named) n
  where not exists (select 1 from inventory i where i.provider_id = n and i.resource_class = any(classes));
  if bare is not null then
    perform placement_refuse(jsonb_build_object('kind', 'no-inventory', 'class', array_to_string(classes, ', '),
      'provider', bare));
  end if;
  select w.provider, w.class, case
      when i.provider_id is null then 'no-inventory'
      when w.amount < i.min_unit or w.amount > i.max_unit or w.amount % i.step_size <> 0 then 'shape'
      else 'full'
    end as kind into short
  from (
    select (a.value ->> 1)::uuid as provider, a.value ->> 2 as class, (a.value ->> 3)::bigint as amount, a.ordinality,
      sum((a.value ->> 3)::bigint) over (partition by a.value ->> 1, a.value ->> 2) as together
    from jsonb_array_elements(amounts) with ordinality a
  ) w
  left join lateral (
    select * from inventory f where f.provider_id = w.provider and f.resource_class = w.class offset 0) i on true
  where i.provider_id is null or w.amount < i.min_unit or w.amount > i.max_unit or w.amount % i.step_size <> 0
    or w.together > coalesce((before ->> (w.provider || ' ' || w.class))::bigint, 0)
      and w.together + coalesce((
        select sum(x.amount) from allocation x where x.provider_id = w.provider and x.resource_class = w.class), 0)
      > (i.total - i.reserved) * ratio_of(i.allocation_ratio_milli, i.allocation_ratio)
  order by w.ordinality limit 1;
  if short.kind is not null then
    perform placement_refuse(jsonb_build_object('kind', short.kind, 'class', short.class, 'provider', short.provider));
  end if;
end $$;

-- The end of a reshape: what no inventory shall be left of goes, and claims of Berth still fit.
create or replace function placement_finish_shapes(shapes jsonb) returns void language plpgsql as $$
declare
  s jsonb;
begin
  for s in select value from jsonb_array_elements(shapes) loop
    perform placement_drop_inventories((s ->> 0)::uuid, array(
      select resource_class from inventory where provider_id = (s ->> 0)::uuid
      except select r ->> 0 from jsonb_array_elements(s -> 2) r));
    -- Clients know Placement's count: one step for the interim inventories, one for the final ones.
    update resource_provider set generation = generation + case jsonb_array_length(s -> 2) when 0 then 1 else 2 end
    where id = (s ->> 0)::uuid;
  end loop;
  perform placement_keep_claims(array(select (x ->> 0)::uuid from jsonb_array_elements(shapes) x));
end $$;

-- Gives back all that a consumer holds. Placement raises no generation for it, and clients count on that; in a host's
-- tree, where claims are decided, each provider is raised all the same.
create or replace function placement_release(c jsonb) returns void language plpgsql as $$
declare
  the_consumer constant uuid := c ->> 'consumer';
  held constant uuid[] := array(select distinct provider_id from allocation where consumer_id = the_consumer);
  hosted constant uuid[] := placement_hosted(held);
begin
  perform placement_lock(held);
  perform placement_check_consumers('[]', array[the_consumer], '{}');
  delete from allocation where consumer_id = the_consumer and provider_id = any(held);
  if not found then perform placement_refuse('{"kind": "nothing-held"}'); end if;
  if exists (select 1 from allocation where consumer_id = the_consumer) then
    raise exception 'the consumer changed meanwhile' using errcode = '40001';
  end if;
  delete from consumer where id = the_consumer;
  update resource_provider set generation = generation + 1 where id = any(hosted);
  perform placement_event('released', held, hosted, c);
end $$;

-- An operator releases what another owner holds. c: consumer, generation (as it was shown), who, request, reason. Answers
-- whose it was. Nothing else in Berth deletes rows of others.
create or replace function placement_release_foreign(c jsonb) returns jsonb language plpgsql as $$
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
  if was.generation <> (c ->> 'generation')::numeric then
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
