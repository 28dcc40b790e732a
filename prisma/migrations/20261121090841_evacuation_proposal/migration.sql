-- An evacuation that needs a second person: `plan_id` is the run, `host_id` the host somebody vouches to be surely stopped.
ALTER TABLE "proposal" DROP CONSTRAINT proposal_kind;
ALTER TABLE "proposal" ADD CONSTRAINT proposal_kind CHECK (
  (kind = 'host-truth' AND host_id IS NOT NULL AND truth IS NOT NULL)
  OR (kind = 'heal' AND plan_id IS NOT NULL)
  OR (kind = 'evacuation' AND plan_id IS NOT NULL AND host_id IS NOT NULL));
CREATE UNIQUE INDEX proposal_one_open_evacuation ON "proposal" (plan_id) WHERE state = 'open' AND kind = 'evacuation';
