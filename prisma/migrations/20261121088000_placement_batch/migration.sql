-- Claims of many clients land in one call (docs/decisions/0145-placement-claims-land-together.md). It writes all of them
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
create function placement_allocate_all(
  known boolean, -- whether one of the consumers may be there already
  consumers uuid[], consumers_of int[], generations bigint[], checked boolean[], projects text[], users text[], types text[],
  holders uuid[], holders_of int[], holding uuid[], classes text[], amounts bigint[],
  needs uuid[], needs_class text[], needs_amount bigint[], needs_total bigint[], needs_from int[], needs_to int[],
  named uuid[], times int[], -- each provider once, with how many claims name it
  whos text[], requests text[], trails jsonb[], who text, request text,
  out refused int[], out missed int[]) -- claims whose consumers, rows of needs whose inventories do not do
language plpgsql
-- One plan for good, of look-ups by key, whatever sizes the tables had when it was made.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  touched uuid[] := named;
  unraised jsonb := '{}'; -- what is given back where nothing is taken keeps its generation
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
    set generation = k.generation + 1, project = projects[n], "user" = users[n], type = coalesce(types[n], k.type)
    from unnest(consumers) with ordinality c (id, n) where k.id = c.id;
    trails := array(
      select jsonb_build_object('providers', jsonb_agg(distinct provider)) from (
        select holders_of[n] as of, h.provider from unnest(holding) with ordinality h (provider, n)
        union all
        select consumers_of[n], a.provider_id from unnest(consumers) with ordinality c (id, n)
        cross join lateral (select provider_id from allocation where consumer_id = c.id offset 0) a
      ) l group by of order by of);
    delete from allocation where consumer_id = any(consumers);
    select coalesce(jsonb_object_agg(id, generation), '{}') into unraised
    from resource_provider where id = any(touched) and id <> all(named);
  end if;
  with
    made as (
      insert into consumer (id, generation, type, project, "user")
      select c.id, 1, coalesce(types[n], 'unknown'), projects[n], users[n]
      from unnest(consumers) with ordinality c (id, n)
      where not (known and exists (select 1 from consumer k where k.id = c.id offset 0))
    ),
    given as (
      insert into allocation (consumer_id, provider_id, resource_class, amount, since)
      select h.id, holding[n], classes[n], amounts[n], now() from unnest(holders) with ordinality h (id, n)
    ),
    raised as (
      update resource_provider set generation = generation + times[array_position(named, id)]
      where id = any(named) returning id, generation
    ),
    -- One event for all: who follows wants to know which providers changed. Who wanted what is in the trail.
    told as (
      insert into outbox (kind, hosts, data, raised, who, request, reason, at)
      select 'placement.allocated', '{}', jsonb_build_object('providers', touched, 'again', not touched <@ named),
        jsonb_object_agg(id, generation) || unraised, who, request, null, now()
      from raised
    )
  insert into audit_entry (at, who, request, reason, action, hosts, data)
  select now(), w.name, requests[n], null, 'placement.allocated', '{}', trails[n]
  from unnest(whos) with ordinality w (name, n);
end $$;
