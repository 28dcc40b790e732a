-- A column that may be null because some kinds of row have none is not null in a row of the other kinds. A VF without its
-- PF, a vGPU without its type: each would be read as a device of its own, and be promised twice. Not valid at first: each start proves what it can, the audit names the rest.

alter table unit
  add constraint unit_cpu_placed check (kind <> 'cpu' or cell is not null) not valid,
  add constraint unit_pci_described check (kind <> 'pci' or pci is not null) not valid,
  add constraint unit_vf_below check (parent_id is not null or coalesce(pci ->> 'devType', '') not in ('type-VF', 'vdpa')) not valid,
  add constraint unit_vgpu_typed check (kind <> 'vgpu' or mdev_type is not null) not valid,
  add constraint unit_vpmem_sized check (kind <> 'vpmem' or size_mib is not null) not valid;
comment on constraint unit_cpu_placed on unit is 'expected the NUMA node of the CPU';
comment on constraint unit_pci_described on unit is 'expected the PCI function';
comment on constraint unit_vf_below on unit is 'expected the PF that the VF is cut from';
comment on constraint unit_vgpu_typed on unit is 'expected the mdev type of the vGPU';
comment on constraint unit_vpmem_sized on unit is 'expected the size of the vPMEM namespace';

alter table unit
  add constraint unit_provider_named check (provider <> '') not valid;
comment on constraint unit_provider_named on unit is 'expected the name of a provider, or null';

alter table unit_holding
  add constraint unit_holding_requested check (request_id is null or use in ('device', 'with-parent')) not valid;
comment on constraint unit_holding_requested on unit_holding is 'expected null: only devices are taken by requests';

alter table heal_plan
  add constraint heal_plan_foreseen_elements check (not foreseen @? 'strict $[*] ? (@.type() != "object")') not valid,
  add constraint heal_plan_found_elements check (not found @? 'strict $[*] ? (@.type() != "object")') not valid;
comment on constraint heal_plan_foreseen_elements on heal_plan is 'expected a list of findings';
comment on constraint heal_plan_found_elements on heal_plan is 'expected a list of findings';
