import { pathToFileURL } from 'node:url'
import { decide } from '../server/engine/claim'
import { demandOf, type Flavor } from '../server/engine/demand'
import { planDrain } from '../server/engine/drain'
import { DRAIN_STEPS, type DrainInput, type DrainInstance } from '../server/engine/drain/plan'
import { hostFrom, withHolding } from '../server/engine/holdings'
import type { Host } from '../server/engine/host'
import type { ClaimId, HostId, InstanceId } from '../server/engine/words/ids'
import { benchHosts, IMAGE } from './bench-fleet'

// How long a drain plan takes (S6): 40 instances of many shapes over 500 hosts, from the records to the last reason.
// Engine only, with cold caches.

export interface DrainRow {
  readonly name: string
  readonly ms: number
  readonly migrations: number
  readonly left: number
}

export interface DrainOptions {
  readonly hosts: number
  readonly instances: number
}

const LARGE = 50

export const pinned = (vcpus: number, extra: Record<string, string> = {}): Flavor => ({
  name: `p${vcpus}`,
  vcpus,
  memoryMib: vcpus * 2048,
  diskGib: 20,
  extraSpecs: { 'hw:cpu_policy': 'dedicated', ...extra },
})
const FLAVORS = [
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((vcpus) => pinned(vcpus)),
  pinned(4, { 'hw:numa_nodes': '2' }),
  pinned(6, { 'hw:cpu_thread_policy': 'require' }),
  pinned(8, { 'hw:numa_nodes': '2' }),
]

export async function benchDrain(options: DrainOptions = { hosts: 500, instances: 40 }): Promise<readonly DrainRow[]> {
  const { hosts, instances } = options
  const name = `${instances} instances over ${hosts} hosts`
  return [
    measured(`${name}, capacity on all hosts`, fleet(options)),
    measured(`${name}, one needs migrations on other hosts`, crowded(options, LARGE)),
    measured(`${name}, one for which no migrations make room`, crowded(options, 62)),
    measured(`${name}, one that fits nowhere`, crowded(options, 400)),
  ]
}

function measured(name: string, ask: DrainInput): DrainRow {
  const begun = performance.now()
  const { migrations, remaining } = planDrain(ask)
  return { name, ms: performance.now() - begun, migrations: migrations.length, left: remaining.length }
}

/** Every host has this many instances; the first one is drained. */
export function fleet({ hosts, instances }: DrainOptions): DrainInput {
  const specs = benchHosts(hosts, 'drain')
  return drainInputOf(
    specs.map((spec) => hostFrom(spec.frame, { ...spec, leftovers: [] }, [])),
    (_host, n) => (n < instances ? FLAVORS[n % FLAVORS.length]! : null),
  )
}

/** NUMA nodes of 64 CPUs with 31 or 32 free, so that a large instance fits nowhere without migrations. */
function crowded(options: DrainOptions, vcpus: number): DrainInput {
  const specs = benchHosts(options.hosts, 'drain')
  const hosts = specs.map((spec) => hostFrom(spec.frame, { ...spec, leftovers: [] }, []))
  const large = pinned(vcpus, { 'hw:numa_nodes': vcpus > 256 ? '4' : '1' })
  return drainInputOf(
    hosts,
    (host, n) => {
      if (host > 0) return n < 4 ? pinned(vcpus > LARGE || n < 3 ? 33 : 32) : null
      if (n === 0) return vcpus > 256 ? pinned(4, { 'hw:numa_nodes': '4' }) : large
      return n < options.instances ? FLAVORS[n % 5]! : null
    },
    vcpus > 256 ? large : null,
  )
}

function drainInputOf(
  empty: readonly Host[],
  flavorOf: (host: number, n: number) => Flavor | null,
  instead: Flavor | null = null,
): DrainInput {
  const instances: DrainInstance[] = []
  const hosts = empty.map((host, index) => filled(host, (n) => flavorOf(index, n), instances))
  const first = hosts[0]!.id
  const grown = instances.map((instance, at) =>
    at === 0 && instead ? { ...instance, demand: demandFor(instead) } : instance,
  )
  return {
    ...{ kind: 'drain', host: first, hosts, instances: grown, groups: [], members: new Map() },
    ...{ limits: { perSource: 2, perTarget: 2, fleet: 64 }, policy: 'spread' },
    ...{ fallback: 'cold', helpersAllowed: true, steps: DRAIN_STEPS },
  }
}

function filled(host: Host, flavorOf: (n: number) => Flavor | null, instances: DrainInstance[]): Host {
  let full = host
  for (let n = 0; ; n++) {
    const flavor = flavorOf(n)
    if (flavor === null) return full
    const demand = demandFor(flavor)
    const id = `${host.id.slice(0, 24)}${String(n).padStart(12, '0')}` as InstanceId
    const verdict = decide({ demand, host: full, instance: null, group: null, live: null, excludedHost: null })
    if (!verdict.ok) throw new Error(`${flavor.name} does not fit on ${host.name}: ${JSON.stringify(verdict.refusals)}`)
    const { amounts, cells, units } = verdict.plan
    const claim = { claim: id as string as ClaimId, consumer: id, consumerKind: 'instance', instance: id } as const
    full = withHolding(full, { ...claim, body: { amounts, cells, units } })
    instances.push({ record: rowOf(id, flavor, host.id), demand, activeMigration: null, chosen: null, priority: 0 })
  }
}

function rowOf(id: InstanceId, flavor: Flavor, host: HostId): DrainInstance['record'] {
  const where = { host, zone: null, group: null, generation: 1 }
  return { id, name: id.slice(-4), project: 'bench', flavor, image: IMAGE, vmState: 'active', ...where }
}

export function demandFor(flavor: Flavor) {
  const answer = demandOf(flavor, IMAGE)
  if (!answer.ok) throw new Error(JSON.stringify(answer.refusals))
  return answer.demand
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const { name, ms, migrations, left } of await benchDrain()) {
    console.log(`${name.padEnd(70)} ${ms.toFixed(0).padStart(6)} ms  ${migrations} migrations, ${left} stay`)
  }
}
