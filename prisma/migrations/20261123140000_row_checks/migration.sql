-- What a column cannot be, the database refuses. Not valid at first: a row that breaks a rule already must not keep the
-- server from starting. Each start proves what it can of every row; what it cannot, the audit names by these comments.

alter table allocation
  add constraint allocation_since_finite check (isfinite(since)) not valid,
  add constraint allocation_amount_whole check (amount between 0 and 9007199254740991) not valid;
comment on constraint allocation_since_finite on allocation is 'expected a finite time';
comment on constraint allocation_amount_whole on allocation is 'expected a whole number from 0 to 2^53 − 1';

alter table api_token
  add constraint api_token_created_at_finite check (isfinite(created_at)) not valid,
  add constraint api_token_expires_at_finite check (isfinite(expires_at)) not valid,
  add constraint api_token_revoked_at_finite check (isfinite(revoked_at)) not valid;
comment on constraint api_token_created_at_finite on api_token is 'expected a finite time';
comment on constraint api_token_expires_at_finite on api_token is 'expected a finite time';
comment on constraint api_token_revoked_at_finite on api_token is 'expected a finite time';

alter table audit_entry
  add constraint audit_entry_at_finite check (isfinite("at")) not valid,
  add constraint audit_entry_id_whole check (id between 0 and 9007199254740991) not valid,
  add constraint audit_entry_hosts_list check (hosts is not null) not valid,
  add constraint audit_entry_data_shape check (data @? 'strict $ ? (@.type() == "object")') not valid;
comment on constraint audit_entry_at_finite on audit_entry is 'expected a finite time';
comment on constraint audit_entry_id_whole on audit_entry is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint audit_entry_hosts_list on audit_entry is 'expected a list';
comment on constraint audit_entry_data_shape on audit_entry is 'expected an object';

alter table auth_account
  add constraint auth_account_access_token_expires_at_finite check (isfinite(access_token_expires_at)) not valid,
  add constraint auth_account_refresh_token_expires_at_finite check (isfinite(refresh_token_expires_at)) not valid,
  add constraint auth_account_created_at_finite check (isfinite(created_at)) not valid,
  add constraint auth_account_updated_at_finite check (isfinite(updated_at)) not valid;
comment on constraint auth_account_access_token_expires_at_finite on auth_account is 'expected a finite time';
comment on constraint auth_account_refresh_token_expires_at_finite on auth_account is 'expected a finite time';
comment on constraint auth_account_created_at_finite on auth_account is 'expected a finite time';
comment on constraint auth_account_updated_at_finite on auth_account is 'expected a finite time';

alter table auth_rate_limit
  add constraint auth_rate_limit_last_request_whole check (last_request between 0 and 9007199254740991) not valid;
comment on constraint auth_rate_limit_last_request_whole on auth_rate_limit is 'expected a whole number from 0 to 2^53 − 1';

alter table auth_secret
  add constraint auth_secret_created_at_finite check (isfinite(created_at)) not valid;
comment on constraint auth_secret_created_at_finite on auth_secret is 'expected a finite time';

alter table auth_session
  add constraint auth_session_expires_at_finite check (isfinite(expires_at)) not valid,
  add constraint auth_session_created_at_finite check (isfinite(created_at)) not valid,
  add constraint auth_session_updated_at_finite check (isfinite(updated_at)) not valid;
comment on constraint auth_session_expires_at_finite on auth_session is 'expected a finite time';
comment on constraint auth_session_created_at_finite on auth_session is 'expected a finite time';
comment on constraint auth_session_updated_at_finite on auth_session is 'expected a finite time';

alter table auth_user
  add constraint auth_user_created_at_finite check (isfinite(created_at)) not valid,
  add constraint auth_user_updated_at_finite check (isfinite(updated_at)) not valid;
comment on constraint auth_user_created_at_finite on auth_user is 'expected a finite time';
comment on constraint auth_user_updated_at_finite on auth_user is 'expected a finite time';

alter table auth_verification
  add constraint auth_verification_expires_at_finite check (isfinite(expires_at)) not valid,
  add constraint auth_verification_created_at_finite check (isfinite(created_at)) not valid,
  add constraint auth_verification_updated_at_finite check (isfinite(updated_at)) not valid;
comment on constraint auth_verification_expires_at_finite on auth_verification is 'expected a finite time';
comment on constraint auth_verification_created_at_finite on auth_verification is 'expected a finite time';
comment on constraint auth_verification_updated_at_finite on auth_verification is 'expected a finite time';

alter table claim
  add constraint claim_taken_at_finite check (isfinite(taken_at)) not valid,
  add constraint claim_since_finite check (isfinite(since)) not valid;
comment on constraint claim_taken_at_finite on claim is 'expected a finite time';
comment on constraint claim_since_finite on claim is 'expected a finite time';

