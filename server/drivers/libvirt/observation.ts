import type { Power } from '../../engine/power/state'
import type { HostId, InstanceId } from '../../engine/words/ids'
import type { DomainStates, DriverOperation, ObservedState } from '../driver'
import type { DomainStatus } from './domain-status'
import { type HostLinks, HostSilence } from './host-links'
import { type DomainTag, readTag } from './xml/tag'
import { parseXmlTree, type XmlElement } from './xml/tree'

// Observed state of a domain on a host, in the driver's words. Foreign domains are ignored, except one that runs under
// the id of the instance.

export interface ObservedDomain extends DomainStatus {
  readonly tag: DomainTag
  /** Its stored definition. */
  readonly stored: XmlElement
  readonly storedXml: string
}

/**
 * Null when the host has no domain of Berth's with that uuid. A running one without a readable tag may be the instance
 * itself, redefined by another tool: reported as absent, it could be started a second time elsewhere.
 */
export async function observe(links: HostLinks, host: HostId, instance: InstanceId): Promise<ObservedDomain | null> {
  const { found, observed } = await find(links, host, instance)
  if (found === null || observed !== null || !isActive(found)) return observed
  throw new UntaggedDomain(host, `a domain of that id is ${found.state} there, and its definition has no tag of Berth`)
}

/** Silent as to the instance, although the host answers. */
export class UntaggedDomain extends HostSilence {}

/** `found`: any domain of that uuid. `observed`: the same if it is Berth's. */
export function find(links: HostLinks, host: HostId, instance: InstanceId): Promise<FoundDomain> {
  return links.at(host, async (connection) => {
    const storedXml = await connection.migratableXml(instance, 'stored')
    const found = storedXml === null ? null : await connection.domain(instance)
    return {
      found,
      observed: storedXml === null || found === null ? null : observedOf({ ...found, uuid: instance }, storedXml),
    }
  })
}

interface FoundDomain {
  readonly found: DomainStatus | null
  readonly observed: ObservedDomain | null
}

/**
 * Null for a foreign domain, and for one whose definition cannot be read. A clone has a copy of the tag, but not the
 * uuid: taken for the instance, it would run twice, and a repair would record it where the clone is.
 */
export function observedOf(
  { uuid, state, reason }: DomainStatus & { readonly uuid: string },
  storedXml: string,
): ObservedDomain | null {
  const parsed = parseXmlTree(storedXml)
  const tag = parsed.ok ? readTag(parsed.root) : null
  return parsed.ok && tag?.instance === uuid ? { state, reason, tag, stored: parsed.root, storedXml } : null
}

const OFF: ReadonlySet<string> = new Set(['shut off', 'crashed', 'no state'])
export const isActive = ({ state }: DomainStatus): boolean => !OFF.has(state)

/** The domain of an incoming migration: the guest is not in it yet. */
export const isArriving = ({ state, reason }: DomainStatus): boolean =>
  state === 'paused' && (reason === 'migrating' || reason === 'starting up')

/** The domain runs at the destination while its memory is still arriving. */
export const isPostCopy = ({ reason }: DomainStatus): boolean => reason.startsWith('post-copy')

export function powerOf({ state, reason }: DomainStatus): Power {
  if (state === 'crashed' || (state === 'shut off' && reason === 'crashed')) return { state: 'crashed', reason }
  if (!isActive({ state, reason })) return { state: 'shutdown', reason }
  if (state === 'paused' || state === 'pmsuspended') return { state: 'paused', reason }
  return { state: 'running', reason: null }
}

/** A domain alone, ignoring the other side. */
export function observedStateOf(domain: ObservedDomain): Exclude<ObservedState, 'silent' | 'absent'> {
  if (isActive(domain)) return domain.tag.role === 'shell' && isArriving(domain) ? 'shell' : 'running'
  if (domain.reason === 'migrated') return 'left'
  return domain.tag.role === 'shell' ? 'shell' : 'stopped'
}

