import type { HostDomain } from '../drivers/driver'
import type { Drivers } from '../drivers/registry'
import type { WitnessedDomain } from '../engine/cloud/snapshot'
import type { HostFrame } from '../engine/host'
import { parseCpuList } from '../engine/topology/cpu/cpu-list'
import { within } from '../store/time/within'
import type { AskWitness } from '../watch/witness'

// What libvirt says on hosts that Nova manages. A connection is to the same host where its name is that of the hypervisor
// or of the service: nova-compute takes both from the machine, as libvirt does.

interface WitnessParts {
  readonly drivers: Drivers
  readonly fleet: { hosts(): readonly Pick<HostFrame, 'id' | 'name' | 'driver'>[] }
}

/** Longer than a host that answers needs; the others are looked at meanwhile. */
const ANSWER_LIMIT_MS = 10_000

export const libvirtWitness =
  ({ drivers, fleet }: WitnessParts): AskWitness =>
  async (wanted) => {
    const own = fleet.hosts().filter(({ driver }) => drivers[driver].domains !== undefined)
    if (own.length === 0) return new Map()
    const byName = new Map(own.map((host) => [host.name.toLowerCase(), host]))
    const asked = wanted.flatMap(({ host, node }) => {
      const known = byName.get(node.toLowerCase()) ?? byName.get(host.toLowerCase())
      return known === undefined ? [] : [{ host, known }]
    })
    const answers = asked.map(async ({ host, known }): Promise<[string, readonly WitnessedDomain[] | null]> => {
      const answer = drivers[known.driver].domains?.(known.id) ?? Promise.resolve(null)
      const said = await within(ANSWER_LIMIT_MS, answer).catch(() => null)
      return [host, said === null ? null : said.map(witnessedOf)]
    })
    return new Map(await Promise.all(answers))
  }

function witnessedOf({ uuid, name, state, pins }: HostDomain): WitnessedDomain {
  const read = [...(pins ?? [])].map(([guest, list]) => [guest, parseCpuList(list)] as const)
  const known = read.flatMap(([guest, cpus]) => (cpus === null ? [] : [[guest, cpus] as const]))
  // A list that is not read says nothing, and then nothing is judged by the others.
  const isRead = pins !== null && known.length === read.length
  return { instance: uuid, name, state, ...(isRead && { pins: new Map(known) }) }
}
