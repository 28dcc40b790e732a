-- What Prisma cannot say: which values a row may have, how tables are stored, and the rows that are always there. The
-- audit names a row that breaks a check by the check's comment (prisma/functions/record.sql). What every column of a type
-- must satisfy is in prisma/functions/column.sql.

alter table allocation
  add constraint allocation_amount_positive check (amount > 0);

alter table api_token
  add constraint api_token_role check (role in ('viewer', 'support', 'operator', 'admin'));

alter table audit_entry
  add constraint audit_entry_data_shape check (data @? 'strict $ ? (@.type() == "object")');
comment on constraint audit_entry_data_shape on audit_entry is 'expected an object';

alter table auth_secret
  add constraint auth_secret_one_row check ("id" = 1);

alter table auth_session
  add constraint auth_session_token_is_hash check (token ~ '^sha256:[0-9a-f]{64}$');

alter table auth_user
  add constraint auth_user_role_check check ("role" IN ('viewer', 'support', 'operator', 'admin'));

alter table claim
  add constraint claim_consumer_kind check (consumer_kind in ('instance', 'migration')),
  add constraint claim_instance_for_itself check (consumer_kind <> 'instance' or consumer_id = instance_id);

alter table claim_cell
  add constraint claim_cell_cpu_policy check (cpu_policy in ('shared', 'dedicated', 'mixed')),
  add constraint claim_cell_memory check (memory_mib >= 0 and (page_kib is null or page_kib > 0)),
  add constraint claim_cell_pins_shape check (pins @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "array" && @.size() == 2 && !exists(@[*] ? (!(@.type() == "number") || ((@.type() == "number") is unknown)))) || ((@.type() == "array" && @.size() == 2 && !exists(@[*] ? (!(@.type() == "number") || ((@.type() == "number") is unknown)))) is unknown))))'),
  add constraint claim_cell_thread_policy check (thread_policy in ('prefer', 'isolate', 'require'));
comment on constraint claim_cell_pins_shape on claim_cell is 'expected pins: [[vcpu, cpu], …]';

alter table consumer
  add constraint consumer_owner_kind check ("owner_kind" in ('berth', 'token', 'keystone', 'noauth', 'unknown'));
comment on constraint consumer_owner_kind on consumer is 'expected one of berth, token, keystone, noauth, unknown';

alter table event
  add constraint event_data_shape check (data @? 'strict $ ? (@.type() == "object")'),
  add constraint event_raised_keys check (not raised @? 'strict $.keyvalue() ? (!(@.key like_regex "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"))'),
  add constraint event_raised_shape check (raised @? 'strict $ ? (@.type() == "object" && !exists(@.* ? (!(@.type() == "number") || ((@.type() == "number") is unknown))))');
comment on constraint event_data_shape on event is 'expected an object';
comment on constraint event_raised_keys on event is 'expected generations by id of a provider';
comment on constraint event_raised_shape on event is 'expected generations by provider';

alter table finding
  add constraint finding_body_shape check (body @? 'strict $ ? (@.type() == "object" && @.stamp.type() == "string" && exists(@.of))'),
  add constraint finding_confidence check (confidence in ('sure', 'likely', 'once')),
  add constraint finding_severity check (severity in ('critical', 'warning', 'info'));
comment on constraint finding_body_shape on finding is 'expected a finding as an audit writes it';

alter table flavor
  add constraint flavor_amounts check (vcpus > 0 and memory_mib > 0 and disk_gib >= 0),
  add constraint flavor_extra_specs_shape check (extra_specs @? 'strict $ ? (@.type() == "object" && !exists(@.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown))))');
comment on constraint flavor_extra_specs_shape on flavor is 'expected extra specs as texts';

alter table guest_power
  add constraint guest_power_state check (state in ('running', 'paused', 'shutdown', 'crashed', 'unknown'));
comment on constraint guest_power_state on guest_power is 'expected one of running, paused, shutdown, crashed, unknown';

alter table heal_part
  add constraint heal_part_conflict_shape check (conflict @? 'strict $ ? (@.type() == "object" && @.on.type() == "string" && @.id.type() == "string" && @.expected.type() == "string" && @.found.type() == "string")'),
  add constraint heal_part_part_shape check (part @? 'strict $ ? (@.type() == "object")'),
  add constraint heal_part_state check (state in ('open', 'applied', 'changed', 'undone', 'left-out'));
