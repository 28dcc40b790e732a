-- Roles in a part of the fleet: of people, of tokens, and the bounds of runs that such people plan.
ALTER TABLE "api_token" ADD COLUMN     "grants" TEXT[] DEFAULT ARRAY[]::TEXT[];
ALTER TABLE "auth_user" ADD COLUMN     "grants" TEXT[] DEFAULT ARRAY[]::TEXT[];
ALTER TABLE "run" ADD COLUMN     "within" TEXT[] DEFAULT ARRAY[]::TEXT[];

alter table api_token add constraint api_token_grants_read check (
  cardinality(grants) <= 50
  and array_to_string(grants, E'\n', '?') ~ '^((support|operator|admin)@(zone|host|cloud):[^\s[:cntrl:]]([^[:cntrl:]]{0,198}[^\s[:cntrl:]])?(\n(?=.)|$))*$');
alter table auth_user add constraint auth_user_grants_read check (
  cardinality(grants) <= 50
  and array_to_string(grants, E'\n', '?') ~ '^((support|operator|admin)@(zone|host|cloud):[^\s[:cntrl:]]([^[:cntrl:]]{0,198}[^\s[:cntrl:]])?(\n(?=.)|$))*$');
alter table run add constraint run_within_read check (
  array_to_string(within, E'\n', '?') ~ '^((zone|host|cloud):[^\s[:cntrl:]]([^[:cntrl:]]{0,198}[^\s[:cntrl:]])?(\n(?=.)|$))*$');
