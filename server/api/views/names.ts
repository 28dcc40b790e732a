import type { ConsumerId } from '../../engine/words/ids'
import type { HolderRef, Ref } from '../contract'

// Ids are for programs; people know hosts and instances by name. Names are loaded before a view is made, so that
// making one stays a pure function.

export interface NameSource {
  readonly hosts: ReadonlyMap<string, string>
  readonly instances: ReadonlyMap<string, string>
  /** Migration → the instance it moves. */
  readonly migrations: ReadonlyMap<string, string>
}

export interface Names {
  host(id: string): Ref
  instance(id: string): Ref
  /** A migration goes by the name of its instance. */
  holder(id: ConsumerId | string): HolderRef
}

export function namesFrom(source: NameSource): Names {
  const instanceName = (id: string) => source.instances.get(id) ?? shortId(id)
  return {
    host: (id) => ({ id, name: source.hosts.get(id) ?? shortId(id) }),
    instance: (id) => ({ id, name: instanceName(id) }),
    holder: (id) => {
      const moved = source.migrations.get(id)
      return moved === undefined
        ? { kind: 'instance', id, name: instanceName(id) }
        : { kind: 'migration', id, name: instanceName(moved) }
    },
  }
}

/** For what has no name any more. */
export function shortId(id: string): string {
  return id.slice(0, 8)
}