alter table claim_cell
  add constraint claim_cell_since_finite check (isfinite(since)) not valid,
  add constraint claim_cell_memory_mib_whole check (memory_mib between 0 and 9007199254740991) not valid,
  add constraint claim_cell_shared_vcpus_list check (shared_vcpus is not null) not valid,
  add constraint claim_cell_reserved_cpus_list check (reserved_cpus is not null) not valid,
  add constraint claim_cell_pins_shape check (pins @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "array" && @.size() == 2 && !exists(@[*] ? (!(@.type() == "number") || ((@.type() == "number") is unknown)))) || ((@.type() == "array" && @.size() == 2 && !exists(@[*] ? (!(@.type() == "number") || ((@.type() == "number") is unknown)))) is unknown))))') not valid;
comment on constraint claim_cell_since_finite on claim_cell is 'expected a finite time';
comment on constraint claim_cell_memory_mib_whole on claim_cell is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint claim_cell_shared_vcpus_list on claim_cell is 'expected a list';
comment on constraint claim_cell_reserved_cpus_list on claim_cell is 'expected a list';
comment on constraint claim_cell_pins_shape on claim_cell is 'expected pins: [[vcpu, cpu], …]';

alter table conductor_shift
  add constraint conductor_shift_started_at_finite check (isfinite(started_at)) not valid,
  add constraint conductor_shift_seen_at_finite check (isfinite(seen_at)) not valid;
comment on constraint conductor_shift_started_at_finite on conductor_shift is 'expected a finite time';
comment on constraint conductor_shift_seen_at_finite on conductor_shift is 'expected a finite time';

alter table consumer
  add constraint consumer_generation_whole check (generation between 0 and 9007199254740991) not valid;
comment on constraint consumer_generation_whole on consumer is 'expected a whole number from 0 to 2^53 − 1';

alter table event
  add constraint event_at_finite check (isfinite("at")) not valid,
  add constraint event_sequence_whole check (sequence between 0 and 9007199254740991) not valid,
  add constraint event_hosts_list check (hosts is not null) not valid,
  add constraint event_data_shape check (data @? 'strict $ ? (@.type() == "object")') not valid,
  add constraint event_raised_shape check (raised @? 'strict $ ? (@.type() == "object" && !exists(@.* ? (!(@.type() == "number") || ((@.type() == "number") is unknown))))') not valid;
comment on constraint event_at_finite on event is 'expected a finite time';
comment on constraint event_sequence_whole on event is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint event_hosts_list on event is 'expected a list';
comment on constraint event_data_shape on event is 'expected an object';
comment on constraint event_raised_shape on event is 'expected generations by provider';

alter table finding
  add constraint finding_first_seen_at_finite check (isfinite(first_seen_at)) not valid,
  add constraint finding_last_seen_at_finite check (isfinite(last_seen_at)) not valid,
  add constraint finding_closed_at_finite check (isfinite(closed_at)) not valid,
  add constraint finding_body_shape check (body @? 'strict $ ? (@.type() == "object" && @.stamp.type() == "string" && exists(@.of))') not valid;
comment on constraint finding_first_seen_at_finite on finding is 'expected a finite time';
comment on constraint finding_last_seen_at_finite on finding is 'expected a finite time';
comment on constraint finding_closed_at_finite on finding is 'expected a finite time';
comment on constraint finding_body_shape on finding is 'expected a finding as an audit writes it';

alter table flavor
  add constraint flavor_memory_mib_whole check (memory_mib between 0 and 9007199254740991) not valid,
  add constraint flavor_disk_gib_whole check (disk_gib between 0 and 9007199254740991) not valid,
  add constraint flavor_extra_specs_shape check (extra_specs @? 'strict $ ? (@.type() == "object" && !exists(@.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown))))') not valid,
  add constraint flavor_name_said check (name <> '') not valid;
comment on constraint flavor_memory_mib_whole on flavor is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint flavor_disk_gib_whole on flavor is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint flavor_extra_specs_shape on flavor is 'expected extra specs as texts';
comment on constraint flavor_name_said on flavor is 'expected a name';

alter table heal_part
  add constraint heal_part_applied_at_finite check (isfinite(applied_at)) not valid,
  add constraint heal_part_changed_list check (changed is not null) not valid,
  add constraint heal_part_part_shape check (part @? 'strict $ ? (@.type() == "object")') not valid,
  add constraint heal_part_conflict_shape check (conflict @? 'strict $ ? (@.type() == "object" && @.on.type() == "string" && @.id.type() == "string" && @.expected.type() == "string" && @.found.type() == "string")') not valid;
comment on constraint heal_part_applied_at_finite on heal_part is 'expected a finite time';
comment on constraint heal_part_changed_list on heal_part is 'expected a list';
comment on constraint heal_part_part_shape on heal_part is 'expected a part as it was planned';
comment on constraint heal_part_conflict_shape on heal_part is 'expected a conflict: on, id, expected, found';

