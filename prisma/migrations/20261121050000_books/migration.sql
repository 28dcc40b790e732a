-- The books. Tables and foreign keys are Prisma's own; below them stands what its schema language cannot say, so that
-- each law of the engine is stated a second time where no program can forget it.

-- CreateTable
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

-- CreateTable
CREATE TABLE "claim" (
    "id" UUID NOT NULL,
    "consumer_id" UUID NOT NULL,
    "consumer_kind" TEXT NOT NULL,
    "instance_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "taken_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "claim_pkey" PRIMARY KEY ("id")
);

-- CreateTable
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

    CONSTRAINT "claim_cell_pkey" PRIMARY KEY ("claim_id","guest_cell")
);

-- CreateTable
CREATE TABLE "unit_holding" (
    "unit_id" BIGINT NOT NULL,
    "claim_id" UUID NOT NULL,
    "use" TEXT NOT NULL,
    "request_id" TEXT,

    CONSTRAINT "unit_holding_pkey" PRIMARY KEY ("unit_id")
);

-- CreateTable
CREATE TABLE "consumer" (
    "id" UUID NOT NULL,
    "generation" BIGINT NOT NULL DEFAULT 1,
    "type" TEXT NOT NULL,
    "project" TEXT NOT NULL DEFAULT '',
    "user" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "consumer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "allocation" (
    "consumer_id" UUID NOT NULL,
    "provider_id" UUID NOT NULL,
    "resource_class" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "allocation_pkey" PRIMARY KEY ("consumer_id","provider_id","resource_class") DEFERRABLE INITIALLY IMMEDIATE
);

-- CreateTable
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

-- CreateTable
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

-- CreateTable
CREATE TABLE "relay" (
    "id" INTEGER NOT NULL,
    "last" BIGINT NOT NULL,

    CONSTRAINT "relay_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "host" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "truth" TEXT NOT NULL DEFAULT 'up',
    "admission" TEXT NOT NULL DEFAULT 'open',
    "reason" TEXT,
    "zone" TEXT,
    "cpu" JSONB NOT NULL,
    "layout" TEXT NOT NULL DEFAULT 'flat',
    "driver" TEXT NOT NULL,
    "connection" JSONB,
    "digest" TEXT NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "host_pkey" PRIMARY KEY ("id")
);

-- CreateTable
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

-- CreateTable
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

-- CreateTable
CREATE TABLE "host_remain" (
    "id" BIGSERIAL NOT NULL,
    "host_id" UUID NOT NULL,
    "instance_id" UUID NOT NULL,
    "migration_id" UUID,
    "side" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "host_remain_pkey" PRIMARY KEY ("id")
);

-- CreateTable
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

    CONSTRAINT "instance_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "instance_group" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "policy" TEXT NOT NULL,
    "max_per_host" INTEGER NOT NULL DEFAULT 1,
    "generation" BIGINT NOT NULL DEFAULT 1,

    CONSTRAINT "instance_group_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "flavor" (
    "name" TEXT NOT NULL,
    "vcpus" INTEGER NOT NULL,
    "memory_mib" BIGINT NOT NULL,
    "disk_gib" BIGINT NOT NULL,
    "extra_specs" JSONB NOT NULL,

    CONSTRAINT "flavor_pkey" PRIMARY KEY ("name")
);

-- CreateTable
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
    "heading" TEXT NOT NULL,
    "home" TEXT NOT NULL,
    "handed_over" BOOLEAN NOT NULL,
    "forced" BOOLEAN NOT NULL,
    "keeps_claim" BOOLEAN NOT NULL,
    "wish" TEXT,
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

    CONSTRAINT "migration_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "migration_step" (
    "migration_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "step" TEXT NOT NULL,
    "heading" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "result" TEXT,
    "note" TEXT,

    CONSTRAINT "migration_step_pkey" PRIMARY KEY ("migration_id","seq")
);

-- CreateTable
CREATE TABLE "lease" (
    "name" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "fence" BIGINT NOT NULL DEFAULT 1,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "lease_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "resource_class" (
    "name" TEXT NOT NULL,

    CONSTRAINT "resource_class_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "trait" (
    "name" TEXT NOT NULL,

    CONSTRAINT "trait_pkey" PRIMARY KEY ("name")
);