/** The guest is there, running or not. */
export const hasGuest = (observedState: ObservedState): boolean =>
  observedState === 'running' || observedState === 'stopped'

export interface ObservedSides {
  /** The domain of a side; null: none, or one that does not belong to this migration. */
  readonly source: ObservedDomain | null
  readonly target: ObservedDomain | null
  readonly observedState: DomainStates
  /** The sides that did not answer. */
  readonly silent: readonly HostSilence[]
}

export const silenceOf = (sides: ObservedSides, host: string | null) => sides.silent.find((each) => each.host === host)

export async function observeSides(links: HostLinks, driverOperation: DriverOperation): Promise<ObservedSides> {
  const { source, target } = driverOperation
  if (source !== null && source === target)
    return sharedHost(driverOperation, await observeSide(links, driverOperation, 'source'))
  const [left, right] = await Promise.all([
    observeSide(links, driverOperation, 'source'),
    observeSide(links, driverOperation, 'target'),
  ])
  const silent = [left, right].filter((seen) => seen instanceof HostSilence)
  const atSource = left instanceof HostSilence ? null : left
  const atTarget = right instanceof HostSilence ? null : right
  const isOurs = atTarget?.tag.migration === driverOperation.migration
  const observedState = {
    source: left instanceof HostSilence ? 'silent' : sourceState(atSource, isOurs ? atTarget : null),
    target: right instanceof HostSilence ? 'silent' : atTarget && isOurs ? targetState(atTarget) : 'absent',
  } as const
  return { source: atSource, target: isOurs ? atTarget : null, observedState, silent }
}

type ObservedHost = ObservedDomain | null | HostSilence

async function observeSide(
  links: HostLinks,
  driverOperation: DriverOperation,
  side: 'source' | 'target',
): Promise<ObservedHost> {
  const host = driverOperation[side]
  if (host === null) return null
  if (!driverOperation.reach[side]) return new HostSilence(host, 'it is not queried')
  return catchSilence(observe(links, host, driverOperation.instance))
}

/** Returns silence as a value. */
export async function catchSilence<T>(answer: Promise<T>): Promise<T | HostSilence> {
  return answer.catch((error: unknown) => {
    if (error instanceof HostSilence) return error
    throw error
  })
}

/** Null without an answer. */
export async function answerOrNull<T>(promise: Promise<T>): Promise<T | null> {
  const answer = await catchSilence(promise)
  return answer instanceof HostSilence ? null : answer
}

/** The source is paused during the hand-over; once the domain runs at the target, the source's copy is old. */
function sourceState(source: ObservedDomain | null, target: ObservedDomain | null): ObservedState {
  if (source === null) return 'absent'
  const arrived = target !== null && isActive(target) && !isArriving(target)
  return isActive(source) && source.state === 'paused' && (isPostCopy(source) || arrived)
    ? 'left'
    : observedStateOf(source)
}

const targetState = (target: ObservedDomain): ObservedState => (isArriving(target) ? 'shell' : observedStateOf(target))

/** libvirt has one definition per uuid: from `prepare` on it is the target's, and contains the source's. */
function sharedHost({ migration }: DriverOperation, seen: ObservedHost): ObservedSides {
  if (seen instanceof HostSilence)
    return { source: null, target: null, observedState: { source: 'silent', target: 'silent' }, silent: [seen] }
  if (seen === null)
    return { source: null, target: null, observedState: { source: 'absent', target: 'absent' }, silent: [] }
  if (seen.tag.migration !== migration)
    return {
      source: seen,
      target: null,
      observedState: { source: observedStateOf(seen), target: 'absent' },
      silent: [],
    }
  const stands = isActive(seen) ? 'running' : 'stopped'
  const kept = seen.tag.kept === null ? 'absent' : 'stopped'
  const observedState =
    seen.tag.role === 'shell'
      ? ({ source: stands, target: 'shell' } as const)
      : ({ source: kept, target: stands } as const)
  return { source: seen, target: seen, observedState, silent: [] }
}
