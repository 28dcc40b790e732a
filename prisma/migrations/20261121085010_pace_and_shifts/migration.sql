-- When servers carried moves, so that a stretch in which none did can be drawn; and the ways into the history of steps.

-- CreateTable
CREATE TABLE "conductor_shift" (
    "owner" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "conductor_shift_pkey" PRIMARY KEY ("owner", "started_at")
);

-- CreateIndex
CREATE INDEX "conductor_shift_seen_at_idx" ON "conductor_shift"("seen_at");

-- CreateIndex
CREATE INDEX "migration_operation_ended_at_idx" ON "migration"("operation", "ended_at");

-- CreateIndex
CREATE INDEX "migration_source_target_operation_ended_at_idx" ON "migration"("source", "target", "operation", "ended_at");
