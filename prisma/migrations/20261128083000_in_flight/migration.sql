-- A claim counts the migrations in flight when it commits, and thousands may wait for a slot.
create index migration_in_flight on migration (step) where outcome is null and step in ('prepare', 'transfer', 'switch');