alter table heal_plan
  add constraint heal_plan_made_at_finite check (isfinite(made_at)) not valid,
  add constraint heal_plan_verified_at_finite check (isfinite(verified_at)) not valid;
comment on constraint heal_plan_made_at_finite on heal_plan is 'expected a finite time';
comment on constraint heal_plan_verified_at_finite on heal_plan is 'expected a finite time';

alter table heal_rule
  add constraint heal_rule_at_finite check (isfinite("at")) not valid,
  add constraint heal_rule_day_finite check (isfinite(day)) not valid;
comment on constraint heal_rule_at_finite on heal_rule is 'expected a finite time';
comment on constraint heal_rule_day_finite on heal_rule is 'expected a finite time';

alter table host
  add constraint host_last_seen_at_finite check (isfinite(last_seen_at)) not valid,
  add constraint host_created_at_finite check (isfinite(created_at)) not valid,
  add constraint host_cpu_shape check (cpu @? 'strict $ ? (@.type() == "object" && @.arch.type() == "string" && @.vendor.type() == "string" && @.model.type() == "string" && @.features.type() == "array" && !exists(@.features[*] ? (!(@.type() == "string") || ((@.type() == "string") is unknown))))') not valid,
  add constraint host_name_said check (name <> '') not valid;
comment on constraint host_last_seen_at_finite on host is 'expected a finite time';
comment on constraint host_created_at_finite on host is 'expected a finite time';
comment on constraint host_cpu_shape on host is 'expected a CPU: arch, vendor, model, features';
comment on constraint host_name_said on host is 'expected a name';

alter table host_remain
  add constraint host_remain_since_finite check (isfinite(since)) not valid,
  add constraint host_remain_id_whole check (id between 0 and 9007199254740991) not valid;
comment on constraint host_remain_since_finite on host_remain is 'expected a finite time';
comment on constraint host_remain_id_whole on host_remain is 'expected a whole number from 0 to 2^53 − 1';

alter table host_survey
  add constraint host_survey_asked_at_finite check (isfinite(asked_at)) not valid,
  add constraint host_survey_answered_at_finite check (isfinite(answered_at)) not valid,
  add constraint host_survey_since_finite check (isfinite(since)) not valid,
  add constraint host_survey_earlier_at_finite check (isfinite(earlier_at)) not valid,
  add constraint host_survey_previous_at_finite check (isfinite(previous_at)) not valid,
  add constraint host_survey_guests_shape check (guests @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "object" && @.instance.type() == "string" && (@.migration == null || @.migration.type() == "string") && (@.sight == "running" || @.sight == "stopped" || @.sight == "left" || @.sight == "shell") && (@.claim == null || (@.claim.amounts.type() == "array" && @.claim.cells.type() == "array" && @.claim.units.type() == "array"))) || ((@.type() == "object" && @.instance.type() == "string" && (@.migration == null || @.migration.type() == "string") && (@.sight == "running" || @.sight == "stopped" || @.sight == "left" || @.sight == "shell") && (@.claim == null || (@.claim.amounts.type() == "array" && @.claim.cells.type() == "array" && @.claim.units.type() == "array"))) is unknown))))') not valid,
  add constraint host_survey_earlier_guests_shape check (earlier_guests @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "object" && @.instance.type() == "string" && (@.migration == null || @.migration.type() == "string") && (@.sight == "running" || @.sight == "stopped" || @.sight == "left" || @.sight == "shell") && (@.claim == null || (@.claim.amounts.type() == "array" && @.claim.cells.type() == "array" && @.claim.units.type() == "array"))) || ((@.type() == "object" && @.instance.type() == "string" && (@.migration == null || @.migration.type() == "string") && (@.sight == "running" || @.sight == "stopped" || @.sight == "left" || @.sight == "shell") && (@.claim == null || (@.claim.amounts.type() == "array" && @.claim.cells.type() == "array" && @.claim.units.type() == "array"))) is unknown))))') not valid,
  add constraint host_survey_devices_shape check (devices @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "object" && @.unit.type() == "string" && (@.driver == null || @.driver.type() == "string") && (@.attachedTo == null || @.attachedTo.type() == "string")) || ((@.type() == "object" && @.unit.type() == "string" && (@.driver == null || @.driver.type() == "string") && (@.attachedTo == null || @.attachedTo.type() == "string")) is unknown))))') not valid,
  add constraint host_survey_earlier_devices_shape check (earlier_devices @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "object" && @.unit.type() == "string" && (@.driver == null || @.driver.type() == "string") && (@.attachedTo == null || @.attachedTo.type() == "string")) || ((@.type() == "object" && @.unit.type() == "string" && (@.driver == null || @.driver.type() == "string") && (@.attachedTo == null || @.attachedTo.type() == "string")) is unknown))))') not valid;
