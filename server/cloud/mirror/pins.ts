import type { CloudServer, CloudSnapshot } from '../../engine/cloud/snapshot'

const ASKS = /^(hw:(cpu_policy|cpu_dedicated_mask|numa_|mem_page_size|pci_numa)|resources\d*:PCPU)/

/** Whether its flavor asks for CPUs or NUMA nodes. An image may ask as well, and Nova does not show that with the instance. */
export const asksForPins = ({ flavor: { extraSpecs } }: CloudServer): boolean =>
  Object.keys(extraSpecs ?? {}).some((name) => ASKS.test(name))

/** Instances that share a CPU of their host with another one, as their topologies say: those are worth a second look. */
export function sharingCpus({ servers, topologies }: CloudSnapshot): readonly string[] {
  const users = new Map<string, string[]>()
  for (const { id, host } of servers.told ? servers.value : []) {
    const topology = topologies.get(id)
    if (host === null || topology?.told !== true) continue
    for (const cpu of topology.value.nodes.flatMap(({ pins }) => [...(pins?.values() ?? [])])) {
      const key = `${host} ${cpu}`
      users.set(key, [...(users.get(key) ?? []), id])
    }
  }
  return [...new Set([...users.values()].filter((ids) => ids.length > 1).flat())]
}
