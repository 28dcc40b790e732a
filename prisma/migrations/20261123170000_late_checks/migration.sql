-- Columns that were added after the rules of rows: owners, periodic tasks, clocks, audits, proposals.
-- Not valid at first, as in 20261123140000_row_checks: each start proves what it can, the audit names the rest.

alter table consumer
  add constraint consumer_written_at_finite check (isfinite(written_at)) not valid;
comment on constraint consumer_written_at_finite on consumer is 'expected a finite time';

alter table proposal
  add constraint proposal_consumer_generation_whole
    check (consumer_generation between 0 and 9007199254740991) not valid;
comment on constraint proposal_consumer_generation_whole on proposal is 'expected a whole number from 0 to 2^53 − 1';

alter table lease
  add constraint lease_every_ms_known check (every_ms > 0) not valid,
  add constraint lease_began_at_finite check (isfinite(began_at)) not valid,
  add constraint lease_ended_at_finite check (isfinite(ended_at)) not valid,
  add constraint lease_failed_at_finite check (isfinite(failed_at)) not valid;
comment on constraint lease_every_ms_known on lease is 'expected an interval in ms';
comment on constraint lease_began_at_finite on lease is 'expected a finite time';
comment on constraint lease_ended_at_finite on lease is 'expected a finite time';
comment on constraint lease_failed_at_finite on lease is 'expected a finite time';

alter table standing_audit
  add constraint standing_audit_sequence_whole check (sequence between 0 and 9007199254740991) not valid;
comment on constraint standing_audit_sequence_whole on standing_audit is 'expected a whole number from 0 to 2^53 − 1';

comment on constraint guest_power_state on guest_power is 'expected one of running, paused, shutdown, crashed, unknown';
comment on constraint guest_power_finite on guest_power is 'expected finite times';
comment on constraint instance_power_request on instance is 'expected a power operation: action, at, dueAt, who';
comment on constraint consumer_owner_kind on consumer is 'expected one of berth, token, keystone, noauth, unknown';
comment on constraint host_memory on host is 'expected one of exact, nova';

alter table unit
  add constraint unit_resource_class_known check (resource_class ~ '^[A-Z0-9_]+$') not valid,
  add constraint unit_described check (kind = 'cpu' or resource_class is not null) not valid;
comment on constraint unit_resource_class_known on unit is 'expected the name of a resource class';
comment on constraint unit_described on unit is 'expected the resource class that the device is counted in';

-- A past cell is a cell as it was: whoever opens the past of a host reads every member.
alter table past_cell
  add constraint past_cell_cell_members check (cell @? 'strict $ ? (@.host_cell.type() == "number"
    && @.guest_cell.type() == "number" && @.memory_mib.type() == "number" && @.pins.type() == "array"
    && @.shared_vcpus.type() == "array" && @.reserved_cpus.type() == "array"
    && (@.page_kib == null || @.page_kib.type() == "number") && @.reserved_shares_core.type() == "boolean"
    && (@.cpu_policy == null || @.cpu_policy.type() == "string")
    && (@.thread_policy == null || @.thread_policy.type() == "string"))') not valid;
comment on constraint past_cell_cell_members on past_cell is 'expected a NUMA node of a claim as claim_cell has it';