comment on constraint host_survey_asked_at_finite on host_survey is 'expected a finite time';
comment on constraint host_survey_answered_at_finite on host_survey is 'expected a finite time';
comment on constraint host_survey_since_finite on host_survey is 'expected a finite time';
comment on constraint host_survey_earlier_at_finite on host_survey is 'expected a finite time';
comment on constraint host_survey_previous_at_finite on host_survey is 'expected a finite time';
comment on constraint host_survey_guests_shape on host_survey is 'expected guests: instance, migration, sight, claim';
comment on constraint host_survey_earlier_guests_shape on host_survey is 'expected guests: instance, migration, sight, claim';
comment on constraint host_survey_devices_shape on host_survey is 'expected devices: unit, driver, attachedTo';
comment on constraint host_survey_earlier_devices_shape on host_survey is 'expected devices: unit, driver, attachedTo';

alter table instance
  add constraint instance_created_at_finite check (isfinite(created_at)) not valid,
  add constraint instance_updated_at_finite check (isfinite(updated_at)) not valid,
  add constraint instance_generation_whole check (generation between 0 and 9007199254740991) not valid,
  add constraint instance_flavor_shape check (flavor @? 'strict $ ? (@.type() == "object" && @.name.type() == "string" && @.vcpus >= 0 && @.vcpus <= 9007199254740991 && @.vcpus.floor() == @.vcpus && @.memoryMib >= 0 && @.memoryMib <= 9007199254740991 && @.memoryMib.floor() == @.memoryMib && @.diskGib >= 0 && @.diskGib <= 9007199254740991 && @.diskGib.floor() == @.diskGib && @.extraSpecs.type() == "object" && !exists(@.extraSpecs.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown))))') not valid,
  add constraint instance_image_shape check (image @? 'strict $ ? (@.type() == "object" && @.name.type() == "string" && @.properties.type() == "object" && !exists(@.properties.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown))))') not valid,
  add constraint instance_name_said check (name <> '') not valid;
comment on constraint instance_created_at_finite on instance is 'expected a finite time';
comment on constraint instance_updated_at_finite on instance is 'expected a finite time';
comment on constraint instance_generation_whole on instance is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint instance_flavor_shape on instance is 'expected a flavor: name, vcpus, memoryMib, diskGib, extraSpecs';
comment on constraint instance_image_shape on instance is 'expected an image: name, properties';
comment on constraint instance_name_said on instance is 'expected a name';

alter table instance_group
  add constraint instance_group_generation_whole check (generation between 0 and 9007199254740991) not valid,
  add constraint instance_group_name_said check (name <> '') not valid;
comment on constraint instance_group_generation_whole on instance_group is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint instance_group_name_said on instance_group is 'expected a name';

alter table inventory
  add constraint inventory_total_whole check (total between 0 and 9007199254740991) not valid,
  add constraint inventory_reserved_whole check (reserved between 0 and 9007199254740991) not valid,
  add constraint inventory_min_unit_whole check (min_unit between 0 and 9007199254740991) not valid,
  add constraint inventory_max_unit_whole check (max_unit between 0 and 9007199254740991) not valid,
  add constraint inventory_step_size_whole check (step_size between 0 and 9007199254740991) not valid,
  add constraint inventory_allocation_ratio_finite check (allocation_ratio >= 0 and allocation_ratio <= 3.40282e38) not valid;
comment on constraint inventory_total_whole on inventory is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint inventory_reserved_whole on inventory is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint inventory_min_unit_whole on inventory is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint inventory_max_unit_whole on inventory is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint inventory_step_size_whole on inventory is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint inventory_allocation_ratio_finite on inventory is 'expected a finite ratio';

alter table layout_marker
  add constraint layout_marker_at_finite check (isfinite("at")) not valid;
comment on constraint layout_marker_at_finite on layout_marker is 'expected a finite time';

alter table layout_wave
  add constraint layout_wave_at_finite check (isfinite("at")) not valid,
  add constraint layout_wave_hosts_list check (hosts is not null) not valid;
comment on constraint layout_wave_at_finite on layout_wave is 'expected a finite time';
comment on constraint layout_wave_hosts_list on layout_wave is 'expected a list';

alter table lease
  add constraint lease_until_finite check (isfinite("until")) not valid,
  add constraint lease_fence_whole check (fence between 0 and 9007199254740991) not valid;
comment on constraint lease_until_finite on lease is 'expected a finite time';
comment on constraint lease_fence_whole on lease is 'expected a whole number from 0 to 2^53 − 1';

