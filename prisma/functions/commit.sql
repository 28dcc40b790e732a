-- One call commits a change. `apply_change` writes it or raises; `commit_change` and `commit_changes` turn a lost race
-- into an answer that names the conflicting write, with nothing of the change written.
--
-- A change is an object made by server/store/commit/change-row.ts:
--   providers [[id, generation | null, pending], …]         instance [id, generation] | null
--     pending: expected from a write that was not committed when the change was decided
--   further [[id, generation], …]: other instances, of a repair
--   raise '{id,…}': every provider that is guarded or whose rows a write names
--   consumers '{id,…}': those that release or exchange allocations, on any provider
--   kept '{id,…}': providers of allocations that an exchange leaves with the instance; not raised by it
--   migration [id, generation, fence | null] | null         group [id, generation | null] | null
--     generation null: decided by a soft policy, which must still be soft
--   most: of a claim, the limit of migrations in flight in the fleet
--   locked: set by `commit_changes`, which counted before all its claims
--   writes [{ do, … }]
--   event { kind, hosts, instance, migration, data, quiet? }   who, request, reason, at

-- BC001: a generation, a fence, a name or an owner differs from what the change relied on. The detail is the answer.
create or replace function raise_conflict(what text, id text, expected text, seen text) returns void language plpgsql as $$
begin
  raise exception 'conflict on %', what using errcode = 'BC001',
    detail = jsonb_build_object('on', what, 'id', id, 'expected', expected, 'found', coalesce(seen, 'absent'));
end $$;

-- { raised } when the change committed, else { conflict }. Its plans are generic, as explained in placement-provider.sql.
create or replace function commit_change(c jsonb) returns jsonb language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  answer jsonb;
  said text;
begin
  return jsonb_build_object('raised', apply_change(c));
exception
  when sqlstate 'BC001' then
    get stacked diagnostics said = pg_exception_detail;
    return jsonb_build_object('conflict', said::jsonb);
  when unique_violation then
    get stacked diagnostics said = constraint_name;
    answer := conflict_of(said, c);
    if answer is null then raise; end if;
    return jsonb_build_object('conflict', answer);
  -- A reviewed line that the tables refuse: its row is still referenced, or the new values are no longer valid.
  when integrity_constraint_violation or data_exception then
    if not writes_rows(c) then raise; end if;
    get stacked diagnostics said = constraint_name;
    return jsonb_build_object('conflict', jsonb_build_object('on', 'row', 'id', coalesce(nullif(said, ''), sqlstate),
      'expected', 'rows that the database accepts', 'found', sqlerrm));
end $$;

create or replace function writes_rows(c jsonb) returns boolean language sql immutable as $$
  select exists (select 1 from jsonb_array_elements(c -> 'writes') w where w ->> 'do' = 'row')
$$;

-- The providers that the change will raise, as far as known before its locks are taken.
create or replace function raised_by(named uuid[], consumers uuid[], kept uuid[]) returns uuid[]
language plpgsql stable as $$
begin
  if consumers = '{}' then return named; end if;
  return named || array(
    select provider_id from allocation where consumer_id = any(consumers) and provider_id <> all(kept)
    union select host_id from claim where consumer_id = any(consumers));
end $$;

-- Many changes in one transaction, each with its own answer. All locks are taken first and in order, the one of the limit
-- last and for all claims: two batches that name the same rows must not deadlock.
create or replace function commit_changes(cs jsonb) returns jsonb language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  answers jsonb := '[]';
  answer jsonb;
  lost uuid[] := '{}';
  all_raised constant uuid[] := raised_by(
    array(select unnest((b ->> 'raise')::uuid[]) from jsonb_array_elements(cs) b),
    array(select unnest((b ->> 'consumers')::uuid[]) from jsonb_array_elements(cs) b), '{}');
  instances constant uuid[] := array(
    select (b -> 'instance' ->> 0)::uuid from jsonb_array_elements(cs) b
    union select (f ->> 0)::uuid from jsonb_array_elements(cs) b, jsonb_array_elements(b -> 'further') f);
  migrations constant uuid[] := array(select (b -> 'migration' ->> 0)::uuid from jsonb_array_elements(cs) b);
  groups constant uuid[] := array(
    select (b -> 'group' ->> 0)::uuid from jsonb_array_elements(cs) b where b -> 'group' ->> 1 is not null);
  c jsonb;
