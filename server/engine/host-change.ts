import type { Actor, Change } from './books'
import type { Host, HostScheduling, HostStatus } from './host'

/** A change of a host's status or scheduling, with its author. */
export interface HostWord {
  readonly set: { readonly status?: HostStatus; readonly scheduling?: HostScheduling }
  /** Evidence, stored with it in the audit log. */
  readonly because: object
  readonly actor: Actor
  readonly at: number
}

export function hostChange(host: Host, { set, because, actor, at }: HostWord): Change {
  const root = host.providers[0]
  return {
    // A change that another author made since must not be overwritten.
    guards: {
      providers: root ? [{ provider: root.id, generation: root.generation }] : [],
      ...{ instance: null, migration: null, group: null },
    },
    writes: [{ do: 'set-host', id: host.id, set: { ...set, reason: actor.reason ?? '' } }],
    event: {
      kind: set.status === undefined ? 'host.scheduling' : 'host.status',
      hosts: [host.id],
      ...{ instance: null, migration: null },
      data: { ...set, was: { status: host.status, scheduling: host.scheduling, memory: host.memory }, ...because },
    },
    actor,
    at,
  }
}