comment on constraint heal_part_conflict_shape on heal_part is 'expected a conflict: on, id, expected, found';
comment on constraint heal_part_part_shape on heal_part is 'expected a part as it was planned';

alter table heal_plan
  add constraint heal_plan_foreseen_elements check (not foreseen @? 'strict $[*] ? (@.type() != "object")'),
  add constraint heal_plan_foreseen_list check (jsonb_typeof(foreseen) = 'array'),
  add constraint heal_plan_found_elements check (not found @? 'strict $[*] ? (@.type() != "object")'),
  add constraint heal_plan_found_list check (jsonb_typeof(found) = 'array'),
  add constraint heal_plan_state check (state in ('draft', 'applied', 'partly-applied', 'changed', 'undone'));
comment on constraint heal_plan_foreseen_elements on heal_plan is 'expected a list of findings';
comment on constraint heal_plan_foreseen_list on heal_plan is 'expected a list of findings';
comment on constraint heal_plan_found_elements on heal_plan is 'expected a list of findings';
comment on constraint heal_plan_found_list on heal_plan is 'expected a list of findings';

alter table heal_rule
  add constraint heal_rule_counts check (daily_cap >= 0 and used >= 0),
  add constraint heal_rule_day_finite check (isfinite(day));
comment on constraint heal_rule_day_finite on heal_rule is 'expected a finite time';

alter table host
  add constraint host_scheduling check (scheduling in ('enabled', 'disabled', 'quarantined')),
  add constraint host_cpu_shape check (cpu @? 'strict $ ? (@.type() == "object" && @.arch.type() == "string" && @.vendor.type() == "string" && @.model.type() == "string" && @.features.type() == "array" && !exists(@.features[*] ? (!(@.type() == "string") || ((@.type() == "string") is unknown))))'),
  add constraint host_driver check (driver in ('simulated', 'libvirt', 'openstack')),
  add constraint host_layout check (layout in ('flat', 'nested')),
  add constraint host_memory check (memory in ('exact', 'nova')),
  add constraint host_status check (status in ('up', 'down', 'fenced', 'lost'));
comment on constraint host_cpu_shape on host is 'expected a CPU: arch, vendor, model, features';
comment on constraint host_memory on host is 'expected one of exact, nova';

alter table host_remain
  add constraint host_remain_side check (side in ('source', 'target'));

alter table host_survey
  add constraint host_survey_devices_shape check (devices @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "object" && @.unit.type() == "string" && (@.driver == null || @.driver.type() == "string") && (@.attachedTo == null || @.attachedTo.type() == "string")) || ((@.type() == "object" && @.unit.type() == "string" && (@.driver == null || @.driver.type() == "string") && (@.attachedTo == null || @.attachedTo.type() == "string")) is unknown))))'),
  add constraint host_survey_earlier_devices_shape check (earlier_devices @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "object" && @.unit.type() == "string" && (@.driver == null || @.driver.type() == "string") && (@.attachedTo == null || @.attachedTo.type() == "string")) || ((@.type() == "object" && @.unit.type() == "string" && (@.driver == null || @.driver.type() == "string") && (@.attachedTo == null || @.attachedTo.type() == "string")) is unknown))))'),
  add constraint host_survey_earlier_guests_power check (earlier_guests is null or not earlier_guests @? 'lax $[*] ? (exists(@.power) && (!(@.power.type() == "object" && (@.power.state == "running" || @.power.state == "paused" || @.power.state == "shutdown" || @.power.state == "crashed" || @.power.state == "unknown") && (@.power.reason == null || @.power.reason.type() == "string")) || (@.power.type() == "object" && (@.power.state == "running" || @.power.state == "paused" || @.power.state == "shutdown" || @.power.state == "crashed" || @.power.state == "unknown") && (@.power.reason == null || @.power.reason.type() == "string")) is unknown))'),
  add constraint host_survey_earlier_guests_shape check (earlier_guests @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "object" && @.instance.type() == "string" && (@.migration == null || @.migration.type() == "string") && (@.observedState == "running" || @.observedState == "stopped" || @.observedState == "left" || @.observedState == "shell") && (@.claim == null || (@.claim.amounts.type() == "array" && @.claim.cells.type() == "array" && @.claim.units.type() == "array"))) || ((@.type() == "object" && @.instance.type() == "string" && (@.migration == null || @.migration.type() == "string") && (@.observedState == "running" || @.observedState == "stopped" || @.observedState == "left" || @.observedState == "shell") && (@.claim == null || (@.claim.amounts.type() == "array" && @.claim.cells.type() == "array" && @.claim.units.type() == "array"))) is unknown))))'),
  add constraint host_survey_guests_power check (guests is null or not guests @? 'lax $[*] ? (exists(@.power) && (!(@.power.type() == "object" && (@.power.state == "running" || @.power.state == "paused" || @.power.state == "shutdown" || @.power.state == "crashed" || @.power.state == "unknown") && (@.power.reason == null || @.power.reason.type() == "string")) || (@.power.type() == "object" && (@.power.state == "running" || @.power.state == "paused" || @.power.state == "shutdown" || @.power.state == "crashed" || @.power.state == "unknown") && (@.power.reason == null || @.power.reason.type() == "string")) is unknown))'),
  add constraint host_survey_guests_shape check (guests @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "object" && @.instance.type() == "string" && (@.migration == null || @.migration.type() == "string") && (@.observedState == "running" || @.observedState == "stopped" || @.observedState == "left" || @.observedState == "shell") && (@.claim == null || (@.claim.amounts.type() == "array" && @.claim.cells.type() == "array" && @.claim.units.type() == "array"))) || ((@.type() == "object" && @.instance.type() == "string" && (@.migration == null || @.migration.type() == "string") && (@.observedState == "running" || @.observedState == "stopped" || @.observedState == "left" || @.observedState == "shell") && (@.claim == null || (@.claim.amounts.type() == "array" && @.claim.cells.type() == "array" && @.claim.units.type() == "array"))) is unknown))))');