begin
  perform 1 from resource_provider where id = any(all_raised) order by id for no key update;
  perform 1 from instance where id = any(instances) order by id for no key update;
  perform 1 from migration where id = any(migrations) order by id for no key update;
  perform 1 from instance_group where id = any(groups) order by id for no key update;
  perform count_before_claims(count(*), min(most)) from jsonb_to_recordset(cs) b(most bigint) where most is not null
  having count(*) > 0;
  for c in select value from jsonb_array_elements(cs) loop
    answer := coalesce(lost_basis(c, lost), commit_change(c || '{"locked": true}'));
    if answer ? 'conflict' then lost := lost || (c ->> 'raise')::uuid[]; end if;
    answers := answers || jsonb_build_array(answer);
  end loop;
  return answers;
end $$;

-- The conflict of a change that was decided on the result of an uncommitted one, because another write may have raised
-- the same generation; null for other changes.
create or replace function lost_basis(c jsonb, lost uuid[]) returns jsonb language sql immutable as $$
  select jsonb_build_object('conflict', jsonb_build_object('on', 'provider', 'id', p ->> 0, 'expected', p ->> 1,
    'found', 'the write that it relies on was not committed'))
  from jsonb_array_elements(c -> 'providers') p where lost <> '{}' and (p ->> 2)::boolean and (p ->> 0)::uuid = any(lost)
  limit 1
$$;

-- Returns every generation that the change raised.
create or replace function apply_change(c jsonb) returns jsonb language plpgsql as $$
declare
  at constant timestamptz := c ->> 'at';
  e constant jsonb := c -> 'event';
  raised jsonb;
  touched uuid[] := '{}';
  w jsonb;
begin
  raised := lock_and_check(c);
  for w in select value from jsonb_array_elements(c -> 'writes') loop
    case w ->> 'do'
      when 'take' then perform take_claims(jsonb_build_array(w));
      when 'release' then touched := touched || release_consumers(array[(w ->> 'consumer')::uuid]);
      when 'exchange' then touched := touched || exchange_claims(jsonb_build_array(w -> 'pair'));
      when 'insert-migration' then perform insert_migrations(jsonb_build_array(w -> 'row'));
      when 'put-migration' then
        if not put_migrations(jsonb_build_array(w -> 'row')) then
          perform raise_conflict('migration', w -> 'row' ->> 'id', 'present', 'absent');
        end if;
      when 'put-step' then perform put_steps(jsonb_build_array(w -> 'row'));
      when 'insert-instance', 'update-instance', 'delete-instance' then perform write_instance(w, at);
      when 'set-host', 'note-remains', 'clear-remains' then perform write_host(w, at);
      when 'raise-instance' then update instance set generation = generation + 1 where id = (w ->> 'id')::uuid;
      when 'raise-migration' then update migration set generation = generation + 1 where id = (w ->> 'id')::uuid;
      when 'row' then perform write_row(w, at);
    end case;
  end loop;
  raised := raised || raise_touched(touched, raised);
  insert into outbox (kind, hosts, instance_id, migration_id, data, raised, who, request, reason, at)
  select e ->> 'kind', (e ->> 'hosts')::uuid[], (e ->> 'instance')::uuid, (e ->> 'migration')::uuid,
    e -> 'data', raised, c ->> 'who', c ->> 'request', c ->> 'reason', at
  where not e ? 'quiet' or raised <> '{}';
  if c ->> 'request' is not null then
    insert into audit_entry (at, who, request, reason, action, hosts, instance_id, migration_id, data, origin)
    select at, c ->> 'who', c ->> 'request', c ->> 'reason', e ->> 'kind', (e ->> 'hosts')::uuid[],
      (e ->> 'instance')::uuid, (e ->> 'migration')::uuid, e -> 'data', c -> 'origin';
  end if;
  return raised;
