-- CreateTable
CREATE TABLE "run" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "host_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "fallback" TEXT NOT NULL,
    "others" BOOLEAN NOT NULL,
    "plan_version" INTEGER NOT NULL,
    "took_ms" INTEGER NOT NULL,
    "replan_because" TEXT,
    "note" TEXT,
    "who" TEXT NOT NULL,
    "request" TEXT,
    "reason" TEXT,
    "generation" BIGINT NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_move" (
    "run_id" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "instance_id" UUID NOT NULL,
    "instance_name" TEXT NOT NULL,
    "from_host" UUID NOT NULL,
    "to_host" UUID,
    "method" TEXT,
    "helper" BOOLEAN NOT NULL,
    "after" INTEGER[],
    "wave" INTEGER NOT NULL,
    "priority" INTEGER NOT NULL,
    "chosen" TEXT,
    "body" JSONB,
    "why" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "migration_id" UUID,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "note" TEXT,

    CONSTRAINT "run_move_pkey" PRIMARY KEY ("run_id","n")
);

-- CreateTable
CREATE TABLE "run_diff" (
    "run_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "because" TEXT NOT NULL,
    "lines" JSONB NOT NULL,

    CONSTRAINT "run_diff_pkey" PRIMARY KEY ("run_id","version")
);

-- CreateIndex
CREATE INDEX "run_host_id_idx" ON "run"("host_id");

-- CreateIndex
CREATE INDEX "run_created_at_idx" ON "run"("created_at");

-- CreateIndex
CREATE INDEX "run_move_instance_id_idx" ON "run_move"("instance_id");

-- CreateIndex
CREATE INDEX "run_move_migration_id_idx" ON "run_move"("migration_id");

-- AddForeignKey
ALTER TABLE "run_move" ADD CONSTRAINT "run_move_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_diff" ADD CONSTRAINT "run_diff_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Prisma cannot say what follows.

alter table run
  add check (kind in ('drain', 'evacuation')),
  add check (state in ('draft', 'running', 'paused', 'stopping', 'done', 'stopped')),
  add check (fallback in ('cold', 'stay', 'stop')),
  add check ((ended_at is not null) = (state in ('done', 'stopped'))),
  add check (started_at is not null or state in ('draft', 'stopped'));

alter table run_move
  add check (state in ('planned', 'waiting', 'moving', 'done', 'failed', 'skipped', 'stays', 'blocked')),
  add check (state <> 'moving' or migration_id is not null),
  add check (state not in ('planned', 'moving') or to_host is not null);

-- Two plans that empty one host would order each other's moves.
create unique index run_one_active_per_host on run (host_id) where state in ('running', 'paused', 'stopping');
create unique index run_move_one_migration on run_move (migration_id) where migration_id is not null;
