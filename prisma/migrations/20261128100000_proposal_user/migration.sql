-- The proposer's account: an identity provider may rename its user, who must not approve their own request then. Null in
-- earlier rows, whose proposer is known by name only.
alter table proposal add column by_id text;
