-- What each hypervisor shows of its devices, beside its guests. Null: it has never told, which is not the same as none.
ALTER TABLE "host_survey" ADD COLUMN "devices" JSONB;
ALTER TABLE "host_survey" ADD COLUMN "earlier_devices" JSONB;
