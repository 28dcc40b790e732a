-- The history of tasks reads the newest entries that people asked for, among those of Placement clients, of which there
-- may be millions.
create index audit_entry_task on audit_entry (id)
  where (action not like 'placement.%' or action = 'placement.released-for-owner') and action not like 'view.%';
