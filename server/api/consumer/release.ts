import type { Actor } from '../../engine/change'
import type { Client } from '../../engine/words/owner'
import { releaseForeign } from '../../store/placement/owner'
import type { PlacementRefusal } from '../../store/placement/refused'
import { refuse, refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'

export interface Release {
  readonly consumer: string
  readonly generation: number
  readonly writtenAt: number | null
  readonly actor: Actor
}

/** Releases the allocations of another client's consumer, as shown. Returns the owner. */
export async function releaseConsumer({ database }: Pick<ApiServices, 'database'>, release: Release): Promise<Client> {
  const { consumer, generation, writtenAt, actor } = release
  const answer = await releaseForeign(database, {
    ...{ consumer, generation, writtenAt, who: actor.who, request: actor.request },
    reason: actor.reason ?? '',
  })
  return answer.ok ? answer.value : notReleased(release, answer.refused)
}

function notReleased({ consumer, generation }: Release, { kind, found }: PlacementRefusal): never {
  const about = { what: 'Release the allocation', where: consumer, notChanged: 'Nothing was released.' }
  if (kind === 'consumer-generation') {
    const next = 'Its owner has changed it since. Check what it has now, then decide again.'
    const have = found === generation ? 'a consumer deleted and created again' : `generation ${found}`
    refuse('changed-meanwhile', { ...about, need: 'the allocation as shown', have, next })
  }
  if (kind === 'driven') {
    const next = 'Review the repair of the finding, or migrate or delete the instance.'
    refuse('not-permitted', { ...about, need: 'a consumer of another owner', have: 'Berth owns it', next })
  }
  return refuseUnknown('consumer of another owner', consumer)
}