comment on constraint host_survey_devices_shape on host_survey is 'expected devices: unit, driver, attachedTo';
comment on constraint host_survey_earlier_devices_shape on host_survey is 'expected devices: unit, driver, attachedTo';
comment on constraint host_survey_earlier_guests_power on host_survey is 'expected the power of each guest: state, reason';
comment on constraint host_survey_earlier_guests_shape on host_survey is 'expected guests: instance, migration, observedState, claim';
comment on constraint host_survey_guests_power on host_survey is 'expected the power of each guest: state, reason';
comment on constraint host_survey_guests_shape on host_survey is 'expected guests: instance, migration, observedState, claim';

alter table instance
  add constraint instance_flavor_shape check (flavor @? 'strict $ ? (@.type() == "object" && @.name.type() == "string" && @.vcpus >= 0 && @.vcpus <= 9007199254740991 && @.vcpus.floor() == @.vcpus && @.memoryMib >= 0 && @.memoryMib <= 9007199254740991 && @.memoryMib.floor() == @.memoryMib && @.diskGib >= 0 && @.diskGib <= 9007199254740991 && @.diskGib.floor() == @.diskGib && @.extraSpecs.type() == "object" && !exists(@.extraSpecs.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown))))'),
  add constraint instance_image_shape check (image @? 'strict $ ? (@.type() == "object" && @.name.type() == "string" && @.properties.type() == "object" && !exists(@.properties.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown))))'),
  add constraint instance_power_request check (power_request is null or (
  jsonb_typeof(power_request) = 'object'
  and coalesce(power_request ->> 'action' in ('start', 'stop', 'reboot', 'pause', 'resume'), false)
  and coalesce(jsonb_typeof(power_request -> 'at') = 'number', false)
  and coalesce(jsonb_typeof(power_request -> 'dueAt') = 'number', false)
  and coalesce(jsonb_typeof(power_request -> 'who') = 'string', false))),
  add constraint instance_vm_state check (vm_state in ('building', 'active', 'paused', 'stopped', 'shelved', 'error', 'deleting'));
comment on constraint instance_flavor_shape on instance is 'expected a flavor: name, vcpus, memoryMib, diskGib, extraSpecs';
comment on constraint instance_image_shape on instance is 'expected an image: name, properties';
comment on constraint instance_power_request on instance is 'expected a power operation: action, at, dueAt, who';

alter table instance_group
  add constraint instance_group_max check (max_per_host > 0),
  add constraint instance_group_policy check (policy in ('affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity'));

alter table inventory
  add constraint inventory_allocation_ratio_finite check (allocation_ratio between -3.40282e38 and 3.40282e38),
  add constraint inventory_ratio check (allocation_ratio_milli >= 0),
  add constraint inventory_units check (min_unit > 0 and max_unit > 0 and step_size > 0);
