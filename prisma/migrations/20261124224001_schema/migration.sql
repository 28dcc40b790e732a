-- What prisma/schema says: tables, keys, indexes and references. Prisma wrote it; the rest is in the next migration.

-- Columns have it as their default, so it stands before them. As everywhere, prisma/functions says what it is today.
create or replace function past_at() returns timestamptz language sql stable as $$
  select coalesce(nullif(current_setting('berth.at', true), '')::timestamptz, now())
$$;

CREATE TABLE "audit_entry" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "who" TEXT NOT NULL,
    "request" TEXT,
    "reason" TEXT,
    "action" TEXT NOT NULL,
    "hosts" UUID[],
    "instance_id" UUID,
    "migration_id" UUID,
    "data" JSONB NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "auth_user" (
    "id" TEXT NOT NULL,
    "username" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "role" TEXT NOT NULL DEFAULT 'viewer',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "auth_user_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "auth_session" (
    "id" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "auth_session_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "auth_account" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "auth_account_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "auth_verification" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "auth_verification_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "auth_rate_limit" (
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "last_request" BIGINT NOT NULL,

    CONSTRAINT "auth_rate_limit_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "auth_secret" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "value" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "auth_secret_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "claim" (
    "id" UUID NOT NULL,
    "consumer_id" UUID NOT NULL,
    "consumer_kind" TEXT NOT NULL,
    "instance_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "taken_at" TIMESTAMPTZ(3) NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT past_at(),

    CONSTRAINT "claim_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "claim_cell" (
    "claim_id" UUID NOT NULL,
    "guest_cell" INTEGER NOT NULL,
    "host_cell" INTEGER NOT NULL,
    "memory_mib" BIGINT NOT NULL,
    "page_kib" INTEGER,
    "shared_vcpus" INTEGER[],
    "pins" JSONB NOT NULL,
    "reserved_cpus" INTEGER[],
    "cpu_policy" TEXT,
    "thread_policy" TEXT,
    "reserved_shares_core" BOOLEAN NOT NULL DEFAULT false,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT past_at(),

    CONSTRAINT "claim_cell_pkey" PRIMARY KEY ("claim_id","guest_cell")
);

CREATE TABLE "unit_holding" (
    "unit_id" BIGINT NOT NULL,
    "claim_id" UUID NOT NULL,
    "use" TEXT NOT NULL,
    "request_id" TEXT,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT past_at(),

    CONSTRAINT "unit_holding_pkey" PRIMARY KEY ("unit_id")
);

CREATE TABLE "consumer" (
    "id" UUID NOT NULL,
    "generation" BIGINT NOT NULL DEFAULT 1,
    "type" TEXT NOT NULL,
    "project" TEXT NOT NULL DEFAULT '',
    "user" TEXT NOT NULL DEFAULT '',
    "owner_kind" TEXT NOT NULL DEFAULT 'unknown',
    "owner_id" TEXT NOT NULL DEFAULT '',
    "owner_name" TEXT NOT NULL DEFAULT '',
    "written_at" TIMESTAMPTZ(3),
    "written_request" TEXT,

    CONSTRAINT "consumer_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "allocation" (
    "consumer_id" UUID NOT NULL,
    "provider_id" UUID NOT NULL,
    "resource_class" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT past_at(),

    CONSTRAINT "allocation_pkey" PRIMARY KEY ("consumer_id","provider_id","resource_class") DEFERRABLE INITIALLY IMMEDIATE
);

CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "hosts" UUID[],
    "instance_id" UUID,
    "migration_id" UUID,
    "data" JSONB NOT NULL,
    "raised" JSONB NOT NULL,
    "who" TEXT NOT NULL,
    "request" TEXT,
    "reason" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "event" (
    "sequence" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "hosts" UUID[],
    "instance_id" UUID,
    "migration_id" UUID,
    "data" JSONB NOT NULL,
    "raised" JSONB NOT NULL,
    "who" TEXT NOT NULL,
    "request" TEXT,
    "reason" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("sequence")
);

CREATE TABLE "relay" (
    "id" INTEGER NOT NULL,
    "last" BIGINT NOT NULL,

    CONSTRAINT "relay_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "host" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'up',
    "scheduling" TEXT NOT NULL DEFAULT 'enabled',
    "reason" TEXT,
    "zone" TEXT,
    "cpu" JSONB NOT NULL,
    "layout" TEXT NOT NULL DEFAULT 'flat',
    "driver" TEXT NOT NULL,
    "connection" JSONB,
    "digest" TEXT NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "resumes_guests" BOOLEAN NOT NULL DEFAULT false,
    "memory" TEXT NOT NULL DEFAULT 'exact',

    CONSTRAINT "host_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "numa_cell" (
    "host_id" UUID NOT NULL,
    "cell" INTEGER NOT NULL,
    "socket" INTEGER,
    "shared_cpus" INTEGER[],
    "dedicated_cpus" INTEGER[],
    "siblings" JSONB NOT NULL,
    "memory_mib" BIGINT NOT NULL,
    "pages" JSONB NOT NULL,
    "network" JSONB,
    "distances" INTEGER[],

    CONSTRAINT "numa_cell_pkey" PRIMARY KEY ("host_id","cell")
);

CREATE TABLE "unit" (
    "id" BIGSERIAL NOT NULL,
    "host_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "cell" INTEGER,
    "parent_id" BIGINT,
    "resource_class" TEXT,
    "provider" TEXT,
    "pci" JSONB,
    "mdev_type" TEXT,
    "size_mib" BIGINT,
    "state" TEXT NOT NULL DEFAULT 'present',

    CONSTRAINT "unit_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "host_remain" (
    "id" BIGSERIAL NOT NULL,
    "host_id" UUID NOT NULL,
    "instance_id" UUID NOT NULL,
    "migration_id" UUID,
    "side" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "host_remain_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "instance" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "project" TEXT NOT NULL,
    "flavor" JSONB NOT NULL,
    "image" JSONB NOT NULL,
    "host_id" UUID,
    "vm_state" TEXT NOT NULL,
    "zone" TEXT,
    "group_id" UUID,
    "generation" BIGINT NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "power_request" JSONB,

    CONSTRAINT "instance_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "instance_group" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "policy" TEXT NOT NULL,
    "max_per_host" INTEGER NOT NULL DEFAULT 1,
    "generation" BIGINT NOT NULL DEFAULT 1,

    CONSTRAINT "instance_group_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "flavor" (
    "name" TEXT NOT NULL,
    "vcpus" INTEGER NOT NULL,
    "memory_mib" BIGINT NOT NULL,
    "disk_gib" BIGINT NOT NULL,
    "extra_specs" JSONB NOT NULL,

    CONSTRAINT "flavor_pkey" PRIMARY KEY ("name")
);

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

CREATE TABLE "migration" (
    "id" UUID NOT NULL,
    "instance_id" UUID NOT NULL,
    "instance_name" TEXT NOT NULL DEFAULT '',
    "operation" TEXT NOT NULL,
    "source" UUID,
    "target" UUID,
    "requested_target" UUID,
    "new_flavor" JSONB NOT NULL,
    "new_image" JSONB NOT NULL,
    "old_flavor" JSONB NOT NULL,
    "old_image" JSONB NOT NULL,
    "was_running" BOOLEAN NOT NULL,
    "step" TEXT NOT NULL,
    "direction" TEXT NOT NULL,
    "home" TEXT NOT NULL,
    "handed_over" BOOLEAN NOT NULL,
    "forced" BOOLEAN NOT NULL,
    "keeps_claim" BOOLEAN NOT NULL,
    "requested_action" TEXT,
    "cause" JSONB,
    "outcome" TEXT,
    "waiting" JSONB,
    "progress" JSONB,
    "tried" UUID[],
    "attempt" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "step_since" TIMESTAMPTZ(3) NOT NULL,
    "confirm_window_ms" BIGINT,
    "generation" BIGINT NOT NULL DEFAULT 1,
    "fence" BIGINT NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "storage" TEXT,
    "storage_used" TEXT,
    "kept" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "migration_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "migration_step" (
    "migration_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "step" TEXT NOT NULL,
    "direction" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "result" TEXT,
    "note" TEXT,

    CONSTRAINT "migration_step_pkey" PRIMARY KEY ("migration_id","seq")
);

CREATE TABLE "lease" (
    "name" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "fence" BIGINT NOT NULL DEFAULT 1,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "every_ms" INTEGER,
    "began_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "lease_pkey" PRIMARY KEY ("name")
);

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

CREATE TABLE "past_cell" (
    "id" BIGSERIAL NOT NULL,
    "claim_id" UUID NOT NULL,
    "cell" JSONB NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "past_cell_pkey" PRIMARY KEY ("id")
);

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

CREATE TABLE "api_token" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "project" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_token_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "resource_class" (
    "name" TEXT NOT NULL,
    "ordinal" SERIAL NOT NULL,

    CONSTRAINT "resource_class_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "trait" (
    "name" TEXT NOT NULL,

    CONSTRAINT "trait_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "resource_provider" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "parent_id" UUID,
    "root_id" UUID NOT NULL,
    "generation" BIGINT NOT NULL DEFAULT 0,
    "cell" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "resource_provider_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "inventory" (
    "provider_id" UUID NOT NULL,
    "resource_class" TEXT NOT NULL,
    "total" BIGINT NOT NULL,
    "reserved" BIGINT NOT NULL DEFAULT 0,
    "min_unit" BIGINT NOT NULL DEFAULT 1,
    "max_unit" BIGINT NOT NULL,
    "step_size" BIGINT NOT NULL DEFAULT 1,
    "allocation_ratio_milli" INTEGER NOT NULL DEFAULT 1000,
    "allocation_ratio" DOUBLE PRECISION,
    "used" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "inventory_pkey" PRIMARY KEY ("provider_id","resource_class")
);

CREATE TABLE "provider_trait" (
    "provider_id" UUID NOT NULL,
    "trait" TEXT NOT NULL,

    CONSTRAINT "provider_trait_pkey" PRIMARY KEY ("provider_id","trait")
);

CREATE TABLE "aggregate" (
    "id" UUID NOT NULL,
    "name" TEXT,

    CONSTRAINT "aggregate_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "provider_aggregate" (
    "provider_id" UUID NOT NULL,
    "aggregate_id" UUID NOT NULL,

    CONSTRAINT "provider_aggregate_pkey" PRIMARY KEY ("provider_id","aggregate_id")
);

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

CREATE TABLE "run_diff" (
    "run_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "because" TEXT NOT NULL,
    "lines" JSONB NOT NULL,

    CONSTRAINT "run_diff_pkey" PRIMARY KEY ("run_id","version")
);

CREATE TABLE "pci_alias" (
    "name" TEXT NOT NULL,
    "spec" JSONB NOT NULL,
    "numa_policy" TEXT,

    CONSTRAINT "pci_alias_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "setting" (
    "name" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "by" TEXT,

    CONSTRAINT "setting_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "server_session" (
    "owner" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "clock_offset_ms" INTEGER,

    CONSTRAINT "server_session_pkey" PRIMARY KEY ("owner","started_at")
);

CREATE TABLE "simulator_record" (
    "kind" TEXT NOT NULL,
    "key" UUID NOT NULL,
    "version" BIGINT NOT NULL,
    "hosts" UUID[],
    "record" JSONB NOT NULL,

    CONSTRAINT "simulator_record_pkey" PRIMARY KEY ("kind","key")
);

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
    "previous_at" TIMESTAMPTZ(3),
    "devices" JSONB,
    "earlier_devices" JSONB,

    CONSTRAINT "host_survey_pkey" PRIMARY KEY ("host_id")
);

