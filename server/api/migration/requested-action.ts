import { acceptAction } from '../../engine/migration/machine'
import { type ActionRequest, requestChange } from '../../engine/migration/requested-action'
import type { RequestedAction } from '../../engine/migration/state'
import type { MigrationId } from '../../engine/words/ids'
import type { Refusal } from '../../engine/words/refusal'
import { readMigrations } from '../../store/migration/list'
import { refusalViews } from '../names/read'
import type { Ms } from '../plain'
import { conflictRefusal } from '../procedure/commit'
import { mapInBatches } from '../procedure/map-in-batches'
import { actorOf, type CallerContext } from '../procedure/procedure'
import { refuse } from '../refusal/refused'
import type { RefusalView } from '../refusal/view'
import type { ApiServices } from '../services'

// A requested action is recorded on the row and accepted by the server that runs the migration (L5). During a transfer,
// progress is written every second, so the update may lose that race a few times; it decides again each time.

export interface ActionResult {
  readonly id: string
  readonly acceptedAt: Ms | null
  readonly refusal: RefusalView | null
}

const TRIES = 8
const AT_ONCE = 8

export interface ActionInput {
  readonly ids: readonly MigrationId[]
  readonly requestedAction: RequestedAction
  readonly reason?: string | undefined
}

/** The instance stops, which cannot be undone, so the reason must be recorded. */
export const needsReason = (requestedAction: RequestedAction): boolean => requestedAction === 'force-complete'

export async function requestActions(
  ctx: CallerContext,
  { ids, requestedAction, reason }: ActionInput,
): Promise<readonly ActionResult[]> {
  if (needsReason(requestedAction) && reason === undefined) {
    const need = 'expected a reason; it is kept with the migration'
    refuse('bad-input', { need, have: 'reason', what: `Request ${requestedAction}` })
  }
  const requested = { requestedAction, actor: actorOf(ctx, reason), askedAt: ctx.services.now() }
  return mapInBatches(ids, AT_ONCE, (id) => requestAction(ctx.services, id, requested))
}

async function requestAction(
  services: ApiServices,
  id: MigrationId,
  requested: Omit<ActionRequest, 'at'>,
): Promise<ActionResult> {
  let refusal: Refusal = { kind: 'unknown', where: {}, need: `migration ${id}`, have: 'nothing' }
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const [found] = await readMigrations(services.database, [id])
    if (!found) break
    const at = services.now()
    const accepted = acceptAction(found.migration, requested.requestedAction, at)
    if (!accepted.ok) {
      refusal = accepted.refusal
      break
    }
    const committed = await services.commit(requestChange(found.migration, accepted.migration, { ...requested, at }))
    if (committed.ok) return { id, acceptedAt: at, refusal: null }
    refusal = conflictRefusal(committed.conflict)
  }
  const [view] = await refusalViews(services, [refusal])
  return { id, acceptedAt: null, refusal: view ?? null }
}
