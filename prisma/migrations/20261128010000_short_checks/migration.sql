-- PostgreSQL parses each check of a table again in every statement that writes to the table, so a check costs time by
-- its length. The checks of the six tables that a PUT of allocations writes took a quarter of its time in the database.
-- These say the same in fewer terms. Only an object contains an empty object.

alter table audit_entry
  drop constraint audit_entry_data_shape,
  drop constraint audit_entry_origin_shape,
  add constraint audit_entry_data_shape check (data @> '{}') not valid,
  add constraint audit_entry_origin_shape check (origin @> '{}') not valid;
comment on constraint audit_entry_data_shape on audit_entry is 'expected an object';
comment on constraint audit_entry_origin_shape on audit_entry is 'expected an object or null';

alter table inventory
  drop constraint inventory_allocation_ratio_finite,
  drop constraint inventory_units,
  add constraint inventory_allocation_ratio_finite check (abs(allocation_ratio) <= '3.40282e38'::float8) not valid,
  add constraint inventory_units check (least(min_unit, max_unit, step_size) > 0) not valid;
comment on constraint inventory_allocation_ratio_finite on inventory is 'expected a finite ratio';

alter table outbox
  drop constraint outbox_data_shape,
  drop constraint outbox_raised_shape,
  add constraint outbox_data_shape check (data @> '{}') not valid,
  add constraint outbox_raised_shape check (raised @> '{}' and not raised @? '$.* ? (@.type() != "number")') not valid;
comment on constraint outbox_data_shape on outbox is 'expected an object';
comment on constraint outbox_raised_shape on outbox is 'expected generations by provider';

alter table resource_provider
  drop constraint resource_provider_not_its_parent,
  add constraint resource_provider_not_its_parent check (parent_id <> id) not valid;

-- Most entries name neither: requests from Placement clients, sign-ins, settings.
drop index audit_entry_instance_id_idx;
drop index audit_entry_migration_id_idx;
create index audit_entry_instance on audit_entry (instance_id) where instance_id is not null;
create index audit_entry_migration on audit_entry (migration_id) where migration_id is not null;