CREATE TABLE "guest_power" (
    "host_id" UUID NOT NULL,
    "instance_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "ran_before" BOOLEAN NOT NULL,
    "resume_asked_at" TIMESTAMPTZ(3),

    CONSTRAINT "guest_power_pkey" PRIMARY KEY ("host_id","instance_id")
);

CREATE TABLE "standing_audit" (
    "id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3),
    "took_ms" INTEGER,
    "cold_at" TIMESTAMPTZ(3),
    "hosts" INTEGER NOT NULL DEFAULT 0,
    "instances" INTEGER NOT NULL DEFAULT 0,
    "sequence" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "standing_audit_pkey" PRIMARY KEY ("id")
);

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
    "foreseen" JSONB,
    "found" JSONB,

    CONSTRAINT "heal_plan_pkey" PRIMARY KEY ("id")
);

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

CREATE TABLE "proposal" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "host_id" UUID,
    "status" TEXT,
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
    "consumer_id" UUID,
    "consumer_generation" BIGINT,

    CONSTRAINT "proposal_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "saved_view" (
    "id" UUID NOT NULL,
    "owner_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "shared" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "audit_entry_at_id_idx" ON "audit_entry"("at", "id");
CREATE INDEX "audit_entry_instance_id_idx" ON "audit_entry"("instance_id");
CREATE INDEX "audit_entry_migration_id_idx" ON "audit_entry"("migration_id");
CREATE UNIQUE INDEX "auth_user_username_key" ON "auth_user"("username");
CREATE UNIQUE INDEX "auth_user_email_key" ON "auth_user"("email");
CREATE UNIQUE INDEX "auth_session_token_key" ON "auth_session"("token");
CREATE INDEX "auth_session_user_id_idx" ON "auth_session"("user_id");
CREATE INDEX "auth_account_user_id_idx" ON "auth_account"("user_id");
CREATE UNIQUE INDEX "auth_account_provider_id_account_id_key" ON "auth_account"("provider_id", "account_id");
CREATE INDEX "auth_verification_identifier_idx" ON "auth_verification"("identifier");
CREATE UNIQUE INDEX "auth_rate_limit_key_key" ON "auth_rate_limit"("key");
CREATE INDEX "claim_host_id_idx" ON "claim"("host_id");
CREATE INDEX "claim_instance_id_idx" ON "claim"("instance_id");
CREATE INDEX "unit_holding_claim_id_idx" ON "unit_holding"("claim_id");
CREATE INDEX "consumer_project_idx" ON "consumer"("project");
CREATE INDEX "allocation_provider_id_resource_class_idx" ON "allocation"("provider_id", "resource_class");
CREATE INDEX "event_at_idx" ON "event"("at");
CREATE INDEX "event_instance_id_sequence_idx" ON "event"("instance_id", "sequence");
CREATE INDEX "event_migration_id_sequence_idx" ON "event"("migration_id", "sequence");
CREATE INDEX "event_hosts_idx" ON "event" USING GIN ("hosts");
CREATE UNIQUE INDEX "host_name_key" ON "host"("name");
CREATE UNIQUE INDEX "unit_host_id_name_key" ON "unit"("host_id", "name");
CREATE INDEX "host_remain_host_id_idx" ON "host_remain"("host_id");
CREATE INDEX "instance_name_id_idx" ON "instance"("name", "id");
CREATE INDEX "instance_host_id_idx" ON "instance"("host_id");
CREATE INDEX "instance_group_id_idx" ON "instance"("group_id");
CREATE UNIQUE INDEX "instance_group_name_key" ON "instance_group"("name");
CREATE INDEX "layout_wave_at_idx" ON "layout_wave"("at");
CREATE INDEX "migration_instance_id_idx" ON "migration"("instance_id");
CREATE INDEX "migration_created_at_id_idx" ON "migration"("created_at", "id");
CREATE INDEX "migration_operation_ended_at_idx" ON "migration"("operation", "ended_at");
CREATE INDEX "migration_source_target_operation_ended_at_idx" ON "migration"("source", "target", "operation", "ended_at");
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
CREATE UNIQUE INDEX "api_token_name_key" ON "api_token"("name");
CREATE UNIQUE INDEX "api_token_hash_key" ON "api_token"("hash");
CREATE UNIQUE INDEX "resource_provider_name_key" ON "resource_provider"("name");
CREATE INDEX "resource_provider_root_id_idx" ON "resource_provider"("root_id");
CREATE INDEX "resource_provider_parent_id_idx" ON "resource_provider"("parent_id");
CREATE INDEX "inventory_resource_class_idx" ON "inventory"("resource_class");
CREATE INDEX "provider_trait_trait_idx" ON "provider_trait"("trait");
CREATE UNIQUE INDEX "aggregate_name_key" ON "aggregate"("name");
CREATE INDEX "provider_aggregate_aggregate_id_idx" ON "provider_aggregate"("aggregate_id");
CREATE INDEX "run_host_id_idx" ON "run"("host_id");
CREATE INDEX "run_created_at_idx" ON "run"("created_at");
CREATE INDEX "run_move_instance_id_idx" ON "run_move"("instance_id");
CREATE INDEX "run_move_migration_id_idx" ON "run_move"("migration_id");
CREATE INDEX "server_session_seen_at_idx" ON "server_session"("seen_at");
CREATE INDEX "simulator_record_hosts_idx" ON "simulator_record" USING GIN ("hosts");
CREATE INDEX "guest_power_instance_id_idx" ON "guest_power"("instance_id");
CREATE UNIQUE INDEX "finding_fingerprint_key" ON "finding"("fingerprint");
CREATE INDEX "finding_host_id_idx" ON "finding"("host_id");
CREATE INDEX "finding_instance_id_idx" ON "finding"("instance_id");
CREATE INDEX "finding_migration_id_idx" ON "finding"("migration_id");
CREATE INDEX "finding_closed_at_idx" ON "finding"("closed_at");
CREATE INDEX "heal_plan_made_at_idx" ON "heal_plan"("made_at");
CREATE INDEX "heal_part_finding_id_idx" ON "heal_part"("finding_id");
CREATE INDEX "proposal_state_at_idx" ON "proposal"("state", "at");
CREATE INDEX "saved_view_path_idx" ON "saved_view"("path");
CREATE UNIQUE INDEX "saved_view_owner_id_path_name_key" ON "saved_view"("owner_id", "path", "name");

