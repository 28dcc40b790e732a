-- Periodic tasks tell when they last ran, servers how far their clocks are off, and audits have an order that is no time.

ALTER TABLE "lease" ADD COLUMN "every_ms" INTEGER,
  ADD COLUMN "began_at" TIMESTAMPTZ(3),
  ADD COLUMN "ended_at" TIMESTAMPTZ(3),
  ADD COLUMN "failed_at" TIMESTAMPTZ(3),
  ADD COLUMN "error" TEXT;

ALTER TABLE "conductor_shift" ADD COLUMN "clock_offset_ms" INTEGER;

ALTER TABLE "standing_audit" ADD COLUMN "sequence" BIGINT NOT NULL DEFAULT 0;
create sequence audit_sequence;
