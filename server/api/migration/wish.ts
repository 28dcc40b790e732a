import { heed } from '../../engine/migration/machine'
import type { Wish } from '../../engine/migration/state'
import { type Wished, wishChange } from '../../engine/migration/wish'
import type { MigrationId } from '../../engine/words/ids'
import type { Refusal } from '../../engine/words/refusal'
import { readMigrations } from '../../store/migration/list'
import { refusalViews } from '../names/read'
import type { Ms } from '../plain'
import { conflictRefusal } from '../procedure/commit'
import { actorOf, type CallerContext } from '../procedure/procedure'
import { refuse } from '../refusal/refused'
import type { RefusalView } from '../refusal/view'
import type { ApiServices } from '../services'

// A wish is noted on the row and heeded by whoever carries the move (L5). While a transfer runs, its progress is
// written every second, so a wish may lose that race a few times; each time it is looked at anew.

export interface WishResult {
  readonly id: string
  readonly acceptedAt: Ms | null
  readonly refusal: RefusalView | null
}

const TRIES = 8
const AT_ONCE = 8

export interface WishAsk {
  readonly ids: readonly MigrationId[]
  readonly wish: Wish
  readonly reason?: string | undefined
}

/** After these nobody can say it was a slip: why it was done must be on record. */
export const needsReason = (wish: Wish): boolean => wish === 'force-complete'

export async function wishAll(ctx: CallerContext, { ids, wish, reason }: WishAsk): Promise<readonly WishResult[]> {
  if (needsReason(wish) && reason === undefined) {
    const need = 'expected a reason; it is kept with the migration'
    refuse({ kind: 'bad-input', where: {}, need, have: 'reason' }, { what: `Request ${wish}` })
  }
  const wished = { wish, actor: actorOf(ctx, reason), askedAt: ctx.services.now() }
  const results: WishResult[] = []
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE)
    results.push(...(await Promise.all(some.map((id) => wishOne(ctx.services, id, wished)))))
  }
  return results
}

async function wishOne(services: ApiServices, id: MigrationId, wished: Omit<Wished, 'at'>): Promise<WishResult> {
  let refusal: Refusal = { kind: 'unknown', where: {}, need: `migration ${id}`, have: 'nothing' }
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const [found] = await readMigrations(services.database, [id])
    if (!found) break
    const at = services.now()
    const heeded = heed(found.migration, wished.wish, at)
    if (!heeded.ok) {
      refusal = heeded.refusal
      break
    }
    const committed = await services.commit(wishChange(found.migration, heeded.migration, { ...wished, at }))
    if (committed.ok) return { id, acceptedAt: at, refusal: null }
    refusal = conflictRefusal(committed.conflict)
  }
  const [view] = await refusalViews(services, [refusal])
  return { id, acceptedAt: null, refusal: view ?? null }
}
