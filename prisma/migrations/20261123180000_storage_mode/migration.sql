-- How a live migration treats the disk, what its claim picked, and what the instance keeps at shared storage. Live
-- migrations that were accepted before claimed the disk at the target, as auto does between hosts that share nothing.
alter table migration
  add column storage text,
  add column storage_used text,
  add column kept jsonb not null default '[]';
update migration set storage = 'auto', storage_used = case when target is not null then 'block' end
  where operation = 'live-migrate';
alter table migration
  add constraint migration_storage_known check (storage in ('auto', 'shared', 'block')),
  add constraint migration_storage_used_known check (storage_used in ('shared', 'block')),
  add constraint migration_kept_shape check (kept @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "object" && @.provider.type() == "string" && @.resourceClass.type() == "string" && @.amount > 0 && @.amount <= 9007199254740991 && @.amount.floor() == @.amount) || ((@.type() == "object" && @.provider.type() == "string" && @.resourceClass.type() == "string" && @.amount > 0 && @.amount <= 9007199254740991 && @.amount.floor() == @.amount) is unknown))))');
comment on constraint migration_kept_shape on migration is 'expected amounts: provider, resourceClass, amount';
