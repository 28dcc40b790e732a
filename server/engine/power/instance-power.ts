import type { HostId, InstanceId } from '../words/ids'
import { isOff, type Power } from './state'

// Merges a host's new answer into the stored power of its instances: state, since when, and whether each ran until its
// host went down. The store and the simulation both use it.

export interface InstancePower extends Power {
  readonly host: HostId
  readonly instance: InstanceId
  /** First survey that showed this state. */
  readonly since: number
  /**
   * It ran when its host was last seen before its instances went off. An instance without earlier observations counts
   * as running then, because nothing contradicts its record.
   */
  readonly ranBefore: boolean
}

export interface HostPowerAnswer {
  readonly host: HostId
  /** Times of this survey, and of the last answered one before; ms since the epoch. */
  readonly at: number
  readonly previousAt: number | null
  readonly guests: readonly (Power & { readonly instance: InstanceId })[]
}

// An orderly host shutdown stops its instances first; an owner's own shutdown is older than that.
const ORDERLY_MS = 10 * 60_000

/**
 * The known instances of the host after its answer. Of an instance with two domains on a host the running one counts.
 */
export function observedPower(known: readonly InstancePower[], answer: HostPowerAnswer): readonly InstancePower[] {
  const before = new Map(known.map((each) => [each.instance, each]))
  const seen = new Map<InstanceId, Power>()
  for (const { instance, state, reason } of answer.guests) {
    const other = seen.get(instance)
    if (other === undefined || isOff(other.state)) seen.set(instance, { state, reason })
  }
  return [...seen].map(([instance, power]) => next(before.get(instance), { instance, power, answer }))
}

interface PowerObservation {
  readonly instance: InstanceId
  readonly power: Power
  readonly answer: HostPowerAnswer
}

function next(known: InstancePower | undefined, { instance, power, answer }: PowerObservation): InstancePower {
  if (known?.state === power.state && known.reason === power.reason) return known
  const { state, reason } = power
  return { host: answer.host, instance, state, reason, since: answer.at, ranBefore: ranBefore(known, answer) }
}

function ranBefore(known: InstancePower | undefined, { at, previousAt }: HostPowerAnswer): boolean {
  if (known === undefined || !isOff(known.state)) return true
  return known.ranBefore && (previousAt ?? at) - known.since < ORDERLY_MS
}
