import type { CloudFacts } from './facts'
import type { CloudServer, WitnessedDomain } from './snapshot'

// CPUs of pinned instances, as recorded by Nova and as reported by libvirt.

type Pins = ReadonlyMap<number, number | readonly number[]>

export const isLive = ({ state }: WitnessedDomain): boolean => state === 'running' || state === 'paused'

/** By guest CPU, as Nova records them; null when it is not pinned or that is unknown. */
export function recordedPins({ snapshot }: CloudFacts, instance: string): ReadonlyMap<number, number> | null {
  const topology = snapshot.topologies.get(instance)
  if (topology?.isRead !== true) return null
  const pins = new Map(topology.value.nodes.flatMap((node) => [...(node.pins ?? [])]))
  return pins.size === 0 ? null : pins
}

/** `0 to 2, 1 to 5`: the fonts of the console have no arrow. */
export const pinsOf = (pins: Pins | null): string =>
  [...(pins ?? [])]
    .sort(([one], [other]) => one - other)
    .map(([vcpu, host]) => `${vcpu} to ${host}`)
    .join(', ')

export interface DomainObservation {
  readonly host: string
  readonly domain: WitnessedDomain
  readonly at: number
}

/** Its domain on the host that Nova records, if it runs there. */
export function ownObservation(facts: CloudFacts, { id, host }: CloudServer): DomainObservation | null {
  const answer = host === null ? undefined : facts.snapshot.domains.get(host)
  if (host === null || answer?.isRead !== true) return null
  const domain = answer.value.find(({ instance }) => instance === id)
  return domain?.state === 'running' ? { host, domain, at: answer.at } : null
}

/** CPUs of a host that other pinned instances have, as far as known. */
export function cpusInUse(facts: CloudFacts, { id, host }: CloudServer): ReadonlySet<number> {
  const others = (facts.serversOn.get(host ?? '') ?? []).filter((server) => server.id !== id)
  return new Set(
    others.flatMap((server) => {
      const pins = recordedPins(facts, server.id)
      return pins === null
        ? []
        : [...pins.values(), ...[...(ownObservation(facts, server)?.domain.pins?.values() ?? [])].flat()]
    }),
  )
}