end $$;

-- Checks preconditions after taking each lock, in one global order: providers by id, instance, migration, group.
-- Returns the new generations of the providers: of each whose rows are written, roots and children alike, because a
-- client with a stale read must be refused.
create or replace function lock_and_check(c jsonb) returns jsonb language plpgsql as $$
declare
  ids constant uuid[] := raised_by((c ->> 'raise')::uuid[], (c ->> 'consumers')::uuid[], coalesce((c ->> 'kept')::uuid[], '{}'));
  raised jsonb := '{}';
  g jsonb;
  found_generation bigint;
  found_fence bigint;
begin
  -- From here on `past_at` returns the time of the change.
  perform set_config('berth.at', c ->> 'at', true);
  perform set_config('berth.moments', '', true);
  if cardinality(ids) > 1 then
    perform 1 from resource_provider where id = any(ids) order by id for no key update;
  end if;
  if ids <> '{}' then
    with up as (
      update resource_provider set generation = generation + 1 where id = any(ids) returning id, generation)
    select coalesce(jsonb_object_agg(id, generation), '{}') into raised from up;
  end if;
  for g in select value from jsonb_array_elements(c -> 'providers') loop
    found_generation := raised ->> (g ->> 0);
    if found_generation is null or found_generation - 1 <> (g ->> 1)::bigint then
      perform raise_conflict('provider', g ->> 0, coalesce(g ->> 1, 'any'), (found_generation - 1)::text);
    end if;
  end loop;
  if c ? 'further' then perform check_further(c); end if;
  g := nullif(c -> 'instance', 'null');
  if g is not null then
    select generation into found_generation from instance where id = (g ->> 0)::uuid for no key update;
    if found_generation is distinct from (g ->> 1)::bigint then
      perform raise_conflict('instance', g ->> 0, g ->> 1, found_generation::text);
    end if;
  end if;
  g := nullif(c -> 'migration', 'null');
  if g is not null then
    select generation, fence into found_generation, found_fence from migration where id = (g ->> 0)::uuid
    for no key update;
    if found_generation is not null and found_fence <> (g ->> 2)::bigint then
      perform raise_conflict('fence', g ->> 0, g ->> 2, found_fence::text);
    end if;
    if found_generation is distinct from (g ->> 1)::bigint then
      perform raise_conflict('migration', g ->> 0, g ->> 1, found_generation::text);
    end if;
  end if;
  g := nullif(c -> 'group', 'null');
  if g is not null and g ->> 1 is null then
    perform check_soft((g ->> 0)::uuid);
  elsif g is not null then
    update instance_group set generation = generation + 1 where id = (g ->> 0)::uuid
    returning generation into found_generation;
    if found_generation is null or found_generation - 1 <> (g ->> 1)::bigint then
      perform raise_conflict('group', g ->> 0, g ->> 1, (found_generation - 1)::text);
    end if;
  end if;
  if c ? 'most' then perform check_limit(c); end if;
  return raised;
end $$;

-- The lock is the one of the reference that a new member writes, so members do not wait for each other.
create or replace function check_soft(the_group uuid) returns void language plpgsql as $$
declare
  found_policy text;
begin
  select policy into found_policy from instance_group where id = the_group for key share;
  if found_policy is null or found_policy not in ('soft-affinity', 'soft-anti-affinity') then
    perform raise_conflict('group', the_group::text, 'a soft policy', found_policy);
  end if;
end $$;

create or replace function check_limit(c jsonb) returns void language plpgsql as $$
declare
  most constant bigint := c ->> 'most';
  counted constant bigint := case when c ? 'locked' then count_in_flight() else count_before_claims(1, most) end;
begin
  if counted >= most then
    perform raise_conflict('limit', c -> 'migration' ->> 0, format('fewer than %s in flight', most), counted::text);
  end if;
end $$;

drop function if exists check_limit(text, bigint);

