-- Writes many changes that advance migrations with one statement per table, because a statement on a table with many
-- checks and triggers costs more than the row it writes. No two changes concern one migration or instance.
--
-- A batch is an object made by server/store/commit/batch-row.ts; `n` is the number of a change in it:
--   changes [{ n, at, instance, instance_generation, migration, migration_generation, fence, grouped, group_generation, most,
--     kind, hosts, data, quiet, who, request, reason }]
--   guards [{ n, provider, generation | null }]      raise [{ n, provider }]      holders [{ n, consumer, kept '{…}' }]
--   accepted, puts, instances, releases, exchanges, takes, remains, steps [{ n, … }] as `apply_change` writes them

-- { n: { provider: generation } } of the written changes. A change whose precondition failed is left out, with nothing
-- of it written, and must be committed alone to get the reason. Any other violated constraint raises, with nothing
-- written.
create or replace function commit_together(b jsonb) returns jsonb language plpgsql
-- A generic plan of look-ups by key, whatever sizes the tables had when it was made.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  raised jsonb;
  touched uuid[];
  is_raised boolean;
begin
  perform lock_together(b);
  b := those_that_hold(b);
  if b is null then return '{}'; end if;
  raised := b -> 'raised';
  perform moments_of(b);
  -- A consumer may have got allocations of a provider since the locks were taken. That one is not locked: when another
  -- transaction raises it meanwhile, nothing is written.
  with
    g as (
      select p.key::uuid as id, min(p.value::bigint) - 1 as was, max(p.value::bigint) as generation
      from jsonb_each(raised) c, jsonb_each_text(c.value) p group by 1),
    up as (
      update resource_provider p set generation = g.generation from g where p.id = g.id and p.generation = g.was
      returning 1)
  select (select count(*) from g) = (select count(*) from up) into is_raised;
  if not is_raised then perform raise_conflict('provider', '', 'what was locked', 'more'); end if;
  update instance_group g set generation = g.generation + c.times
  from (
    select grouped, count(*) as times from jsonb_to_recordset(b -> 'changes') c(grouped uuid)
    where grouped is not null group by 1) c
  where g.id = c.grouped;
  if b -> 'accepted' <> '[]' then perform insert_migrations(b -> 'accepted'); end if;
  if b -> 'puts' <> '[]' and not put_migrations(b -> 'puts')
    or b -> 'instances' <> '[]' and not put_instances(b -> 'instances') then
    raise exception 'a row that was locked is not there';
  end if;
  -- Before the takes, because one change may take what another releases.
  if b -> 'releases' <> '[]' then
    touched := release_consumers(array(select (r ->> 'consumer')::uuid from jsonb_array_elements(b -> 'releases') r));
  end if;
  if b -> 'exchanges' <> '[]' then
    touched := touched || exchange_claims((select jsonb_agg(x -> 'pair') from jsonb_array_elements(b -> 'exchanges') x));
  end if;
  if exists (select 1 from unnest(touched) t where not exists (select 1 from jsonb_each(raised) r where r.value ? t::text))
  then
    perform raise_conflict('provider', '', 'what was locked', 'more');
  end if;
  if b -> 'takes' <> '[]' then perform take_claims(b -> 'takes'); end if;
  perform write_host(w, (w ->> 'at')::timestamptz) from jsonb_array_elements(b -> 'remains') w;
  if b -> 'steps' <> '[]' then perform put_steps(b -> 'steps'); end if;
  perform tell_together(b);
  return raised;
end $$;

-- Locks in one global order: providers by id, instances, migrations, groups.
create or replace function lock_together(b jsonb) returns void language plpgsql as $$
declare
  named constant uuid[] := array(select provider from jsonb_to_recordset(b -> 'raise') r(provider uuid));
  holders constant uuid[] := array(select consumer from jsonb_to_recordset(b -> 'holders') h(consumer uuid));
  instances constant uuid[] := array(select instance from jsonb_to_recordset(b -> 'changes') c(instance uuid));
  migrations constant uuid[] := array(select migration from jsonb_to_recordset(b -> 'changes') c(migration uuid));
  groups constant uuid[] := array(
    select grouped from jsonb_to_recordset(b -> 'changes') c(grouped uuid) where grouped is not null);
begin
  perform 1 from resource_provider where id = any(raised_by(named, holders, '{}')) order by id for no key update;
  perform 1 from instance where id = any(instances) order by id for no key update;
  perform 1 from migration where id = any(migrations) order by id for no key update;
  if groups <> '{}' then perform 1 from instance_group where id = any(groups) order by id for no key update; end if;
end $$;

-- The batch without changes whose preconditions fail, with the generations that the rest raise; null when none is left.
-- Each change relies on the previous ones, so removing one may invalidate others.
create or replace function those_that_hold(b jsonb) returns jsonb language plpgsql as $$
declare
  bad int[];
  raised jsonb;
  -- Null in a batch without claims.
  counted constant bigint := (
    select count_before_claims(count(*), min(most)) from jsonb_to_recordset(b -> 'changes') c(most bigint)
    where most is not null having count(*) > 0);
