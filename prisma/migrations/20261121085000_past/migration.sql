-- How it was (docs/decisions/0101-the-past-is-rows-that-ended.md). A row of the ledger knows since when it reads as it
-- does; when it changes or goes, what it was is kept with when that ended. Taking a claim costs nothing more: it ends
-- nothing. Whoever changes a row, by a commit, a heal or a database client, leaves the same trace.

-- CreateTable
CREATE TABLE "past_claim" (
    "id" BIGSERIAL NOT NULL,
    "claim_id" UUID NOT NULL,
    "consumer_id" UUID NOT NULL,
    "consumer_kind" TEXT NOT NULL,
    "instance_id" UUID NOT NULL,
    "instance_name" TEXT NOT NULL,
    "host_id" UUID NOT NULL,
    "taken_at" TIMESTAMPTZ(3) NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "past_claim_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "past_cell" (
    "id" BIGSERIAL NOT NULL,
    "claim_id" UUID NOT NULL,
    "cell" JSONB NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "past_cell_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "past_unit" (
    "id" BIGSERIAL NOT NULL,
    "claim_id" UUID NOT NULL,
    "unit_id" BIGINT NOT NULL,
    "use" TEXT NOT NULL,
    "request_id" TEXT,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "past_unit_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "past_allocation" (
    "id" BIGSERIAL NOT NULL,
    "consumer_id" UUID NOT NULL,
    "provider_id" UUID NOT NULL,
    "resource_class" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "past_allocation_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "past_claim_host_id_until_idx" ON "past_claim"("host_id", "until");
CREATE INDEX "past_claim_claim_id_idx" ON "past_claim"("claim_id");
CREATE INDEX "past_claim_until_idx" ON "past_claim"("until");
CREATE INDEX "past_cell_claim_id_until_idx" ON "past_cell"("claim_id", "until");
CREATE INDEX "past_cell_until_idx" ON "past_cell"("until");
CREATE INDEX "past_unit_claim_id_until_idx" ON "past_unit"("claim_id", "until");
CREATE INDEX "past_unit_unit_id_idx" ON "past_unit"("unit_id");
CREATE INDEX "past_unit_until_idx" ON "past_unit"("until");
CREATE INDEX "past_allocation_consumer_id_until_idx" ON "past_allocation"("consumer_id", "until");
CREATE INDEX "past_allocation_until_idx" ON "past_allocation"("until");

-- The moment of the change that is being applied; for who writes without one, the transaction's.
create function past_at() returns timestamptz language sql stable as $$
  select coalesce(nullif(current_setting('berth.at', true), '')::timestamptz, now())
$$;

-- The first thing that a change does is to lock and check, so from there on its moment is known.
alter function lock_and_check(jsonb) rename to lock_and_check_generations;
create function lock_and_check(c jsonb) returns jsonb language plpgsql as $$
begin
  perform set_config('berth.at', c ->> 'at', true);
  return lock_and_check_generations(c);
end $$;

ALTER TABLE "claim" ADD COLUMN "since" TIMESTAMPTZ(3) NOT NULL DEFAULT now();
ALTER TABLE "claim_cell" ADD COLUMN "since" TIMESTAMPTZ(3) NOT NULL DEFAULT now();
ALTER TABLE "unit_holding" ADD COLUMN "since" TIMESTAMPTZ(3) NOT NULL DEFAULT now();
ALTER TABLE "allocation" ADD COLUMN "since" TIMESTAMPTZ(3) NOT NULL DEFAULT now();
ALTER TABLE "claim" ALTER COLUMN "since" SET DEFAULT past_at();
ALTER TABLE "claim_cell" ALTER COLUMN "since" SET DEFAULT past_at();
ALTER TABLE "unit_holding" ALTER COLUMN "since" SET DEFAULT past_at();
ALTER TABLE "allocation" ALTER COLUMN "since" SET DEFAULT past_at();

create function stamp_since() returns trigger language plpgsql as $$
begin
  new.since := past_at();
  return new;
end $$;

create function keep_past_claim() returns trigger language plpgsql as $$
begin
  insert into past_claim (claim_id, consumer_id, consumer_kind, instance_id, instance_name, host_id, taken_at, since, until)
  select g.id, g.consumer_id, g.consumer_kind, g.instance_id,
    coalesce((select i.name from instance i where i.id = g.instance_id), ''), g.host_id, g.taken_at, g.since, past_at()
  from gone g where g.since < past_at();
  return null;
end $$;

create function keep_past_cell() returns trigger language plpgsql as $$
begin
  insert into past_cell (claim_id, cell, since, until)
  select g.claim_id, to_jsonb(g) - 'claim_id' - 'since', g.since, past_at() from gone g where g.since < past_at();
  return null;
end $$;

create function keep_past_unit() returns trigger language plpgsql as $$
begin
  insert into past_unit (claim_id, unit_id, use, request_id, since, until)
  select g.claim_id, g.unit_id, g.use, g.request_id, g.since, past_at() from gone g where g.since < past_at();
  return null;
end $$;

create function keep_past_allocation() returns trigger language plpgsql as $$
begin
  insert into past_allocation (consumer_id, provider_id, resource_class, amount, since, until)
  select g.consumer_id, g.provider_id, g.resource_class, g.amount, g.since, past_at() from gone g where g.since < past_at();
  return null;
end $$;

create trigger stamp before update on claim for each row execute function stamp_since();
create trigger stamp before update on claim_cell for each row execute function stamp_since();
create trigger stamp before update on unit_holding for each row execute function stamp_since();
create trigger stamp before update on allocation for each row execute function stamp_since();

create trigger past_changed after update on claim referencing old table as gone for each statement execute function keep_past_claim();
create trigger past_ended after delete on claim referencing old table as gone for each statement execute function keep_past_claim();
create trigger past_changed after update on claim_cell referencing old table as gone for each statement execute function keep_past_cell();
create trigger past_ended after delete on claim_cell referencing old table as gone for each statement execute function keep_past_cell();
create trigger past_changed after update on unit_holding referencing old table as gone for each statement execute function keep_past_unit();
create trigger past_ended after delete on unit_holding referencing old table as gone for each statement execute function keep_past_unit();
create trigger past_changed after update on allocation referencing old table as gone for each statement execute function keep_past_allocation();
create trigger past_ended after delete on allocation referencing old table as gone for each statement execute function keep_past_allocation();

-- Before this moment nobody kept anything; forgetting moves it on.
insert into setting (name, value) values ('past-since', to_jsonb(ms(now())));
