import { type Attribution, type Change, NO_GUARDS, rootGuard } from './change'
import type { Host, HostScheduling, HostStatus } from './host'

/** A change of a host's status or scheduling, with its author. */
export interface HostChangeRequest extends Attribution {
  readonly set: { readonly status?: HostStatus; readonly scheduling?: HostScheduling }
  /** Evidence, stored with the change in the audit log. */
  readonly evidence: object
}

export function hostChange(host: Host, { set, evidence, actor, at }: HostChangeRequest): Change {
  return {
    // A change that another author made since must not be overwritten.
    guards: { ...NO_GUARDS, providers: rootGuard(host) },
    writes: [{ do: 'set-host', id: host.id, set: { ...set, reason: actor.reason ?? '' } }],
    event: {
      kind: set.status === undefined ? 'host.scheduling' : 'host.status',
      hosts: [host.id],
      ...{ instance: null, migration: null },
      data: { ...set, was: { status: host.status, scheduling: host.scheduling, memory: host.memory }, ...evidence },
    },
    actor,
    at,
  }
}
