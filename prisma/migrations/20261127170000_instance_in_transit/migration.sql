-- The conductor asks every second, and whenever something ends, which instances are being built or deleted: it read
-- every instance for that. With `instance_power_request_idx` the whole question is answered by indexes.
create index instance_in_transit on instance (id) where vm_state in ('building', 'deleting');
