-- What a repair brings about: what was expected of the next audit when it was planned, and what that audit found.
alter table heal_plan
  add column foreseen jsonb,
  add column found jsonb,
  add constraint heal_plan_foreseen_list check (jsonb_typeof(foreseen) = 'array') not valid,
  add constraint heal_plan_found_list check (jsonb_typeof(found) = 'array') not valid;
comment on constraint heal_plan_foreseen_list on heal_plan is 'expected a list of findings';
comment on constraint heal_plan_found_list on heal_plan is 'expected a list of findings';
