import type { Actor, Change } from '../books'
import type { HostId } from '../words/ids'
import type { Migration, Wish } from './state'

/** What tells of a wish. */
export const WISH_EVENT = 'migration.wished'

export interface Wished {
  readonly wish: Wish
  readonly actor: Actor
  /** When it was asked for; ms since the epoch, as `at`. */
  readonly askedAt: number
  /** When it is noted: the same, or later where the row had to be read again. */
  readonly at: number
}

/** Notes a wish on the row, as `heed` answered it: guarded by the row's generation, whoever holds the lease (L5). */
export function wishChange(before: Migration, after: Migration, { wish, actor, askedAt, at }: Wished): Change {
  const hosts = [before.source, before.target].filter((host): host is HostId => host !== null)
  return {
    guards: {
      providers: [],
      instance: null,
      migration: { id: before.id, generation: before.generation, fence: null },
      group: null,
    },
    writes: [{ do: 'put-migration', migration: after }],
    event: {
      kind: WISH_EVENT,
      hosts: [...new Set(hosts)],
      instance: before.instance,
      migration: before.id,
      data: { wish, askedAt, step: before.step },
    },
    actor,
    at,
  }
}
