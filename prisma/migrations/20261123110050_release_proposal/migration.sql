-- The release of another owner's allocation that needs a second person: which consumer, and as of which of its writes.
alter table "proposal" add column "consumer_id" uuid, add column "consumer_generation" bigint;
alter table "proposal" drop constraint proposal_kind;
alter table "proposal" add constraint proposal_kind check (
  (kind = 'host-truth' and host_id is not null and truth is not null)
  or (kind = 'heal' and plan_id is not null)
  or (kind = 'evacuation' and plan_id is not null and host_id is not null)
  or (kind = 'release' and consumer_id is not null and consumer_generation is not null));
create unique index proposal_one_open_release on "proposal" (consumer_id) where state = 'open' and kind = 'release';