comment on constraint inventory_allocation_ratio_finite on inventory is 'expected a finite ratio';

alter table layout_marker
  add constraint layout_marker_state_check check ((state = ANY (ARRAY['planned'::text, 'blocked'::text, 'healed'::text, 'verified'::text, 'failed'::text])));

alter table layout_wave
  add constraint layout_wave_state_check check ((state = ANY (ARRAY['running'::text, 'paused'::text, 'stopped'::text, 'done'::text])));

alter table lease
  add constraint lease_every_ms_known check (every_ms > 0);
comment on constraint lease_every_ms_known on lease is 'expected an interval in ms';

alter table migration
  add constraint migration_cause_refusals check (jsonb_typeof(coalesce(cause -> 'refusals', '[]')) = 'array'),
  add constraint migration_cause_shape check (cause @? 'strict $ ? (@.type() == "object" && (@.kind == "failed" || @.kind == "aborted" || @.kind == "reverted") && @.step.type() == "string" && @.message.type() == "string")'),
  add constraint migration_ended check ((step = 'ended') = (outcome is not null)),
  add constraint migration_direction check (direction in ('source', 'target')),
  add constraint migration_home check (home in ('source', 'target')),
  add constraint migration_kept_shape check (kept @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "object" && @.provider.type() == "string" && @.resourceClass.type() == "string" && @.amount > 0 && @.amount <= 9007199254740991 && @.amount.floor() == @.amount) || ((@.type() == "object" && @.provider.type() == "string" && @.resourceClass.type() == "string" && @.amount > 0 && @.amount <= 9007199254740991 && @.amount.floor() == @.amount) is unknown))))'),
  add constraint migration_new_flavor_shape check (new_flavor @? 'strict $ ? (@.type() == "object" && @.name.type() == "string" && @.vcpus >= 0 && @.vcpus <= 9007199254740991 && @.vcpus.floor() == @.vcpus && @.memoryMib >= 0 && @.memoryMib <= 9007199254740991 && @.memoryMib.floor() == @.memoryMib && @.diskGib >= 0 && @.diskGib <= 9007199254740991 && @.diskGib.floor() == @.diskGib && @.extraSpecs.type() == "object" && !exists(@.extraSpecs.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown))))'),
  add constraint migration_new_image_shape check (new_image @? 'strict $ ? (@.type() == "object" && @.name.type() == "string" && @.properties.type() == "object" && !exists(@.properties.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown))))'),
  add constraint migration_old_flavor_shape check (old_flavor @? 'strict $ ? (@.type() == "object" && @.name.type() == "string" && @.vcpus >= 0 && @.vcpus <= 9007199254740991 && @.vcpus.floor() == @.vcpus && @.memoryMib >= 0 && @.memoryMib <= 9007199254740991 && @.memoryMib.floor() == @.memoryMib && @.diskGib >= 0 && @.diskGib <= 9007199254740991 && @.diskGib.floor() == @.diskGib && @.extraSpecs.type() == "object" && !exists(@.extraSpecs.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown))))'),
  add constraint migration_old_image_shape check (old_image @? 'strict $ ? (@.type() == "object" && @.name.type() == "string" && @.properties.type() == "object" && !exists(@.properties.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown))))'),
  add constraint migration_operation check (operation in ('live-migrate', 'cold-migrate', 'resize', 'evacuate', 'rebuild', 'unshelve')),
  add constraint migration_outcome check (outcome in ('completed', 'reverted', 'aborted', 'failed')),
  add constraint migration_progress_shape check (progress @? 'strict $ ? (@.type() == "object" && @.at >= 0 && @.at <= 9007199254740991 && @.at.floor() == @.at && @.totalBytes >= 0 && @.totalBytes <= 9007199254740991 && @.totalBytes.floor() == @.totalBytes && @.remainingBytes >= 0 && @.remainingBytes <= 9007199254740991 && @.remainingBytes.floor() == @.remainingBytes && @.dirtyBytesPerS >= 0 && @.dirtyBytesPerS <= 9007199254740991 && @.dirtyBytesPerS.floor() == @.dirtyBytesPerS && @.bandwidthBytesPerS >= 0 && @.bandwidthBytesPerS <= 9007199254740991 && @.bandwidthBytesPerS.floor() == @.bandwidthBytesPerS && @.iteration >= 0 && @.iteration <= 9007199254740991 && @.iteration.floor() == @.iteration && @.postCopy.type() == "boolean")'),
  add constraint migration_step check (step in ('claim', 'prepare', 'transfer', 'switch', 'verify', 'release', 'ended')),
  add constraint migration_storage_known check (storage in ('auto', 'shared', 'block')),
  add constraint migration_storage_used_known check (storage_used in ('shared', 'block')),
  add constraint migration_waiting_shape check (waiting @? 'strict $ ? (@.type() == "object" && (@.for == "slot" || @.for == "host" || @.for == "person" || @.for == "retry" || @.for == "repair"))'),
  add constraint migration_requested_action check (requested_action in ('abort', 'confirm', 'revert', 'force-complete'));
