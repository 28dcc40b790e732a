import { type Change, NO_GUARDS, rootGuard, type Write } from '../../engine/change'
import type { Host } from '../../engine/host'
import { type OrdinaryMemory, ordinaryMemory } from '../../engine/memory/host-memory'
import { MEMORY_POLICIES, type MemoryPolicy } from '../../engine/memory/policy'
import { readHost } from '../../store/host/read'
import { commitWithRetry } from '../procedure/commit'
import { hostId, object, oneOf, reason } from '../procedure/inputs'
import { attributionOf, operator } from '../procedure/procedure'
import { refuse, refuseUnknown } from '../refusal/refused'

// A host's memory policy, and its memory in ordinary and huge pages.

/** How a host accounts for memory, and its ordinary memory in MiB; null where nothing is known of its NUMA nodes. */
export interface HostMemoryView {
  readonly policy: MemoryPolicy
  readonly ordinary: OrdinaryMemory | null
}

export function hostMemoryView(host: Host): HostMemoryView {
  const memory = ordinaryMemory(host)
  return { policy: host.memory, ordinary: memory }
}

/** Existing holdings stay. A host over the new limit takes no more until enough are released. */
export const setMemoryPolicy = operator
  .on(object({ id: hostId, policy: oneOf(MEMORY_POLICIES), reason }), ({ id }) => [{ of: 'host', id }])
  .mutation(({ ctx, input }): Promise<{ acceptedAt: number }> => {
    const { services } = ctx
    return commitWithRetry(services, async () => {
      const host = (await readHost(services.database, input.id)) ?? refuseUnknown('host', input.id)
      const about = { what: `Set the memory policy of ${host.name} to ${input.policy}`, where: host.name }
      if (host.memory === input.policy) {
        refuse('not-permitted', { ...about, need: input.policy, have: 'the host already has this policy' })
      }
      const attribution = attributionOf(ctx, input.reason)
      return {
        change: settingChange(host, {
          set: { memory: input.policy },
          kind: 'host.memory',
          was: { status: host.status, scheduling: host.scheduling, memory: host.memory },
          ...attribution,
        }),
        about,
        answer: { acceptedAt: attribution.at },
      }
    })
  })

interface HostSetting extends Pick<Change, 'actor' | 'at'> {
  readonly kind: string
  readonly set: Extract<Write, { readonly do: 'set-host' }>['set']
  readonly was?: object
}

export function settingChange(host: Host, { kind, set, was, ...by }: HostSetting): Change {
  const { id } = host
  return {
    guards: { ...NO_GUARDS, providers: rootGuard(host) },
    writes: [{ do: 'set-host', id, set }],
    event: { kind, hosts: [id], instance: null, migration: null, data: { ...set, ...(was && { was }) } },
    ...by,
  }
}
