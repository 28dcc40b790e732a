-- How far each host's reshape from flat to nested is, and the waves that carry it from host to host.

-- CreateTable
CREATE TABLE "layout_marker" (
    "host_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "why" TEXT,
    "by" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL,
    "wave_id" UUID,

    CONSTRAINT "layout_marker_pkey" PRIMARY KEY ("host_id")
);

-- CreateTable
CREATE TABLE "layout_wave" (
    "id" UUID NOT NULL,
    "hosts" UUID[],
    "by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL,
    "next" INTEGER NOT NULL,
    "healed" INTEGER NOT NULL,
    "skipped" INTEGER NOT NULL,
    "blocked" INTEGER NOT NULL,
    "failed_host" UUID,
    "why" TEXT,

    CONSTRAINT "layout_wave_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "layout_wave_at_idx" ON "layout_wave"("at");

-- At most one wave may still go on: two would reshape hosts in an order nobody asked for.
create unique index layout_wave_one_open on layout_wave ((true))
  where state in ('running', 'paused') or (state = 'stopped' and failed_host is not null);

alter table layout_marker add check (state in ('planned', 'blocked', 'healed', 'verified', 'failed'));
alter table layout_wave add check (state in ('running', 'paused', 'stopped', 'done'));

-- Children may be counted in classes, and have traits, that nobody has named before.
create function need_word(t text, made jsonb) returns void language plpgsql as $$
begin
  case t
    when 'inventory' then
      insert into resource_class (name) values (made ->> 'resource_class') on conflict do nothing;
    when 'provider_trait' then
      insert into trait (name) values (made ->> 'trait') on conflict do nothing;
    else null;
  end case;
end $$;

-- Markers and waves are rows that lines may name, and made rows bring their words along.
create or replace function write_row(w jsonb, at timestamptz) returns void language plpgsql as $$
declare
  t constant text := w ->> 'table';
  k constant jsonb := as_stored(t, row_key(w));
  b constant jsonb := as_stored(t, nullif(w -> 'before', 'null'));
  a constant jsonb := as_stored(t, nullif(w -> 'after', 'null'));
  same constant text := (
    select string_agg(format('r.%1$I is not distinct from k.%1$I', key), ' and ') from jsonb_object_keys(k) key);
  made jsonb;
  whole jsonb;
  seen jsonb;
begin
  if t not in ('consumer', 'claim', 'allocation', 'claim_cell', 'unit_holding', 'instance', 'host_remain', 'host',
    'resource_provider', 'inventory', 'provider_trait', 'unit', 'layout_marker', 'layout_wave') then
    raise exception 'no line may name the table %', t;
  end if;
  execute format('select to_jsonb(r) from %1$I r, jsonb_populate_record(null::%1$I, $1) k where %2$s for update of r', t, same)
  into whole using k;
  if whole is not null then
    select coalesce(jsonb_object_agg(key, whole -> key), '{}') into seen from jsonb_object_keys(coalesce(b, '{}')) key;
  end if;
  if seen is distinct from b then
    perform raise_conflict('row', t || ' ' || (w -> 'key')::text, coalesce(b::text, 'absent'), coalesce(seen, whole)::text);
  end if;
  if a is null then
    execute format('delete from %1$I r using jsonb_populate_record(null::%1$I, $1) k where %2$s', t, same) using k;
  elsif b is null then
    made := k || a;
    made := made || row_extras(t, made, at);
    perform need_word(t, made);
    execute format('insert into %1$I (%2$s) select %3$s from jsonb_populate_record(null::%1$I, $1) r', t,
      (select string_agg(format('%I', key), ', ') from jsonb_object_keys(made) key),
      (select string_agg(format('r.%I', key), ', ') from jsonb_object_keys(made) key)) using made;
  elsif a <> b then
    execute format('update %1$I r set %3$s from jsonb_populate_record(null::%1$I, $1) k, jsonb_populate_record(null::%1$I, $2) n where %2$s',
      t, same, (select string_agg(format('%1$I = n.%1$I', key), ', ') from jsonb_object_keys(a) key)) using k, a;
  end if;
end $$;

-- Two who make the same row at once: one lands, the other is told so.
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
      -- A line that makes a row which somebody made meanwhile, under the same key or the same unique name.
      if exists (select 1 from jsonb_array_elements(c -> 'writes') w where w ->> 'do' = 'row') then
        return jsonb_build_object('on', 'row', 'id', law, 'expected', 'absent', 'found', 'present');
      end if;
      return null;
  end case;
end $$;