-- Locks all instances of a repair in order, and checks those besides its subject.
create or replace function check_further(c jsonb) returns void language plpgsql as $$
begin
  perform 1 from instance
  where id = (c -> 'instance' ->> 0)::uuid or id in (select (f ->> 0)::uuid from jsonb_array_elements(c -> 'further') f)
  order by id for no key update;
  perform raise_conflict('instance', f ->> 0, f ->> 1, i.generation::text)
  from jsonb_array_elements(c -> 'further') f left join instance i on i.id = (f ->> 0)::uuid
  where i.generation is distinct from (f ->> 1)::bigint;
end $$;

-- Raises the providers of allocations that a consumer got between the read and the locks too: the projections of other
-- servers only reread a host when its root was raised.
create or replace function raise_touched(touched uuid[], raised jsonb) returns jsonb language plpgsql as $$
declare
  more jsonb;
begin
  if touched = '{}' or not exists (select 1 from unnest(touched) t where not raised ? t::text) then return '{}'; end if;
  with up as (
    update resource_provider set generation = generation + 1 where id = any(touched) and not raised ? id::text
    returning id, generation)
  select coalesce(jsonb_object_agg(id, generation), '{}') into more from up;
  return more;
end $$;

-- Maps a violated constraint to a conflict; null when it must be raised again.
create or replace function conflict_of(law text, c jsonb) returns jsonb language plpgsql as $$
declare
  answer jsonb;
begin
  case law
    when 'unit_holding_pkey' then
      select jsonb_build_object('on', 'unit', 'id', u.name, 'expected', 'free', 'found', k.consumer_id) into answer
      from jsonb_array_elements(c -> 'writes') w
      cross join lateral jsonb_array_elements(w -> 'units') x
      join unit u on u.host_id = (w ->> 'host')::uuid and u.name = x ->> 0
      join unit_holding h on h.unit_id = u.id or h.unit_id in (select ch.id from unit ch where ch.parent_id = u.id)
      join claim k on k.id = h.claim_id
      where w ->> 'do' = 'take' limit 1;
      return coalesce(answer, jsonb_build_object('on', 'unit', 'id', '', 'expected', 'free', 'found', 'released'));
    when 'allocation_pkey' then
      -- Another client has allocations under this id: reported like every other conflict on its consumer.
      select jsonb_build_object('on', 'owner', 'id', k.id, 'expected', 'Berth', 'found', k.owner_kind || ' ' || k.owner_name)
      into answer
      from jsonb_array_elements(c -> 'writes') w join consumer k on k.id = (w ->> 'consumer')::uuid
      where w ->> 'do' = 'take' and k.owner_kind <> 'berth' limit 1;
      return coalesce(answer, row_made_meanwhile(law, c));
    when 'migration_one_active_per_instance' then
      select jsonb_build_object('on', 'active-migration', 'id', m.instance_id, 'expected', 'none', 'found', m.id)
      into answer
      from jsonb_array_elements(c -> 'writes') w
      join migration m on m.instance_id = (w -> 'row' ->> 'instance_id')::uuid and m.outcome is null
      where w ->> 'do' = 'insert-migration' limit 1;
      return coalesce(answer, jsonb_build_object('on', 'active-migration', 'id', '', 'expected', 'none', 'found', 'ended'));
    when 'instance_pkey' then
      return jsonb_build_object('on', 'instance', 'id', c -> 'event' ->> 'instance', 'expected', 'absent',
        'found', 'present');
    when 'migration_pkey' then
      return jsonb_build_object('on', 'migration', 'id', c -> 'event' ->> 'migration', 'expected', 'absent',
        'found', 'present');
    else
      return row_made_meanwhile(law, c);
  end case;
end $$;

-- A line whose new row was created meanwhile, under the same key or the same unique name; null when no line is written.
create or replace function row_made_meanwhile(law text, c jsonb) returns jsonb language sql immutable as $$
  select case when writes_rows(c) then
    jsonb_build_object('on', 'row', 'id', law, 'expected', 'absent', 'found', 'present') end
$$;
