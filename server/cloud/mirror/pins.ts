import type { CloudServer, CloudSnapshot, Part, WitnessedDomain } from '../../engine/cloud/snapshot'

const ASKS = /^(hw:(cpu_policy|cpu_dedicated_mask|numa_|mem_page_size|pci_numa)|resources\d*:PCPU)/

/** Whether its flavor requests CPUs or NUMA nodes. An image may too, but Nova does not list that with the instance. */
export const requestsPins = ({ flavor: { extraSpecs } }: CloudServer): boolean =>
  Object.keys(extraSpecs ?? {}).some((name) => ASKS.test(name))

/**
 * Instances whose CPUs need a second read: two on a host share one, as recorded by Nova or reported by libvirt, or
 * libvirt differs from Nova.
 */
export function doubtfulPins({ servers, topologies, domains }: CloudSnapshot): readonly string[] {
  const users = new Map<string, string[]>()
  const differing: string[] = []
  for (const { id, host } of servers.isRead ? servers.value : []) {
    const topology = topologies.get(id)
    if (host === null || topology?.isRead !== true) continue
    const recorded = topology.value.nodes.flatMap(({ pins }) => [...(pins ?? [])])
    if (recorded.length === 0) continue
    const real = realPins(domains.get(host), id)
    if (real !== null && recorded.some(([vcpu, cpu]) => String(real.get(vcpu) ?? '') !== String(cpu)))
      differing.push(id)
    for (const cpu of new Set([...recorded.map(([, each]) => each), ...[...(real?.values() ?? [])].flat()])) {
      const key = `${host} ${cpu}`
      users.set(key, [...(users.get(key) ?? []), id])
    }
  }
  return [...new Set([...differing, ...[...users.values()].filter((ids) => ids.length > 1).flat()])]
}

function realPins(
  domains: Part<readonly WitnessedDomain[]> | undefined,
  id: string,
): NonNullable<WitnessedDomain['pins']> | null {
  if (domains?.isRead !== true) return null
  return domains.value.find(({ instance, state }) => instance === id && state === 'running')?.pins ?? null
}
