import type { DomainOnHost } from '../audit/observations'
import { pinsAndDevicesText } from '../audit/survey-checks'
import { type ClaimBody, isDead } from '../host'
import type { HostId, InstanceId } from '../words/ids'
import { type HealContext, hostName } from './context'

// What hypervisors prove about an instance. A repair writes only what is proven: no answer does not mean that nothing
// runs there, and one survey is older than the records.

export type InstanceLocation =
  | {
      readonly is: 'proven'
      readonly host: HostId
      /** The pins and devices that both surveys showed; null when the hypervisor does not report them. */
      readonly body: ClaimBody | null
    }
  /** No host was queried, or none of them reported it. */
  | { readonly is: 'unseen' }
  | { readonly is: 'unclear'; readonly why: string }

/** Where the instance is: seen there twice, and every other host that may have it reports it as not running there. */
export function locateInstance(context: HealContext, instance: InstanceId): InstanceLocation {
  const now = standing(context.latest.of(instance))
  const [only] = now
  if (only === undefined) return { is: 'unseen' }
  if (now.length > 1)
    return unclear(`the instance was observed on ${now.map(({ host }) => hostName(context, host)).join(' and ')}`)
  const before = standing(context.earlier.of(instance)).find(({ host }) => host === only.host)
  if (before === undefined)
    return unclear(`the instance was observed on ${hostName(context, only.host)} by one survey only`)
  const silent = othersOf(context, instance, only.host).find((host) => !isCertain(context, host, instance))
  if (silent !== undefined) {
    return unclear(`${hostName(context, silent)} has not answered since, so it may run there too`)
  }
  return { is: 'proven', host: only.host, body: sameBody(before, only) }
}

const unclear = (why: string): InstanceLocation => ({ is: 'unclear', why })

// A domain that is shut off counts only where none runs: it may be a leftover of a migration.
function standing(seen: readonly DomainOnHost[]): readonly DomainOnHost[] {
  const running = seen.filter(({ domain }) => domain.observedState === 'running')
  return running.length > 0 ? running : seen.filter(({ domain }) => domain.observedState === 'stopped')
}

function sameBody(before: DomainOnHost, now: DomainOnHost): ClaimBody | null {
  const [a, b] = [before.domain.body, now.domain.body]
  return a !== null && b !== null && pinsAndDevicesText(a) === pinsAndDevicesText(b) ? b : null
}

/** Other hosts that may have the domain: where records, claims and migrations place it. */
function othersOf(context: HealContext, instance: InstanceId, here: HostId): readonly HostId[] {
  const migrations = context.migrationsOf.get(instance) ?? []
  const hosts = [
    context.records.instances.get(instance)?.host ?? null,
    ...(context.claimsForInstance.get(instance) ?? []).map(({ host }) => host.id),
    ...migrations.filter(({ step }) => step !== 'ended').flatMap(({ source, target }) => [source, target]),
  ]
  return [...new Set(hosts)].filter((host): host is HostId => host !== null && host !== here)
}

/** Fenced and lost hosts run nothing; others must have reported so. */
const isCertain = (context: HealContext, host: HostId, instance: InstanceId): boolean =>
  isDead(context.records.hosts.get(host)?.status ?? 'lost') || context.latest.answer(host, instance) !== null

export type Clearance =
  /** Nothing of the instance is there. */
  | { readonly is: 'clear' }
  /** The instance does not run there, but leftovers are there, or may be when the host returns. */
  | { readonly is: 'remains' }
  | { readonly is: 'not-clear'; readonly why: string }

/** Whether a claim held there for the instance may be released. One that covers a domain, or may, is never released. */
export function clearance(context: HealContext, host: HostId, instance: InstanceId): Clearance {
  const row = context.records.hosts.get(host)
  if (row === undefined || row.status === 'lost') return { is: 'clear' }
  if (row.status === 'fenced') return { is: 'remains' }
  if (row.status === 'down')
    return notClear(`${row.name} is down, and what runs there is unknown. Mark it as fenced or permanently lost first`)
  if (context.snapshot.hostSurveys === undefined) return notClear('no survey yet. Wait for two surveys')
  for (const round of [context.latest, context.earlier]) {
    if (round.answer(host, instance) === null) {
      return notClear(
        `${row.name} did not answer both of the last two surveys. Wait for it, or mark it as down, fenced or permanently lost`,
      )
    }
  }
  const seen = [...context.latest.of(instance), ...context.earlier.of(instance)].filter((each) => each.host === host)
  if (seen.some(({ domain }) => domain.observedState === 'running')) {
    return notClear(`the instance was observed running on ${row.name}. Claims of running instances are not released`)
  }
  return seen.length === 0 ? { is: 'clear' } : { is: 'remains' }
}

const notClear = (why: string): Clearance => ({ is: 'not-clear', why })
