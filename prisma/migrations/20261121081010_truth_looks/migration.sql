-- When a host answered the time before last. Two looks agree only on what both were taken after.
ALTER TABLE "host_survey" ADD COLUMN "previous_at" TIMESTAMPTZ(3);