comment on constraint migration_cause_refusals on migration is 'expected the refusals of the cause as a list, or none';
comment on constraint migration_cause_shape on migration is 'expected a cause: kind, step, message';
comment on constraint migration_kept_shape on migration is 'expected amounts: provider, resourceClass, amount';
comment on constraint migration_new_flavor_shape on migration is 'expected a flavor: name, vcpus, memoryMib, diskGib, extraSpecs';
comment on constraint migration_new_image_shape on migration is 'expected an image: name, properties';
comment on constraint migration_old_flavor_shape on migration is 'expected a flavor: name, vcpus, memoryMib, diskGib, extraSpecs';
comment on constraint migration_old_image_shape on migration is 'expected an image: name, properties';
comment on constraint migration_progress_shape on migration is 'expected the progress of a transfer';
comment on constraint migration_waiting_shape on migration is 'expected what it waits for: slot, host, person, retry or repair';

alter table migration_step
  add constraint migration_step_direction check (direction in ('source', 'target')),
  add constraint migration_step_result check (result in ('done', 'failed', 'turned-back')),
  add constraint migration_step_step check (step in ('claim', 'prepare', 'transfer', 'switch', 'verify', 'release', 'ended'));

alter table numa_cell
  add constraint numa_cell_memory check (cell >= 0 and memory_mib >= 0),
  add constraint numa_cell_network_shape check (network @? 'strict $ ? (@.type() == "object" && @.physnets.type() == "array" && @.tunneled.type() == "boolean")'),
  add constraint numa_cell_pages_shape check (pages @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "object" && @.sizeKib >= 0 && @.sizeKib <= 9007199254740991 && @.sizeKib.floor() == @.sizeKib && @.total >= 0 && @.total <= 9007199254740991 && @.total.floor() == @.total && @.reserved >= 0 && @.reserved <= 9007199254740991 && @.reserved.floor() == @.reserved) || ((@.type() == "object" && @.sizeKib >= 0 && @.sizeKib <= 9007199254740991 && @.sizeKib.floor() == @.sizeKib && @.total >= 0 && @.total <= 9007199254740991 && @.total.floor() == @.total && @.reserved >= 0 && @.reserved <= 9007199254740991 && @.reserved.floor() == @.reserved) is unknown))))'),
  add constraint numa_cell_siblings_shape check (siblings @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "array" && !exists(@[*] ? (!(@.type() == "number") || ((@.type() == "number") is unknown)))) || ((@.type() == "array" && !exists(@[*] ? (!(@.type() == "number") || ((@.type() == "number") is unknown)))) is unknown))))');
comment on constraint numa_cell_network_shape on numa_cell is 'expected networks: physnets, tunneled';
comment on constraint numa_cell_pages_shape on numa_cell is 'expected pages: sizeKib, total, reserved of each size';
comment on constraint numa_cell_siblings_shape on numa_cell is 'expected groups of CPUs: [[0, 4], …]';

alter table outbox
  add constraint outbox_data_shape check (data @? 'strict $ ? (@.type() == "object")'),
  add constraint outbox_raised_keys check (not raised @? 'strict $.keyvalue() ? (!(@.key like_regex "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"))'),
  add constraint outbox_raised_shape check (raised @? 'strict $ ? (@.type() == "object" && !exists(@.* ? (!(@.type() == "number") || ((@.type() == "number") is unknown))))');
comment on constraint outbox_data_shape on outbox is 'expected an object';
comment on constraint outbox_raised_keys on outbox is 'expected generations by id of a provider';
comment on constraint outbox_raised_shape on outbox is 'expected generations by provider';

