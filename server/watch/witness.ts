import type { NamedHost } from '../engine/cloud/join'
import type { CloudSnapshot, Part, WitnessedDomain } from '../engine/cloud/snapshot'

// The third source about a cloud's hosts, if Berth is connected to their libvirt as well.

/** Hosts by their names in Nova; an unknown host has no row, one that did not answer has null. */
export type WitnessReader = (
  hosts: readonly NamedHost[],
) => Promise<ReadonlyMap<string, readonly WitnessedDomain[] | null>>

type NovaSnapshot = Pick<CloudSnapshot, 'hypervisors' | 'servers'>

/** `now`: the cloud's clock. Dated just before the query, so that nothing in it is older. */
export async function witnessedOf(
  known: NovaSnapshot,
  witness: WitnessReader,
  now: () => number,
): Promise<CloudSnapshot['domains']> {
  const { hypervisors } = known
  if (!hypervisors.isRead) return new Map()
  const at = now()
  const answers = await witness(hypervisors.value.filter(({ type }) => type !== 'ironic'))
  const isStrange = makeWrongMachineCheck(known)
  return new Map(
    [...answers].map(([host, value]): [string, Part<readonly WitnessedDomain[]>] => {
      if (value === null) return [host, { isRead: false, why: 'libvirt did not answer' }]
      if (isStrange(host, value)) return [host, { isRead: false, why: WRONG_MACHINE }]
      return [host, { isRead: true, at, complete: true, value }]
    }),
  )
}

const WRONG_MACHINE = 'its libvirt has none of the instances of this cloud; it may be another machine of the same name'
const RUNNING = 1

/**
 * Two clouds may have hosts of the same name, of which a connection reaches one. If this cloud reports instances that
 * run there, but libvirt has only domains that it does not know, the answer is about another host.
 */
function makeWrongMachineCheck({
  servers,
}: NovaSnapshot): (host: string, domains: readonly WitnessedDomain[]) => boolean {
  if (!servers.isRead || !servers.complete) return () => false
  const instances = new Set(servers.value.map(({ id }) => id))
  const running = new Set(
    servers.value.flatMap(({ host, vmState, taskState, powerState }) =>
      host !== null && vmState === 'active' && taskState === null && powerState === RUNNING ? [host] : [],
    ),
  )
  return (host, domains) =>
    running.has(host) &&
    domains.some(({ state }) => state === 'running') &&
    domains.every(({ instance }) => !instances.has(instance))
}
