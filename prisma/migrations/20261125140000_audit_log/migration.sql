-- From where and in which role somebody asked, and the chain that shows whether the audit log was changed afterwards.
ALTER TABLE "audit_entry" ADD COLUMN "origin" JSONB;

CREATE TABLE "audit_seal" (
    "id" BIGSERIAL NOT NULL,
    "first" BIGINT NOT NULL,
    "last" BIGINT NOT NULL,
    "entries" INTEGER NOT NULL,
    "previous" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_seal_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "audit_seal_first_key" ON "audit_seal"("first");
CREATE INDEX "audit_entry_who_id_idx" ON "audit_entry"("who", "id");
CREATE INDEX "audit_entry_action_id_idx" ON "audit_entry"("action", "id");
CREATE INDEX "audit_entry_request_idx" ON "audit_entry"("request");

alter table audit_entry
  add constraint audit_entry_origin_shape check (origin is null or origin @? 'strict $ ? (@.type() == "object")');
comment on constraint audit_entry_origin_shape on audit_entry is 'expected an object';

alter table audit_seal
  add constraint audit_seal_range check (first <= last and entries >= 0),
  add constraint audit_seal_hash_hex check (hash ~ '^[0-9a-f]{64}$' and previous ~ '^([0-9a-f]{64})?$');
comment on constraint audit_seal_range on audit_seal is 'expected a range of entries';
comment on constraint audit_seal_hash_hex on audit_seal is 'expected a SHA-256 in hex';