-- An exchange swaps the holders of two claims in one UPDATE, so this key and "allocation_pkey" are looked at when the
-- statement ends.
ALTER TABLE "claim" ADD CONSTRAINT "claim_consumer_id_key" UNIQUE ("consumer_id") DEFERRABLE INITIALLY IMMEDIATE;

ALTER TABLE "auth_session" ADD CONSTRAINT "auth_session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "auth_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "auth_account" ADD CONSTRAINT "auth_account_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "auth_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "claim" ADD CONSTRAINT "claim_consumer_id_fkey" FOREIGN KEY ("consumer_id") REFERENCES "consumer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "claim" ADD CONSTRAINT "claim_instance_id_fkey" FOREIGN KEY ("instance_id") REFERENCES "instance"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "claim" ADD CONSTRAINT "claim_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "claim_cell" ADD CONSTRAINT "claim_cell_claim_id_fkey" FOREIGN KEY ("claim_id") REFERENCES "claim"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "unit_holding" ADD CONSTRAINT "unit_holding_unit_id_fkey" FOREIGN KEY ("unit_id") REFERENCES "unit"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "unit_holding" ADD CONSTRAINT "unit_holding_claim_id_fkey" FOREIGN KEY ("claim_id") REFERENCES "claim"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "allocation" ADD CONSTRAINT "allocation_consumer_id_fkey" FOREIGN KEY ("consumer_id") REFERENCES "consumer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "allocation" ADD CONSTRAINT "allocation_provider_id_resource_class_fkey" FOREIGN KEY ("provider_id", "resource_class") REFERENCES "inventory"("provider_id", "resource_class") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "host" ADD CONSTRAINT "host_id_fkey" FOREIGN KEY ("id") REFERENCES "resource_provider"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "numa_cell" ADD CONSTRAINT "numa_cell_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "unit" ADD CONSTRAINT "unit_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "unit" ADD CONSTRAINT "unit_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "unit"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "host_remain" ADD CONSTRAINT "host_remain_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "instance" ADD CONSTRAINT "instance_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "instance" ADD CONSTRAINT "instance_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "instance_group"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "migration_step" ADD CONSTRAINT "migration_step_migration_id_fkey" FOREIGN KEY ("migration_id") REFERENCES "migration"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "resource_provider" ADD CONSTRAINT "resource_provider_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "resource_provider"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "resource_provider" ADD CONSTRAINT "resource_provider_root_id_fkey" FOREIGN KEY ("root_id") REFERENCES "resource_provider"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "inventory" ADD CONSTRAINT "inventory_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "resource_provider"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "inventory" ADD CONSTRAINT "inventory_resource_class_fkey" FOREIGN KEY ("resource_class") REFERENCES "resource_class"("name") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "provider_trait" ADD CONSTRAINT "provider_trait_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "resource_provider"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "provider_trait" ADD CONSTRAINT "provider_trait_trait_fkey" FOREIGN KEY ("trait") REFERENCES "trait"("name") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "provider_aggregate" ADD CONSTRAINT "provider_aggregate_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "resource_provider"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "provider_aggregate" ADD CONSTRAINT "provider_aggregate_aggregate_id_fkey" FOREIGN KEY ("aggregate_id") REFERENCES "aggregate"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "run_move" ADD CONSTRAINT "run_move_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "run_diff" ADD CONSTRAINT "run_diff_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "host_survey" ADD CONSTRAINT "host_survey_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "guest_power" ADD CONSTRAINT "guest_power_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "heal_part" ADD CONSTRAINT "heal_part_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "heal_plan"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "auth_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