alter table migration
  add constraint migration_step_since_finite check (isfinite(step_since)) not valid,
  add constraint migration_lease_until_finite check (isfinite(lease_until)) not valid,
  add constraint migration_created_at_finite check (isfinite(created_at)) not valid,
  add constraint migration_updated_at_finite check (isfinite(updated_at)) not valid,
  add constraint migration_ended_at_finite check (isfinite(ended_at)) not valid,
  add constraint migration_due_at_finite check (isfinite(due_at)) not valid,
  add constraint migration_next_at_finite check (isfinite(next_at)) not valid,
  add constraint migration_confirm_window_ms_whole check (confirm_window_ms between 0 and 9007199254740991) not valid,
  add constraint migration_generation_whole check (generation between 0 and 9007199254740991) not valid,
  add constraint migration_fence_whole check (fence between 0 and 9007199254740991) not valid,
  add constraint migration_tried_list check (tried is not null) not valid,
  add constraint migration_new_flavor_shape check (new_flavor @? 'strict $ ? (@.type() == "object" && @.name.type() == "string" && @.vcpus >= 0 && @.vcpus <= 9007199254740991 && @.vcpus.floor() == @.vcpus && @.memoryMib >= 0 && @.memoryMib <= 9007199254740991 && @.memoryMib.floor() == @.memoryMib && @.diskGib >= 0 && @.diskGib <= 9007199254740991 && @.diskGib.floor() == @.diskGib && @.extraSpecs.type() == "object" && !exists(@.extraSpecs.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown))))') not valid,
  add constraint migration_new_image_shape check (new_image @? 'strict $ ? (@.type() == "object" && @.name.type() == "string" && @.properties.type() == "object" && !exists(@.properties.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown))))') not valid,
  add constraint migration_old_flavor_shape check (old_flavor @? 'strict $ ? (@.type() == "object" && @.name.type() == "string" && @.vcpus >= 0 && @.vcpus <= 9007199254740991 && @.vcpus.floor() == @.vcpus && @.memoryMib >= 0 && @.memoryMib <= 9007199254740991 && @.memoryMib.floor() == @.memoryMib && @.diskGib >= 0 && @.diskGib <= 9007199254740991 && @.diskGib.floor() == @.diskGib && @.extraSpecs.type() == "object" && !exists(@.extraSpecs.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown))))') not valid,
  add constraint migration_old_image_shape check (old_image @? 'strict $ ? (@.type() == "object" && @.name.type() == "string" && @.properties.type() == "object" && !exists(@.properties.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown))))') not valid,
  add constraint migration_cause_shape check (cause @? 'strict $ ? (@.type() == "object" && (@.kind == "failed" || @.kind == "aborted" || @.kind == "reverted") && @.step.type() == "string" && @.message.type() == "string")') not valid,
  add constraint migration_waiting_shape check (waiting @? 'strict $ ? (@.type() == "object" && (@.for == "slot" || @.for == "host" || @.for == "person" || @.for == "retry"))') not valid,
  add constraint migration_progress_shape check (progress @? 'strict $ ? (@.type() == "object" && @.at >= 0 && @.at <= 9007199254740991 && @.at.floor() == @.at && @.totalBytes >= 0 && @.totalBytes <= 9007199254740991 && @.totalBytes.floor() == @.totalBytes && @.remainingBytes >= 0 && @.remainingBytes <= 9007199254740991 && @.remainingBytes.floor() == @.remainingBytes && @.dirtyBytesPerS >= 0 && @.dirtyBytesPerS <= 9007199254740991 && @.dirtyBytesPerS.floor() == @.dirtyBytesPerS && @.bandwidthBytesPerS >= 0 && @.bandwidthBytesPerS <= 9007199254740991 && @.bandwidthBytesPerS.floor() == @.bandwidthBytesPerS && @.iteration >= 0 && @.iteration <= 9007199254740991 && @.iteration.floor() == @.iteration && @.postCopy.type() == "boolean")') not valid;
comment on constraint migration_step_since_finite on migration is 'expected a finite time';
comment on constraint migration_lease_until_finite on migration is 'expected a finite time';
comment on constraint migration_created_at_finite on migration is 'expected a finite time';
comment on constraint migration_updated_at_finite on migration is 'expected a finite time';
comment on constraint migration_ended_at_finite on migration is 'expected a finite time';
comment on constraint migration_due_at_finite on migration is 'expected a finite time';
comment on constraint migration_next_at_finite on migration is 'expected a finite time';
comment on constraint migration_confirm_window_ms_whole on migration is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint migration_generation_whole on migration is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint migration_fence_whole on migration is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint migration_tried_list on migration is 'expected a list';
comment on constraint migration_new_flavor_shape on migration is 'expected a flavor: name, vcpus, memoryMib, diskGib, extraSpecs';
comment on constraint migration_new_image_shape on migration is 'expected an image: name, properties';
comment on constraint migration_old_flavor_shape on migration is 'expected a flavor: name, vcpus, memoryMib, diskGib, extraSpecs';
comment on constraint migration_old_image_shape on migration is 'expected an image: name, properties';
comment on constraint migration_cause_shape on migration is 'expected a cause: kind, step, message';
comment on constraint migration_waiting_shape on migration is 'expected what it waits for: slot, host, person or retry';
comment on constraint migration_progress_shape on migration is 'expected the progress of a transfer';

