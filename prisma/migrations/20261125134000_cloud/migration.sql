-- OpenStack clouds that are watched, and what was last read of them.
CREATE TABLE "cloud" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "secret" BYTEA NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "may_act" BOOLEAN NOT NULL DEFAULT false,
    "added_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "cloud_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "cloud_part" (
    "cloud_id" UUID NOT NULL,
    "part" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "body" BYTEA NOT NULL,

    CONSTRAINT "cloud_part_pkey" PRIMARY KEY ("cloud_id","part")
);

CREATE UNIQUE INDEX "cloud_name_key" ON "cloud"("name");

ALTER TABLE "cloud_part" ADD CONSTRAINT "cloud_part_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;

alter table cloud
  add constraint cloud_settings_shape check (settings @? 'strict $ ? (@.type() == "object")'),
  add constraint cloud_added_at_finite check (isfinite(added_at));
comment on constraint cloud_settings_shape on cloud is 'expected the settings of a cloud';
comment on constraint cloud_added_at_finite on cloud is 'expected a time';

alter table cloud_part
  add constraint cloud_part_version_whole check (version between 1 and 9007199254740991);
comment on constraint cloud_part_version_whole on cloud_part is 'expected a whole number from 1 to 2^53 − 1';