-- CreateTable
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

-- CreateTable
CREATE TABLE "inventory" (
    "provider_id" UUID NOT NULL,
    "resource_class" TEXT NOT NULL,
    "total" BIGINT NOT NULL,
    "reserved" BIGINT NOT NULL DEFAULT 0,
    "min_unit" BIGINT NOT NULL DEFAULT 1,
    "max_unit" BIGINT NOT NULL,
    "step_size" BIGINT NOT NULL DEFAULT 1,
    "allocation_ratio_milli" INTEGER NOT NULL DEFAULT 1000,

    CONSTRAINT "inventory_pkey" PRIMARY KEY ("provider_id","resource_class")
);

-- CreateTable
CREATE TABLE "provider_trait" (
    "provider_id" UUID NOT NULL,
    "trait" TEXT NOT NULL,

    CONSTRAINT "provider_trait_pkey" PRIMARY KEY ("provider_id","trait")
);

-- CreateTable
CREATE TABLE "aggregate" (
    "id" UUID NOT NULL,
    "name" TEXT,

    CONSTRAINT "aggregate_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provider_aggregate" (
    "provider_id" UUID NOT NULL,
    "aggregate_id" UUID NOT NULL,

    CONSTRAINT "provider_aggregate_pkey" PRIMARY KEY ("provider_id","aggregate_id")
);

-- CreateTable
CREATE TABLE "pci_alias" (
    "name" TEXT NOT NULL,
    "spec" JSONB NOT NULL,
    "numa_policy" TEXT,

    CONSTRAINT "pci_alias_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "setting" (
    "name" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "setting_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "audit_entry_at_id_idx" ON "audit_entry"("at", "id");

-- CreateIndex
CREATE INDEX "audit_entry_instance_id_idx" ON "audit_entry"("instance_id");

-- CreateIndex
CREATE INDEX "audit_entry_migration_id_idx" ON "audit_entry"("migration_id");

-- CreateIndex
ALTER TABLE "claim" ADD CONSTRAINT "claim_consumer_id_key" UNIQUE ("consumer_id") DEFERRABLE INITIALLY IMMEDIATE;

-- CreateIndex
CREATE INDEX "claim_host_id_idx" ON "claim"("host_id");

-- CreateIndex
CREATE INDEX "claim_instance_id_idx" ON "claim"("instance_id");

-- CreateIndex
CREATE INDEX "unit_holding_claim_id_idx" ON "unit_holding"("claim_id");

-- CreateIndex
CREATE INDEX "consumer_project_idx" ON "consumer"("project");

-- CreateIndex
CREATE INDEX "allocation_provider_id_resource_class_idx" ON "allocation"("provider_id", "resource_class");

-- CreateIndex
CREATE INDEX "event_at_idx" ON "event"("at");

-- CreateIndex
CREATE INDEX "event_instance_id_sequence_idx" ON "event"("instance_id", "sequence");

-- CreateIndex
CREATE INDEX "event_migration_id_sequence_idx" ON "event"("migration_id", "sequence");

-- CreateIndex
CREATE INDEX "event_hosts_idx" ON "event" USING GIN ("hosts");

-- CreateIndex
CREATE UNIQUE INDEX "host_name_key" ON "host"("name");

-- CreateIndex
CREATE UNIQUE INDEX "unit_host_id_name_key" ON "unit"("host_id", "name");

-- CreateIndex
CREATE INDEX "host_remain_host_id_idx" ON "host_remain"("host_id");

-- CreateIndex
CREATE INDEX "instance_name_id_idx" ON "instance"("name", "id");

-- CreateIndex
CREATE INDEX "instance_host_id_idx" ON "instance"("host_id");

-- CreateIndex
CREATE INDEX "instance_group_id_idx" ON "instance"("group_id");

-- CreateIndex
CREATE UNIQUE INDEX "instance_group_name_key" ON "instance_group"("name");

-- CreateIndex
CREATE INDEX "migration_instance_id_idx" ON "migration"("instance_id");

-- CreateIndex
CREATE INDEX "migration_created_at_id_idx" ON "migration"("created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "resource_provider_name_key" ON "resource_provider"("name");

-- CreateIndex
CREATE INDEX "resource_provider_root_id_idx" ON "resource_provider"("root_id");

-- CreateIndex
CREATE INDEX "resource_provider_parent_id_idx" ON "resource_provider"("parent_id");

-- CreateIndex
CREATE INDEX "inventory_resource_class_idx" ON "inventory"("resource_class");

-- CreateIndex
CREATE INDEX "provider_trait_trait_idx" ON "provider_trait"("trait");

-- CreateIndex
CREATE UNIQUE INDEX "aggregate_name_key" ON "aggregate"("name");

-- CreateIndex
CREATE INDEX "provider_aggregate_aggregate_id_idx" ON "provider_aggregate"("aggregate_id");

-- AddForeignKey
ALTER TABLE "claim" ADD CONSTRAINT "claim_consumer_id_fkey" FOREIGN KEY ("consumer_id") REFERENCES "consumer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "claim" ADD CONSTRAINT "claim_instance_id_fkey" FOREIGN KEY ("instance_id") REFERENCES "instance"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "claim" ADD CONSTRAINT "claim_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "claim_cell" ADD CONSTRAINT "claim_cell_claim_id_fkey" FOREIGN KEY ("claim_id") REFERENCES "claim"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "unit_holding" ADD CONSTRAINT "unit_holding_unit_id_fkey" FOREIGN KEY ("unit_id") REFERENCES "unit"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "unit_holding" ADD CONSTRAINT "unit_holding_claim_id_fkey" FOREIGN KEY ("claim_id") REFERENCES "claim"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "allocation" ADD CONSTRAINT "allocation_consumer_id_fkey" FOREIGN KEY ("consumer_id") REFERENCES "consumer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "allocation" ADD CONSTRAINT "allocation_provider_id_resource_class_fkey" FOREIGN KEY ("provider_id", "resource_class") REFERENCES "inventory"("provider_id", "resource_class") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host" ADD CONSTRAINT "host_id_fkey" FOREIGN KEY ("id") REFERENCES "resource_provider"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "numa_cell" ADD CONSTRAINT "numa_cell_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "unit" ADD CONSTRAINT "unit_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "unit" ADD CONSTRAINT "unit_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "unit"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "host_remain" ADD CONSTRAINT "host_remain_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "instance" ADD CONSTRAINT "instance_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "instance" ADD CONSTRAINT "instance_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "instance_group"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "migration_step" ADD CONSTRAINT "migration_step_migration_id_fkey" FOREIGN KEY ("migration_id") REFERENCES "migration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resource_provider" ADD CONSTRAINT "resource_provider_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "resource_provider"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "resource_provider" ADD CONSTRAINT "resource_provider_root_id_fkey" FOREIGN KEY ("root_id") REFERENCES "resource_provider"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "inventory" ADD CONSTRAINT "inventory_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "resource_provider"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inventory" ADD CONSTRAINT "inventory_resource_class_fkey" FOREIGN KEY ("resource_class") REFERENCES "resource_class"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_trait" ADD CONSTRAINT "provider_trait_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "resource_provider"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_trait" ADD CONSTRAINT "provider_trait_trait_fkey" FOREIGN KEY ("trait") REFERENCES "trait"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_aggregate" ADD CONSTRAINT "provider_aggregate_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "resource_provider"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_aggregate" ADD CONSTRAINT "provider_aggregate_aggregate_id_fkey" FOREIGN KEY ("aggregate_id") REFERENCES "aggregate"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- An exchange swaps the holders of two claims in one UPDATE: "allocation_pkey" and "claim_consumer_id_key" above are
-- deferrable to the end of the statement.

-- One active migration per instance.
create unique index migration_one_active_per_instance on migration (instance_id) where outcome is null;

-- What the conductor asks for again and again.
create index migration_next on migration (next_at) where outcome is null;
create index unit_parent on unit (parent_id) where parent_id is not null;

-- A row that every claim on its provider raises stays on its page.
alter table resource_provider set (fillfactor = 60);
alter table consumer set (fillfactor = 80);
alter table instance set (fillfactor = 80);
alter table outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Amounts.
alter table allocation add constraint allocation_amount_positive check (amount > 0);
alter table inventory
  add constraint inventory_total_positive check (total >= 0),
  add constraint inventory_reserved check (reserved >= 0),
  add constraint inventory_units check (min_unit > 0 and max_unit > 0 and step_size > 0),
  add constraint inventory_ratio_positive check (allocation_ratio_milli > 0);
alter table resource_provider
  add constraint resource_provider_generation check (generation >= 0),
  add constraint resource_provider_not_its_parent check (parent_id is null or parent_id <> id),
  add constraint resource_provider_root check ((parent_id is null) = (root_id = id));
alter table consumer add constraint consumer_generation check (generation >= 0);
alter table claim_cell add constraint claim_cell_memory check (memory_mib >= 0 and (page_kib is null or page_kib > 0));
alter table numa_cell add constraint numa_cell_memory check (cell >= 0 and memory_mib >= 0);
alter table instance_group add constraint instance_group_max check (max_per_host > 0);
alter table flavor add constraint flavor_amounts check (vcpus > 0 and memory_mib > 0 and disk_gib >= 0);
alter table relay add constraint relay_one_row check (id = 1);

-- Words.
alter table host
  add constraint host_truth check (truth in ('up', 'down', 'fenced', 'gone')),
  add constraint host_admission check (admission in ('open', 'disabled', 'quarantined')),
  add constraint host_layout check (layout in ('flat', 'nested')),
  add constraint host_driver check (driver in ('simulated', 'libvirt', 'openstack'));
alter table unit
  add constraint unit_kind check (kind in ('cpu', 'pci', 'vgpu', 'vpmem')),
  add constraint unit_state check (state in ('present', 'gone'));
alter table unit_holding
  add constraint unit_holding_use check (use in ('pin', 'emulator', 'sibling', 'device', 'with-parent'));
alter table claim add constraint claim_consumer_kind check (consumer_kind in ('instance', 'migration'));
-- An instance holds for itself.
alter table claim add constraint claim_instance_for_itself
  check (consumer_kind <> 'instance' or consumer_id = instance_id);
alter table claim_cell
  add constraint claim_cell_cpu_policy check (cpu_policy in ('shared', 'dedicated', 'mixed')),
  add constraint claim_cell_thread_policy check (thread_policy in ('prefer', 'isolate', 'require'));
alter table host_remain add constraint host_remain_side check (side in ('source', 'target'));
alter table instance add constraint instance_vm_state
  check (vm_state in ('building', 'active', 'stopped', 'shelved', 'error', 'deleting'));
alter table instance_group add constraint instance_group_policy
  check (policy in ('affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity'));
alter table pci_alias add constraint pci_alias_numa_policy
  check (numa_policy in ('required', 'legacy', 'preferred', 'socket'));
alter table migration
  add constraint migration_operation
    check (operation in ('live-migrate', 'cold-migrate', 'resize', 'evacuate', 'rebuild', 'unshelve')),
  add constraint migration_step
    check (step in ('claim', 'prepare', 'transfer', 'switch', 'verify', 'release', 'ended')),
  add constraint migration_heading check (heading in ('source', 'target')),
  add constraint migration_home check (home in ('source', 'target')),
  add constraint migration_wish check (wish in ('abort', 'confirm', 'revert', 'force-complete')),
  add constraint migration_outcome check (outcome in ('completed', 'reverted', 'aborted', 'failed')),
  -- A migration has an outcome exactly when it has ended.
  add constraint migration_ended check ((step = 'ended') = (outcome is not null)),
  add constraint migration_fence check (fence >= 0);
alter table migration_step
  add constraint migration_step_step
    check (step in ('claim', 'prepare', 'transfer', 'switch', 'verify', 'release', 'ended')),
  add constraint migration_step_heading check (heading in ('source', 'target')),
  add constraint migration_step_result check (result in ('done', 'failed', 'turned-back'));

insert into relay (id, last) values (1, 0);

-- Times leave the database as ms since the epoch.
create function ms(t timestamptz) returns bigint language sql immutable strict parallel safe as $$
  select (extract(epoch from t) * 1000)::bigint
$$;