alter table migration_step
  add constraint migration_step_started_at_finite check (isfinite(started_at)) not valid,
  add constraint migration_step_ended_at_finite check (isfinite(ended_at)) not valid;
comment on constraint migration_step_started_at_finite on migration_step is 'expected a finite time';
comment on constraint migration_step_ended_at_finite on migration_step is 'expected a finite time';

alter table numa_cell
  add constraint numa_cell_memory_mib_whole check (memory_mib between 0 and 9007199254740991) not valid,
  add constraint numa_cell_shared_cpus_list check (shared_cpus is not null) not valid,
  add constraint numa_cell_dedicated_cpus_list check (dedicated_cpus is not null) not valid,
  add constraint numa_cell_distances_list check (distances is not null) not valid,
  add constraint numa_cell_siblings_shape check (siblings @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "array" && !exists(@[*] ? (!(@.type() == "number") || ((@.type() == "number") is unknown)))) || ((@.type() == "array" && !exists(@[*] ? (!(@.type() == "number") || ((@.type() == "number") is unknown)))) is unknown))))') not valid,
  add constraint numa_cell_pages_shape check (pages @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "object" && @.sizeKib >= 0 && @.sizeKib <= 9007199254740991 && @.sizeKib.floor() == @.sizeKib && @.total >= 0 && @.total <= 9007199254740991 && @.total.floor() == @.total && @.reserved >= 0 && @.reserved <= 9007199254740991 && @.reserved.floor() == @.reserved) || ((@.type() == "object" && @.sizeKib >= 0 && @.sizeKib <= 9007199254740991 && @.sizeKib.floor() == @.sizeKib && @.total >= 0 && @.total <= 9007199254740991 && @.total.floor() == @.total && @.reserved >= 0 && @.reserved <= 9007199254740991 && @.reserved.floor() == @.reserved) is unknown))))') not valid,
  add constraint numa_cell_network_shape check (network @? 'strict $ ? (@.type() == "object" && @.physnets.type() == "array" && @.tunneled.type() == "boolean")') not valid;
comment on constraint numa_cell_memory_mib_whole on numa_cell is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint numa_cell_shared_cpus_list on numa_cell is 'expected a list';
comment on constraint numa_cell_dedicated_cpus_list on numa_cell is 'expected a list';
comment on constraint numa_cell_distances_list on numa_cell is 'expected a list';
comment on constraint numa_cell_siblings_shape on numa_cell is 'expected groups of CPUs: [[0, 4], …]';
comment on constraint numa_cell_pages_shape on numa_cell is 'expected pages: sizeKib, total, reserved of each size';
comment on constraint numa_cell_network_shape on numa_cell is 'expected networks: physnets, tunneled';

alter table outbox
  add constraint outbox_at_finite check (isfinite("at")) not valid,
  add constraint outbox_id_whole check (id between 0 and 9007199254740991) not valid,
  add constraint outbox_hosts_list check (hosts is not null) not valid,
  add constraint outbox_data_shape check (data @? 'strict $ ? (@.type() == "object")') not valid,
  add constraint outbox_raised_shape check (raised @? 'strict $ ? (@.type() == "object" && !exists(@.* ? (!(@.type() == "number") || ((@.type() == "number") is unknown))))') not valid;
comment on constraint outbox_at_finite on outbox is 'expected a finite time';
comment on constraint outbox_id_whole on outbox is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint outbox_hosts_list on outbox is 'expected a list';
comment on constraint outbox_data_shape on outbox is 'expected an object';
comment on constraint outbox_raised_shape on outbox is 'expected generations by provider';

alter table past_allocation
  add constraint past_allocation_since_finite check (isfinite(since)) not valid,
  add constraint past_allocation_until_finite check (isfinite("until")) not valid,
  add constraint past_allocation_id_whole check (id between 0 and 9007199254740991) not valid,
  add constraint past_allocation_amount_whole check (amount between 0 and 9007199254740991) not valid;
comment on constraint past_allocation_since_finite on past_allocation is 'expected a finite time';
comment on constraint past_allocation_until_finite on past_allocation is 'expected a finite time';
comment on constraint past_allocation_id_whole on past_allocation is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint past_allocation_amount_whole on past_allocation is 'expected a whole number from 0 to 2^53 − 1';

alter table past_cell
  add constraint past_cell_since_finite check (isfinite(since)) not valid,
  add constraint past_cell_until_finite check (isfinite("until")) not valid,
  add constraint past_cell_id_whole check (id between 0 and 9007199254740991) not valid,
  add constraint past_cell_cell_shape check (cell @? 'strict $ ? (@.type() == "object" && @.pins.type() == "array" && @.guest_cell >= 0 && @.guest_cell <= 9007199254740991 && @.guest_cell.floor() == @.guest_cell && @.host_cell >= 0 && @.host_cell <= 9007199254740991 && @.host_cell.floor() == @.host_cell)') not valid;
