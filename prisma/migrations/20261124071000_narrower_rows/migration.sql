-- The inventory of CPUs is worked out from the NUMA nodes of their host: only a device names the provider that counts it.
-- Not valid at first: each start proves what it can, the audit names the rest.

alter table unit
  add constraint unit_provider_of_device check (provider is null or kind <> 'cpu') not valid;
comment on constraint unit_provider_of_device on unit is 'expected null: only devices name a provider';

-- What hosts said to a claim is a list, or is not there. Of a migration that ended nobody reads it until its page opens.
alter table migration
  add constraint migration_cause_refusals check (jsonb_typeof(coalesce(cause -> 'refusals', '[]')) = 'array') not valid;
comment on constraint migration_cause_refusals on migration is 'expected the refusals of the cause as a list, or none';
