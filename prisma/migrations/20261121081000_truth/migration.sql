-- CreateTable
CREATE TABLE "host_survey" (
    "host_id" UUID NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "answered" BOOLEAN NOT NULL,
    "answered_at" TIMESTAMPTZ(3),
    "guests" JSONB,
    "digest" TEXT,
    "since" TIMESTAMPTZ(3),
    "earlier_at" TIMESTAMPTZ(3),
    "earlier_guests" JSONB,

    CONSTRAINT "host_survey_pkey" PRIMARY KEY ("host_id")
);

-- CreateTable
CREATE TABLE "standing_audit" (
    "id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3),
    "took_ms" INTEGER,
    "cold_at" TIMESTAMPTZ(3),
    "hosts" INTEGER NOT NULL DEFAULT 0,
    "instances" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "standing_audit_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "finding" (
    "id" UUID NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "confidence" TEXT NOT NULL,
    "host_id" UUID,
    "instance_id" UUID,
    "migration_id" UUID,
    "unit" TEXT,
    "body" JSONB NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "finding_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "heal_plan" (
    "id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,
    "made_by" TEXT NOT NULL,
    "reason" TEXT,
    "undo_of" UUID,
    "undone_by" UUID,
    "replaced_by" UUID,
    "verified_at" TIMESTAMPTZ(3),
    "verified_left" INTEGER,

    CONSTRAINT "heal_plan_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "heal_part" (
    "plan_id" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "finding_id" UUID NOT NULL,
    "part" JSONB NOT NULL,
    "changed" INTEGER[],
    "state" TEXT NOT NULL,
    "applied_at" TIMESTAMPTZ(3),
    "conflict" JSONB,

    CONSTRAINT "heal_part_pkey" PRIMARY KEY ("plan_id","n")
);

-- CreateTable
CREATE TABLE "heal_rule" (
    "kind" TEXT NOT NULL,
    "on" BOOLEAN NOT NULL,
    "daily_cap" INTEGER NOT NULL,
    "by" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "day" DATE NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "heal_rule_pkey" PRIMARY KEY ("kind")
);

-- CreateTable
CREATE TABLE "proposal" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "host_id" UUID,
    "truth" TEXT,
    "plan_id" UUID,
    "parts" INTEGER[],
    "reason" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL,
    "decided_by" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "decided_reason" TEXT,

    CONSTRAINT "proposal_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "finding_fingerprint_key" ON "finding"("fingerprint");

-- CreateIndex
CREATE INDEX "finding_host_id_idx" ON "finding"("host_id");

-- CreateIndex
CREATE INDEX "finding_instance_id_idx" ON "finding"("instance_id");

-- CreateIndex
CREATE INDEX "finding_migration_id_idx" ON "finding"("migration_id");

-- CreateIndex
CREATE INDEX "finding_closed_at_idx" ON "finding"("closed_at");

-- CreateIndex
CREATE INDEX "heal_plan_made_at_idx" ON "heal_plan"("made_at");

-- CreateIndex
CREATE INDEX "heal_part_finding_id_idx" ON "heal_part"("finding_id");

-- CreateIndex
CREATE INDEX "proposal_state_at_idx" ON "proposal"("state", "at");

-- AddForeignKey
ALTER TABLE "host_survey" ADD CONSTRAINT "host_survey_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "heal_part" ADD CONSTRAINT "heal_part_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "heal_plan"("id") ON DELETE CASCADE ON UPDATE CASCADE;

insert into standing_audit (id) values (1);

-- The audit reads moves that are under way, those that ended a short while ago, and those that still hold something.
create index migration_ended_at on migration (ended_at) where outcome is not null;
create index claim_of_migrations on claim (consumer_id) where consumer_kind = 'migration';

-- Words.
alter table standing_audit add constraint standing_audit_one_row check (id = 1);
alter table finding
  add constraint finding_severity check (severity in ('harm', 'leak', 'doubt')),
  add constraint finding_confidence check (confidence in ('sure', 'likely', 'once'));
alter table heal_plan add constraint heal_plan_state
  check (state in ('draft', 'applied', 'partly-applied', 'changed', 'undone'));
alter table heal_part add constraint heal_part_state
  check (state in ('open', 'applied', 'changed', 'undone', 'left-out'));
alter table heal_rule add constraint heal_rule_counts check (daily_cap >= 0 and used >= 0);
alter table proposal
  add constraint proposal_kind check (
    (kind = 'host-truth' and host_id is not null and truth is not null)
    or (kind = 'heal' and plan_id is not null)),
  add constraint proposal_truth check (truth in ('up', 'down', 'fenced', 'gone')),
  add constraint proposal_state check (state in ('open', 'approved', 'refused', 'withdrawn', 'expired'));
-- One open question of a kind about one thing: asking again is the same question.
create unique index proposal_one_open_host on proposal (host_id, truth) where state = 'open' and kind = 'host-truth';
create unique index proposal_one_open_heal on proposal (plan_id) where state = 'open' and kind = 'heal';
