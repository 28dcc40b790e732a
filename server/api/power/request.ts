import type { Instance } from '../../engine/change'
import { type PowerAction, type PowerFacts, requestPower } from '../../engine/power/request'
import type { InstanceId } from '../../engine/words/ids'
import type { Refusal } from '../../engine/words/refusal'
import { readInstanceView } from '../../store/migration/view'
import type { Ref } from '../names/names'
import { refusalViews } from '../names/read'
import type { Ms } from '../plain'
import { conflictRefusal } from '../procedure/commit'
import { mapInBatches } from '../procedure/map-in-batches'
import { actorOf, type CallerContext } from '../procedure/procedure'
import type { RefusalView } from '../refusal/view'
import type { ApiServices } from '../services'

// A power request is written on the instance and performed by the conductor. Requests in a batch are independent.

/** The result for one instance of a batch: accepted, or refused with the reason. */
export interface PowerResult {
  readonly instance: Ref
  readonly acceptedAt: Ms | null
  readonly refusal: RefusalView | null
}

const TRIES = 5
const AT_ONCE = 8

export interface PowerInput {
  readonly ids: readonly InstanceId[]
  readonly action: PowerAction
  readonly hard?: boolean | undefined
  readonly reason?: string | undefined
  /** Requested only for instances where this holds at the time of the decision. */
  readonly only?: (view: PowerFacts) => boolean
}

export const requestAll = (ctx: CallerContext, ask: PowerInput): Promise<readonly PowerResult[]> =>
  mapInBatches(ask.ids, AT_ONCE, (id) => requestOne(ctx, id, ask))

async function requestOne(ctx: CallerContext, id: InstanceId, ask: PowerInput): Promise<PowerResult> {
  const { services } = ctx
  let known: Instance | null = null
  let refusals: readonly Refusal[] = [{ kind: 'unknown', where: {}, need: `instance ${id}`, have: 'nothing' }]
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const view = await readInstanceView(services.database, id)
    if (view === null) break
    known = view.instance
    const at = services.now()
    const accepted =
      ask.only?.(view) === false ? NOT_ANY_MORE : requestPower(view, ask, { actor: actorOf(ctx, ask.reason), at })
    if (!accepted.ok) {
      refusals = accepted.refusals
      break
    }
    const committed = accepted.change === null ? null : await services.commit(accepted.change)
    if (committed === null || committed.ok) return { instance: refOf(id, known), acceptedAt: at, refusal: null }
    refusals = [conflictRefusal(committed.conflict)]
  }
  return { instance: refOf(id, known), acceptedAt: null, refusal: await viewOf(services, refusals) }
}

const NOT_ANY_MORE = {
  ok: false,
  refusals: [
    { kind: 'wrong-state', where: {}, need: 'off since its host went down', have: 'running, or stopped on request' },
  ],
} as const

const refOf = (id: InstanceId, known: Instance | null) => ({ id, name: known?.name ?? id })

async function viewOf(services: ApiServices, refusals: readonly Refusal[]) {
  const [view] = await refusalViews(services, refusals)
  return view ?? null
}
