import type { Change, Conflict } from '../../engine/change'
import { type RefusalContext, RefusalError } from '../refusal/refused'
import type { ApiServices } from '../services'

// A write of the API: read fresh, decide, commit by generation. After a conflicting write it reads and decides again, a
// few times; then it reports the conflicting write.

const TRIES = 5

export interface Decision<T> {
  readonly change: Change
  readonly about: RefusalContext
  readonly answer: T
}

/** `decide` reads the current state and refuses, or returns the change and the answer for when it is committed. */
export async function commitWithRetry<T>(
  services: Pick<ApiServices, 'commit'>,
  decide: () => Promise<Decision<T>>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const { change, about, answer } = await decide()
    const committed = await services.commit(change)
    if (committed.ok) return answer
    if (attempt === TRIES) throw new RefusalError([conflictRefusal(committed.conflict)], about)
  }
}

export function conflictRefusal({ on, id, expected, found }: Conflict) {
  return { kind: 'changed-meanwhile', where: {}, need: `${on} ${id} at ${expected}`, have: found } as const
}
