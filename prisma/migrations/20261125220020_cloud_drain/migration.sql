-- Hosts of clouds that are emptied through Nova, and which actions were asked for by whom of them.
CREATE TABLE "cloud_drain" (
    "id" UUID NOT NULL,
    "cloud_id" UUID NOT NULL,
    "host" TEXT NOT NULL,
    "cold" BOOLEAN NOT NULL,
    "most" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "says" TEXT,
    "who" TEXT NOT NULL,
    "reason" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "cloud_drain_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "cloud_action" ADD COLUMN "drain_id" UUID;

CREATE INDEX "cloud_drain_cloud_id_host_started_at_idx" ON "cloud_drain"("cloud_id", "host", "started_at");
CREATE INDEX "cloud_action_drain_id_idx" ON "cloud_action"("drain_id");

ALTER TABLE "cloud_drain" ADD CONSTRAINT "cloud_drain_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "cloud_action" ADD CONSTRAINT "cloud_action_drain_id_fkey" FOREIGN KEY ("drain_id") REFERENCES "cloud_drain"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- One at a time for a host.
create unique index cloud_drain_open on cloud_drain (cloud_id, host) where ended_at is null;

alter table cloud_drain
  add constraint cloud_drain_state_known check (state in ('going', 'done', 'left', 'stopped')),
  add constraint cloud_drain_most_positive check (most > 0);
comment on constraint cloud_drain_state_known on cloud_drain is 'expected the state of a drain';
comment on constraint cloud_drain_most_positive on cloud_drain is 'expected how many migrations may run at the same time';