comment on constraint past_cell_since_finite on past_cell is 'expected a finite time';
comment on constraint past_cell_until_finite on past_cell is 'expected a finite time';
comment on constraint past_cell_id_whole on past_cell is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint past_cell_cell_shape on past_cell is 'expected the columns of claim_cell';

alter table past_claim
  add constraint past_claim_taken_at_finite check (isfinite(taken_at)) not valid,
  add constraint past_claim_since_finite check (isfinite(since)) not valid,
  add constraint past_claim_until_finite check (isfinite("until")) not valid,
  add constraint past_claim_id_whole check (id between 0 and 9007199254740991) not valid,
  add constraint past_claim_consumer_kind_known check (consumer_kind in ('instance', 'migration')) not valid;
comment on constraint past_claim_taken_at_finite on past_claim is 'expected a finite time';
comment on constraint past_claim_since_finite on past_claim is 'expected a finite time';
comment on constraint past_claim_until_finite on past_claim is 'expected a finite time';
comment on constraint past_claim_id_whole on past_claim is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint past_claim_consumer_kind_known on past_claim is 'expected one of instance, migration';

alter table past_unit
  add constraint past_unit_since_finite check (isfinite(since)) not valid,
  add constraint past_unit_until_finite check (isfinite("until")) not valid,
  add constraint past_unit_id_whole check (id between 0 and 9007199254740991) not valid,
  add constraint past_unit_unit_id_whole check (unit_id between 0 and 9007199254740991) not valid,
  add constraint past_unit_use_known check ("use" in ('pin', 'emulator', 'sibling', 'device', 'with-parent')) not valid;
comment on constraint past_unit_since_finite on past_unit is 'expected a finite time';
comment on constraint past_unit_until_finite on past_unit is 'expected a finite time';
comment on constraint past_unit_id_whole on past_unit is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint past_unit_unit_id_whole on past_unit is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint past_unit_use_known on past_unit is 'expected one of pin, emulator, sibling, device, with-parent';

alter table pci_alias
  add constraint pci_alias_spec_shape check (spec @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "object" && !exists(@.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown)))) || ((@.type() == "object" && !exists(@.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown)))) is unknown))))') not valid,
  add constraint pci_alias_name_said check (name <> '') not valid;
comment on constraint pci_alias_spec_shape on pci_alias is 'expected specs: lists of properties';
comment on constraint pci_alias_name_said on pci_alias is 'expected a name';

alter table proposal
  add constraint proposal_at_finite check (isfinite("at")) not valid,
  add constraint proposal_expires_at_finite check (isfinite(expires_at)) not valid,
  add constraint proposal_decided_at_finite check (isfinite(decided_at)) not valid,
  add constraint proposal_parts_list check (parts is not null) not valid;
comment on constraint proposal_at_finite on proposal is 'expected a finite time';
comment on constraint proposal_expires_at_finite on proposal is 'expected a finite time';
comment on constraint proposal_decided_at_finite on proposal is 'expected a finite time';
comment on constraint proposal_parts_list on proposal is 'expected a list';

alter table relay
  add constraint relay_last_whole check (last between 0 and 9007199254740991) not valid;
comment on constraint relay_last_whole on relay is 'expected a whole number from 0 to 2^53 − 1';

alter table resource_class
  add constraint resource_class_name_said check (name <> '') not valid;
comment on constraint resource_class_name_said on resource_class is 'expected a name';

alter table resource_provider
  add constraint resource_provider_created_at_finite check (isfinite(created_at)) not valid,
  add constraint resource_provider_generation_whole check (generation between 0 and 9007199254740991) not valid,
  add constraint resource_provider_name_said check (name <> '') not valid;
comment on constraint resource_provider_created_at_finite on resource_provider is 'expected a finite time';
comment on constraint resource_provider_generation_whole on resource_provider is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint resource_provider_name_said on resource_provider is 'expected a name';

alter table run
  add constraint run_created_at_finite check (isfinite(created_at)) not valid,
  add constraint run_started_at_finite check (isfinite(started_at)) not valid,
  add constraint run_ended_at_finite check (isfinite(ended_at)) not valid,
  add constraint run_generation_whole check (generation between 0 and 9007199254740991) not valid;
comment on constraint run_created_at_finite on run is 'expected a finite time';
comment on constraint run_started_at_finite on run is 'expected a finite time';
comment on constraint run_ended_at_finite on run is 'expected a finite time';
comment on constraint run_generation_whole on run is 'expected a whole number from 0 to 2^53 − 1';

alter table run_diff
  add constraint run_diff_at_finite check (isfinite("at")) not valid,
  add constraint run_diff_lines_shape check (lines @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.type() == "object" && @.instance.type() == "object" && @.what.type() == "string") || ((@.type() == "object" && @.instance.type() == "object" && @.what.type() == "string") is unknown))))') not valid;