begin
  loop
    with
      touched as (
        select n, provider from jsonb_to_recordset(b -> 'raise') r(n int, provider uuid)
        union
        select h.n, a.provider_id from jsonb_to_recordset(b -> 'holders') h(n int, consumer uuid, kept uuid[]),
          lateral (select provider_id from allocation where consumer_id = h.consumer offset 0) a
        where a.provider_id <> all(h.kept)
        union
        select h.n, k.host_id from jsonb_to_recordset(b -> 'holders') h(n int, consumer uuid),
          lateral (select host_id from claim where consumer_id = h.consumer offset 0) k),
      raises as materialized (
        select t.n, t.provider, p.generation + row_number() over (partition by t.provider order by t.n) as generation
        from touched t, lateral (select generation from resource_provider where id = t.provider offset 0) p),
      broken as (
        select g.n from jsonb_to_recordset(b -> 'guards') g(n int, provider uuid, generation bigint)
        left join raises r on r.n = g.n and r.provider = g.provider
        where r.generation is null or r.generation - 1 <> g.generation
        union
        select c.n from jsonb_to_recordset(b -> 'changes') c(n int, instance uuid, instance_generation bigint,
          migration uuid, migration_generation bigint, fence bigint)
        left join lateral (select generation from instance where id = c.instance offset 0) i on true
        left join lateral (select generation, fence from migration where id = c.migration offset 0) m on true
        where i.generation is distinct from c.instance_generation or m.fence <> c.fence
          or m.generation is distinct from c.migration_generation
        union
        select c.n from (
          select n, grouped, group_generation, row_number() over (partition by grouped order by n) as nth
          from jsonb_to_recordset(b -> 'changes') c(n int, grouped uuid, group_generation bigint)
          where grouped is not null) c
        left join lateral (select generation from instance_group where id = c.grouped offset 0) g on true
        where g.generation is null or g.generation + c.nth - 1 <> c.group_generation
        union
        select c.n from (
          select c.n, c.most, counted + sum(is_in_flight(p.step)::int - is_in_flight(m.step)::int) over (order by c.n) as moving
          from jsonb_to_recordset(b -> 'changes') c(n int, migration uuid, most bigint)
          join jsonb_to_recordset(b -> 'puts') p(n int, step text) on p.n = c.n
          left join lateral (select step from migration where id = c.migration offset 0) m on true
          where counted is not null) c
        where c.moving > c.most)
    select array(select n from broken), (
      select coalesce(jsonb_object_agg(c.n, coalesce((
        select jsonb_object_agg(r.provider, r.generation) from raises r where r.n = c.n), '{}')), '{}')
      from jsonb_to_recordset(b -> 'changes') c(n int))
    into bad, raised;
    if bad = '{}' then return case when b -> 'changes' <> '[]' then b || jsonb_build_object('raised', raised) end; end if;
    select jsonb_object_agg(key, coalesce((
      select jsonb_agg(x order by ordinality) from jsonb_array_elements(value) with ordinality as e(x, ordinality)
      where (x ->> 'n')::int <> all(bad)), '[]'))
    into b from jsonb_each(b);
  end loop;
end $$;

-- The history of each row ends at the time of the change that ends it.
create or replace function moments_of(b jsonb) returns void language plpgsql as $$
begin
  perform set_config('berth.moments', coalesce((
    with held as (
      select h.consumer, c.at from jsonb_to_recordset(b -> 'holders') h(n int, consumer uuid)
      join jsonb_to_recordset(b -> 'changes') c(n int, at text) on c.n = h.n)
    select jsonb_object_agg(id, at)::text from (
      select consumer as id, at from held
      union all
      select k.id, held.at from held, lateral (select id from claim where consumer_id = held.consumer offset 0) k) m), ''), true);
end $$;

create or replace function tell_together(b jsonb) returns void language sql as $$
  insert into outbox (kind, hosts, instance_id, migration_id, data, raised, who, request, reason, at)
  select c.kind, c.hosts, c.event_instance, c.event_migration, c.data, b -> 'raised' -> c.n::text, c.who, c.request, c.reason, c.at
  from jsonb_to_recordset(b -> 'changes') c(n int, kind text, hosts uuid[], event_instance uuid, event_migration uuid, data jsonb,
    quiet boolean, who text, request text, reason text, at timestamptz)
  where c.quiet is not true or b -> 'raised' -> c.n::text <> '{}' order by c.n;
  insert into audit_entry (at, who, request, reason, action, hosts, instance_id, migration_id, data, origin)
  select c.at, c.who, c.request, c.reason, c.kind, c.hosts, c.event_instance, c.event_migration, c.data, c.origin
  from jsonb_to_recordset(b -> 'changes') c(n int, kind text, hosts uuid[], event_instance uuid, event_migration uuid, data jsonb,
    who text, request text, reason text, at timestamptz, origin jsonb)
  where c.request is not null order by c.n;
$$;