alter table past_cell
  add constraint past_cell_cell_members check (cell @? 'strict $ ? (@.host_cell.type() == "number"
    && @.guest_cell.type() == "number" && @.memory_mib.type() == "number" && @.pins.type() == "array"
    && @.shared_vcpus.type() == "array" && @.reserved_cpus.type() == "array"
    && (@.page_kib == null || @.page_kib.type() == "number") && @.reserved_shares_core.type() == "boolean"
    && (@.cpu_policy == null || @.cpu_policy.type() == "string")
    && (@.thread_policy == null || @.thread_policy.type() == "string"))'),
  add constraint past_cell_cell_shape check (cell @? 'strict $ ? (@.type() == "object" && @.pins.type() == "array" && @.guest_cell >= 0 && @.guest_cell <= 9007199254740991 && @.guest_cell.floor() == @.guest_cell && @.host_cell >= 0 && @.host_cell <= 9007199254740991 && @.host_cell.floor() == @.host_cell)');
comment on constraint past_cell_cell_members on past_cell is 'expected a NUMA node of a claim as claim_cell has it';
comment on constraint past_cell_cell_shape on past_cell is 'expected the columns of claim_cell';

alter table past_claim
  add constraint past_claim_consumer_kind_known check (consumer_kind in ('instance', 'migration'));
comment on constraint past_claim_consumer_kind_known on past_claim is 'expected one of instance, migration';

alter table past_unit
  add constraint past_unit_use_known check ("use" in ('pin', 'emulator', 'sibling', 'device', 'with-parent'));
comment on constraint past_unit_use_known on past_unit is 'expected one of pin, emulator, sibling, device, with-parent';

alter table pci_alias
  add constraint pci_alias_numa_policy check (numa_policy in ('required', 'legacy', 'preferred', 'socket')),
  add constraint pci_alias_spec_shape check (spec @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "object" && !exists(@.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown)))) || ((@.type() == "object" && !exists(@.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown)))) is unknown))))');
comment on constraint pci_alias_spec_shape on pci_alias is 'expected specs: lists of properties';

alter table proposal
  add constraint proposal_kind check (
  (kind = 'host-status' and host_id is not null and status is not null)
  or (kind = 'heal' and plan_id is not null)
  or (kind = 'evacuation' and plan_id is not null and host_id is not null)
  or (kind = 'release' and consumer_id is not null and consumer_generation is not null)),
  add constraint proposal_state check (state in ('open', 'approved', 'refused', 'withdrawn', 'expired')),
  add constraint proposal_status check (status in ('up', 'down', 'fenced', 'lost'));

alter table relay
  add constraint relay_one_row check (id = 1);

alter table resource_provider
  add constraint resource_provider_not_its_parent check (parent_id is null or parent_id <> id),
  add constraint resource_provider_root check ((parent_id is null) = (root_id = id));

alter table run
  add constraint run_check check (((ended_at IS NOT NULL) = (state = ANY (ARRAY['done'::text, 'stopped'::text])))),
  add constraint run_check1 check (((started_at IS NOT NULL) OR (state = ANY (ARRAY['draft'::text, 'stopped'::text])))),
  add constraint run_fallback_check check ((fallback = ANY (ARRAY['cold'::text, 'stay'::text, 'stop'::text]))),
  add constraint run_kind_check check ((kind = ANY (ARRAY['drain'::text, 'evacuation'::text]))),
  add constraint run_state_check check ((state = ANY (ARRAY['draft'::text, 'running'::text, 'paused'::text, 'stopping'::text, 'done'::text, 'stopped'::text])));

alter table run_diff
  add constraint run_diff_lines_shape check (lines @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "object" && @.instance.type() == "object" && @.what.type() == "string") || ((@.type() == "object" && @.instance.type() == "object" && @.what.type() == "string") is unknown))))');
comment on constraint run_diff_lines_shape on run_diff is 'expected lines: sign, instance, what';

