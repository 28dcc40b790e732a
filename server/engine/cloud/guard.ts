import { amountsText } from './amounts'
import { byProvider, type CloudFacts, DEFAULT_SETTINGS, factsOf } from './facts'
import { lastWriteOf } from './history'
import { isLive, pinsOf, recordedPins } from './pins'
import type { Amounts, CloudSnapshot, Part } from './snapshot'

// State that must be unchanged when a call is made. A guard is data, so that a plan can be stored, shown and checked
// again when it is applied; a guard that cannot be read again fails.

export type CloudGuard =
  | {
      readonly kind: 'server'
      readonly id: string
      readonly host: string | null
      readonly vmState: string
      readonly taskState: string | null
      /** As Nova reports it. Null: an earlier call of the same repair writes the row. */
      readonly updatedAt: number | null
    }
  | {
      readonly kind: 'migration'
      readonly uuid: string
      readonly status: string
      readonly updatedAt: number | null
      /** Its record is written continuously: only the status counts. */
      readonly isRunning?: true
    }
  | {
      readonly kind: 'consumer'
      readonly id: string
      /** Null: it holds nothing. */
      readonly generation: number | null
      /** By provider. */
      readonly allocations: Readonly<Record<string, Amounts>>
    }
  | { readonly kind: 'service'; readonly host: string; readonly state: 'up' | 'down' }
  /** The fields of a service that an operator sets. */
  | {
      readonly kind: 'service-row'
      readonly host: string
      readonly status: 'enabled' | 'disabled'
      readonly forcedDown: boolean
    }
  | { readonly kind: 'dead-host'; readonly host: string }
  /** libvirt was queried, and the instance does not run there. */
  | { readonly kind: 'no-domain'; readonly host: string; readonly instance: string }
  | {
      readonly kind: 'pins'
      readonly host: string
      readonly instance: string
      readonly recorded: string
      readonly real: string
    }
  /** Nothing is allocated from it. */
  | { readonly kind: 'unused-provider'; readonly id: string; readonly generation: number }

/**
 * Changed or unread state since the plan, ready to print. A later call of a repair waits for the earlier ones, so each
 * is verified with a snapshot read just before it.
 */
export function failedGuards(fresh: CloudSnapshot, guards: readonly CloudGuard[], since: number): readonly string[] {
  const facts = factsOf(fresh, DEFAULT_SETTINGS)
  return guards.flatMap((guard) => failuresOf(facts, guard, since))
}

function failuresOf(facts: CloudFacts, guard: CloudGuard, since: number): readonly string[] {
  const { snapshot } = facts
  const stale = (what: string, ...parts: readonly (Part<unknown> | undefined)[]): string | null =>
    parts.every((part) => part?.isRead === true && part.at > since) ? null : `${what} was not read again`
  const reasonsOf = (problem: string | null, differs: string | false | null): readonly string[] =>
    problem !== null ? [problem] : differs ? [differs] : []
  switch (guard.kind) {
    case 'server':
      return reasonsOf(stale('the instance', snapshot.servers), serverDiffers(facts, guard))
    case 'migration': {
      const now = facts.migrations.get(guard.uuid)
      const isWritten = guard.isRunning !== true && (now && lastWriteOf(now)) !== guard.updatedAt
      const isOther = now?.status !== guard.status && `the migration is ${now?.status ?? 'not listed'} now`
      return reasonsOf(
        stale('the migration', snapshot.migrations),
        isOther || (isWritten && 'the migration was written since'),
      )
    }
    case 'consumer':
      return consumerFailures(facts, guard, since)
    case 'service': {
      const state = facts.services.get(guard.host)?.state ?? 'not listed'
      return reasonsOf(
        stale('the service', snapshot.services),
        state !== guard.state && `nova-compute on ${guard.host} is ${state} now`,
      )
    }
    case 'service-row': {
      const now = facts.services.get(guard.host)
      const isSame = now?.status === guard.status && now.forcedDown === guard.forcedDown
      return reasonsOf(
        stale('the service', snapshot.services),
        !isSame && `nova-compute on ${guard.host} was set to something else meanwhile`,
      )
    }
    case 'dead-host':
      return snapshot.deadHosts.has(guard.host) ? [] : [`${guard.host} is no longer attested as powered off`]
    case 'no-domain': {
      const answer = snapshot.domains.get(guard.host)
      const runs =
        answer?.isRead === true && answer.value.some((each) => each.instance === guard.instance && isLive(each))
      return reasonsOf(stale(`libvirt on ${guard.host}`, answer), runs && `the instance runs on ${guard.host}`)
    }
    case 'pins': {
      const recorded = pinsOf(recordedPins(facts, guard.instance))
      const domain = snapshot.domains.get(guard.host)
      const real =
        domain?.isRead === true ? domain.value.find(({ instance }) => instance === guard.instance)?.pins : undefined
      const same = recorded === guard.recorded && pinsOf(real ?? null) === guard.real
      return reasonsOf(
        stale('the pinning', domain, snapshot.topologies.get(guard.instance)),
        !same && 'the pinning has changed',
      )
    }
    case 'unused-provider': {
      const now = facts.providers.get(guard.id)
      const used = !now?.allocations.isRead || now.allocations.value.size > 0 || now.generation !== guard.generation
      return reasonsOf(
        stale('the provider', snapshot.providers, now?.allocations),
        used && 'the provider changed or is in use now',
      )
    }
  }
}

function serverDiffers(facts: CloudFacts, guard: CloudGuard & { kind: 'server' }): string | null {
  const now = facts.servers.get(guard.id)
  if (now === undefined) return 'the instance does not exist any more'
  if (now.host !== guard.host) return `the instance is on ${now.host ?? 'no host'} now`
  if (now.taskState !== guard.taskState) return `the task of the instance is ${now.taskState ?? 'none'} now`
  if (now.vmState !== guard.vmState) return `the instance is ${now.vmState} now`
  return guard.updatedAt === null || lastWriteOf(now) === guard.updatedAt ? null : 'the instance was written since'
}

function consumerFailures(
  facts: CloudFacts,
  guard: CloudGuard & { kind: 'consumer' },
  since: number,
): readonly string[] {
  const { snapshot } = facts
  const answer = snapshot.consumers.get(guard.id)
  const asked = answer?.isRead === true && answer.at > since
  if (!asked && !(facts.allOf.complete && facts.allOf.at > since)) return ['the allocations were not read again']
  const now = facts.consumers.get(guard.id)
  const print = (rows: Readonly<Record<string, Amounts>>) =>
    Object.entries(rows)
      .map(([provider, resources]) => `${provider} ${amountsText(resources)}`)
      .sort()
      .join('; ')
  const same =
    (now?.generation ?? null) === guard.generation && print(byProvider(now?.parts ?? [])) === print(guard.allocations)
  return same ? [] : ['the allocations were written since']
}