comment on constraint run_diff_at_finite on run_diff is 'expected a finite time';
comment on constraint run_diff_lines_shape on run_diff is 'expected lines: sign, instance, what';

alter table run_move
  add constraint run_move_after_list check (after is not null) not valid,
  add constraint run_move_body_shape check (body @? 'strict $ ? (@.type() == "object" && @.amounts.type() == "array" && @.cells.type() == "array" && @.units.type() == "array")') not valid,
  add constraint run_move_why_shape check (why @? 'strict $ ? (@.type() == "object" && ((@.is == "left" && @.left.type() == "object") || (@.is == "move" && @.notLive.type() == "array")))') not valid,
  add constraint run_move_method_known check (method in ('live-migrate', 'cold-migrate', 'resize', 'evacuate', 'rebuild', 'unshelve', 'stop')) not valid,
  add constraint run_move_chosen_known check (chosen in ('live-migrate', 'cold-migrate', 'stay')) not valid;
comment on constraint run_move_after_list on run_move is 'expected a list';
comment on constraint run_move_body_shape on run_move is 'expected a claim: amounts, cells, units';
comment on constraint run_move_why_shape on run_move is 'expected why it goes there or stays';
comment on constraint run_move_method_known on run_move is 'expected one of live-migrate, cold-migrate, resize, evacuate, rebuild, unshelve, stop';
comment on constraint run_move_chosen_known on run_move is 'expected one of live-migrate, cold-migrate, stay';

alter table saved_view
  add constraint saved_view_created_at_finite check (isfinite(created_at)) not valid,
  add constraint saved_view_updated_at_finite check (isfinite(updated_at)) not valid;
comment on constraint saved_view_created_at_finite on saved_view is 'expected a finite time';
comment on constraint saved_view_updated_at_finite on saved_view is 'expected a finite time';

alter table setting
  add constraint setting_updated_at_finite check (isfinite(updated_at)) not valid,
  add constraint setting_value_known check (case name
      when 'policy' then value in ('"spread"', '"pack"', '"least-fragmentation"')
      when 'limits' then value @? 'strict $ ? (@.type() == "object" && !exists(@.* ? (!(@ >= 1) || ((@ >= 1) is unknown))))'
      when 'confirm-window-ms' then value @? 'strict $ ? (@ == null || @ >= 0)'
      when 'second-person' then jsonb_typeof(value) = 'array'
      when 'past-since' then value @? 'strict $ ? (@ >= 0)'
      else true end) not valid,
  add constraint setting_name_said check (name <> '') not valid;
comment on constraint setting_updated_at_finite on setting is 'expected a finite time';
comment on constraint setting_value_known on setting is 'expected what this setting may be; without the row its default holds';
comment on constraint setting_name_said on setting is 'expected a name';

alter table simulator_record
  add constraint simulator_record_version_whole check (version between 0 and 9007199254740991) not valid,
  add constraint simulator_record_hosts_list check (hosts is not null) not valid,
  add constraint simulator_record_record_shape check (record @? 'strict $ ? (@.type() == "object")') not valid;
comment on constraint simulator_record_version_whole on simulator_record is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint simulator_record_hosts_list on simulator_record is 'expected a list';
comment on constraint simulator_record_record_shape on simulator_record is 'expected a record';

alter table standing_audit
  add constraint standing_audit_at_finite check (isfinite("at")) not valid,
  add constraint standing_audit_cold_at_finite check (isfinite(cold_at)) not valid;
comment on constraint standing_audit_at_finite on standing_audit is 'expected a finite time';
comment on constraint standing_audit_cold_at_finite on standing_audit is 'expected a finite time';

alter table trait
  add constraint trait_name_said check (name <> '') not valid;
comment on constraint trait_name_said on trait is 'expected a name';

alter table unit
  add constraint unit_id_whole check (id between 0 and 9007199254740991) not valid,
  add constraint unit_size_mib_whole check (size_mib between 0 and 9007199254740991) not valid,
  add constraint unit_pci_shape check (pci @? 'strict $ ? (@.type() == "object" && @.address.type() == "string" && @.vendorId.type() == "string" && @.productId.type() == "string" && @.devType.type() == "string" && @.tags.type() == "object" && !exists(@.tags.* ? (!(@.type() == "string") || ((@.type() == "string") is unknown))))') not valid,
  add constraint unit_name_known check (name ~ '^[a-z]+:.') not valid;
comment on constraint unit_id_whole on unit is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint unit_size_mib_whole on unit is 'expected a whole number from 0 to 2^53 − 1';
comment on constraint unit_pci_shape on unit is 'expected a PCI function: address, vendorId, productId, devType, tags';
comment on constraint unit_name_known on unit is 'expected the name of a unit, such as cpu:12';

alter table unit_holding
  add constraint unit_holding_since_finite check (isfinite(since)) not valid;
comment on constraint unit_holding_since_finite on unit_holding is 'expected a finite time';
