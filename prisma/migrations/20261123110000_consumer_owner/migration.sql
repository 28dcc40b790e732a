-- Whose a consumer is: Berth's, or the client's that wrote it over the Placement API.
alter table "consumer"
  add column "owner_kind" text not null default 'unknown',
  add column "owner_id" text not null default '',
  add column "owner_name" text not null default '',
  add column "written_at" timestamptz(3),
  add column "written_request" text;

-- What Berth knows as an instance, a migration or a claim is Berth's. Who wrote the rest was not kept until now.
update "consumer" c set "owner_kind" = 'berth'
where exists (select 1 from "claim" k where k."consumer_id" = c."id")
  or exists (select 1 from "instance" i where i."id" = c."id")
  or exists (select 1 from "migration" m where m."id" = c."id");
update "consumer" c set "written_at" = (select max(a."since") from "allocation" a where a."consumer_id" = c."id")
where c."owner_kind" = 'unknown';

alter table "consumer" add constraint "consumer_owner_kind"
  check ("owner_kind" in ('berth', 'token', 'keystone', 'noauth', 'unknown'));