alter table run_move
  add constraint run_move_body_shape check (body @? 'strict $ ? (@.type() == "object" && @.amounts.type() == "array" && @.cells.type() == "array" && @.units.type() == "array")'),
  add constraint run_move_check check (((state <> 'moving'::text) OR (migration_id IS NOT NULL))),
  add constraint run_move_check1 check (((state <> ALL (ARRAY['planned'::text, 'moving'::text])) OR (to_host IS NOT NULL))),
  add constraint run_move_chosen_known check (chosen in ('live-migrate', 'cold-migrate', 'stay')),
  add constraint run_move_method_known check (method in ('live-migrate', 'cold-migrate', 'resize', 'evacuate', 'rebuild', 'unshelve', 'stop')),
  add constraint run_move_state_check check ((state = ANY (ARRAY['planned'::text, 'waiting'::text, 'moving'::text, 'done'::text, 'failed'::text, 'skipped'::text, 'stays'::text, 'blocked'::text]))),
  add constraint run_move_why_shape check (why @? 'strict $ ? (@.type() == "object" && ((@.is == "left" && @.left.type() == "object") || (@.is == "move" && @.notLive.type() == "array")))');
comment on constraint run_move_body_shape on run_move is 'expected a claim: amounts, cells, units';
comment on constraint run_move_chosen_known on run_move is 'expected one of live-migrate, cold-migrate, stay';
comment on constraint run_move_method_known on run_move is 'expected one of live-migrate, cold-migrate, resize, evacuate, rebuild, unshelve, stop';
comment on constraint run_move_why_shape on run_move is 'expected why it goes there or stays';

alter table setting
  add constraint setting_value_known check (case name
      when 'policy' then value in ('"spread"', '"pack"', '"least-fragmentation"')
      when 'limits' then value @? 'strict $ ? (@.type() == "object" && !exists(@.* ? (!(@ >= 1) || ((@ >= 1) is unknown))))'
      when 'confirm-window-ms' then value @? 'strict $ ? (@ == null || @ >= 0)'
      when 'second-person' then jsonb_typeof(value) = 'array'
      when 'past-since' then value @? 'strict $ ? (@ >= 0)'
      else true end);
comment on constraint setting_value_known on setting is 'expected what this setting may be; without the row its default holds';

alter table simulator_record
  add constraint simulator_record_kind_check check ((kind = ANY (ARRAY['host'::text, 'guest'::text]))),
  add constraint simulator_record_record_shape check (record @? 'strict $ ? (@.type() == "object")'),
  add constraint simulator_record_version_check check ((version > 0));
comment on constraint simulator_record_record_shape on simulator_record is 'expected a record';

alter table standing_audit
  add constraint standing_audit_one_row check (id = 1);

alter table unit
  add constraint unit_cpu_placed check (kind <> 'cpu' or cell is not null),
  add constraint unit_described check (kind = 'cpu' or resource_class is not null),
  add constraint unit_kind check (kind in ('cpu', 'pci', 'vgpu', 'vpmem')),
  add constraint unit_name_known check (name ~ '^[a-z]+:.'),
  add constraint unit_pci_described check (kind <> 'pci' or pci is not null),
  add constraint unit_pci_shape check (pci @? 'strict $ ? (@.type() == "object" && @.address.type() == "string" && @.vendorId.type() == "string" && @.productId.type() == "string" && @.devType.type() == "string" && @.tags.type() == "object" && !exists(@.tags.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown))))'),
  add constraint unit_provider_named check (provider <> ''),
  add constraint unit_provider_of_device check (provider is null or kind <> 'cpu'),
  add constraint unit_resource_class_known check (resource_class ~ '^[A-Z0-9_]+$'),
  add constraint unit_state check (state in ('present', 'gone')),
  add constraint unit_vf_below check (parent_id is not null or coalesce(pci ->> 'devType', '') not in ('type-VF', 'vdpa')),
  add constraint unit_vgpu_typed check (kind <> 'vgpu' or mdev_type is not null),
  add constraint unit_vpmem_sized check (kind <> 'vpmem' or size_mib is not null);
comment on constraint unit_cpu_placed on unit is 'expected the NUMA node of the CPU';
comment on constraint unit_described on unit is 'expected the resource class that the device is counted in';
comment on constraint unit_name_known on unit is 'expected the name of a unit, such as cpu:12';
comment on constraint unit_pci_described on unit is 'expected the PCI function';
comment on constraint unit_pci_shape on unit is 'expected a PCI function: address, vendorId, productId, devType, tags';
comment on constraint unit_provider_named on unit is 'expected the name of a provider, or null';
comment on constraint unit_provider_of_device on unit is 'expected null: only devices name a provider';
comment on constraint unit_resource_class_known on unit is 'expected the name of a resource class';
comment on constraint unit_vf_below on unit is 'expected the PF that the VF is cut from';
comment on constraint unit_vgpu_typed on unit is 'expected the mdev type of the vGPU';
comment on constraint unit_vpmem_sized on unit is 'expected the size of the vPMEM namespace';

alter table unit_holding
  add constraint unit_holding_requested check (request_id is null or use in ('device', 'with-parent')),
  add constraint unit_holding_use check (use in ('pin', 'emulator', 'sibling', 'device', 'with-parent'));
comment on constraint unit_holding_requested on unit_holding is 'expected null: only devices are taken by requests';

-- One active migration per instance.
create unique index migration_one_active_per_instance on migration (instance_id) where outcome is null;
-- Two plans that empty one host would order each other's migrations.
create unique index run_one_active_per_host on run (host_id) where state in ('running', 'paused', 'stopping');
create unique index run_move_one_migration on run_move (migration_id) where migration_id is not null;
-- At most one rollout may still go on: two would convert hosts in an order nobody asked for.
create unique index layout_wave_one_open on layout_wave ((true))
  where state in ('running', 'paused') or (state = 'stopped' and failed_host is not null);
-- One open question of a kind about one thing: asking again is the same question.
create unique index proposal_one_open_host on proposal (host_id, status) where state = 'open' and kind = 'host-status';
create unique index proposal_one_open_heal on proposal (plan_id) where state = 'open' and kind = 'heal';
create unique index proposal_one_open_evacuation on proposal (plan_id) where state = 'open' and kind = 'evacuation';
create unique index proposal_one_open_release on proposal (consumer_id) where state = 'open' and kind = 'release';

-- What the conductor asks for again and again.
create index migration_next on migration (next_at) where outcome is null;
create index unit_parent on unit (parent_id) where parent_id is not null;
create index instance_power_request_idx on instance (id) where power_request is not null;
-- The audit reads migrations that are under way, those that ended a short while ago, and those that still hold something.
create index migration_ended_at on migration (ended_at) where outcome is not null;
create index claim_of_migrations on claim (consumer_id) where consumer_kind = 'migration';
-- The list of claims asks for each row of a page who wrote it. A write of the Placement API names providers, so its moment
-- alone finds it, and an import or a demo fleet writes tens of thousands of events of other kinds at one moment.
create index event_of_placement on event (at) where kind like 'placement.%';
create index event_of_layout on event (at) where kind = 'layout.healed';
-- The history of tasks reads the newest entries that people asked for, among those of Placement clients, of which there
-- may be millions.
create index audit_entry_task on audit_entry (id)
  where (action not like 'placement.%' or action = 'placement.released-for-owner') and action not like 'view.%';

-- Rows that every claim writes stay on their page: what it writes is in no index.
alter table resource_provider set (fillfactor = 60);
alter table inventory set (fillfactor = 60);
alter table consumer set (fillfactor = 80);
alter table instance set (fillfactor = 80);
-- It is emptied as fast as it fills: cleaned by what passed through, not by its size.
alter table outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create sequence audit_sequence;

insert into relay (id, last) values (1, 0);
insert into standing_audit (id) values (1);
-- Before this moment nobody kept anything; forgetting moves it on.
insert into setting (name, value) values ('past-since', to_jsonb(floor(extract(epoch from now()) * 1000)::bigint));
-- Placement tells classes in the order of these numbers; those of clients come after all standard ones.
alter sequence resource_class_ordinal_seq restart with 10000;
insert into resource_class (ordinal, name) values
  (1, 'VCPU'), (2, 'MEMORY_MB'), (3, 'DISK_GB'), (4, 'PCI_DEVICE'), (5, 'SRIOV_NET_VF'), (6, 'NUMA_SOCKET'), (7,
  'NUMA_CORE'), (8, 'NUMA_THREAD'), (9, 'NUMA_MEMORY_MB'), (10, 'IPV4_ADDRESS'), (11, 'VGPU'), (12,
  'VGPU_DISPLAY_HEAD'), (13, 'NET_BW_EGR_KILOBIT_PER_SEC'), (14, 'NET_BW_IGR_KILOBIT_PER_SEC'), (15, 'PCPU'),
  (16, 'MEM_ENCRYPTION_CONTEXT'), (17, 'FPGA'), (18, 'PGPU'), (19, 'NET_PACKET_RATE_KILOPACKET_PER_SEC'), (20,
  'NET_PACKET_RATE_EGR_KILOPACKET_PER_SEC'), (21, 'NET_PACKET_RATE_IGR_KILOPACKET_PER_SEC');
