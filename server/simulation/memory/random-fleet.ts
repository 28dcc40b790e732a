import { decide } from '../../engine/claim'
import { type Demand, demandOf, type Flavor } from '../../engine/demand'
import { hostFrom, withHolding, withoutHolding } from '../../engine/holdings'
import type { Holding, Host, HostFrame } from '../../engine/host'
import type { Inventory, Provider } from '../../engine/resources/inventory'
import type { NumaNode } from '../../engine/topology/host'
import type { ClaimId, ConsumerId, InstanceId, ProviderId } from '../../engine/words/ids'
import { Chance } from '../chance'
import { hostId, idOf } from '../hardware'

// A few random hosts with random instances that are created, migrated, resized, confirmed, reverted and deleted. The
// engine decides every claim. After every step a checker gets the hosts and the demand behind each claim.

export interface FleetRun {
  readonly claims: number
  readonly refused: number
  readonly moves: number
  readonly reverts: number
}

interface PlacedInstance {
  readonly instance: InstanceId
  flavor: Flavor
  at: number
  claim: ClaimId
  /** The claim at the source, until the migration is confirmed or reverted. */
  old: { readonly at: number; readonly claim: ClaimId; readonly flavor: Flavor } | null
}

const STEPS = 60
const IMAGE = { name: 'plain', properties: {} }

type MemoryCheck = (hosts: readonly Host[], demands: ReadonlyMap<ClaimId, Demand>) => void

export function runRandomFleet(seed: number, judge: MemoryCheck): FleetRun {
  return new RandomFleet(new Chance(seed)).run(judge)
}

class RandomFleet {
  readonly #chance: Chance
  readonly #hosts: Host[]
  readonly #demands = new Map<ClaimId, Demand>()
  #instances: PlacedInstance[] = []
  #next = 1
  readonly #run = { claims: 0, refused: 0, moves: 0, reverts: 0 }

  constructor(chance: Chance) {
    this.#chance = chance
    this.#hosts = Array.from({ length: 1 + chance.below(3) }, (_, n) => randomHost(n + 1, chance))
  }

  run(judge: MemoryCheck): FleetRun {
    for (let step = 0; step < STEPS; step++) {
      const instance = this.#instances[this.#chance.below(this.#instances.length * 2 + 1)]
      if (instance === undefined) this.#create()
      else if (instance.old !== null) this.#end(instance, instance.old)
      else if (this.#chance.permille(150)) this.#delete(instance)
      else this.#migrate(instance)
      judge(this.#hosts, this.#demands)
    }
    return this.#run
  }

  #create(): void {
    const flavor = randomFlavor(this.#chance)
    const at = this.#chance.below(this.#hosts.length)
    const instance = idOf(7, this.#next) as InstanceId
    const claim = this.#claim(at, flavor, instance)
    if (claim !== null) this.#instances.push({ instance, flavor, at, claim, old: null })
  }

  /** To any host, including its own, with the same flavor or another. The old and the new claim exist side by side. */
  #migrate(instance: PlacedInstance): void {
    const flavor = this.#chance.permille(500) ? randomFlavor(this.#chance) : instance.flavor
    const at = this.#chance.below(this.#hosts.length)
    const claim = this.#claim(at, flavor, instance.instance)
    if (claim === null) return
    this.#run.moves += 1
    instance.old = { at: instance.at, claim: instance.claim, flavor: instance.flavor }
    Object.assign(instance, { at, claim, flavor })
  }

  #end(instance: PlacedInstance, old: NonNullable<PlacedInstance['old']>): void {
    if (this.#chance.permille(500)) this.#release(old.at, old.claim)
    else {
      this.#run.reverts += 1
      this.#release(instance.at, instance.claim)
      Object.assign(instance, old)
    }
    instance.old = null
  }

  #delete(instance: PlacedInstance): void {
    this.#release(instance.at, instance.claim)
    this.#instances = this.#instances.filter((each) => each !== instance)
  }

  #claim(at: number, flavor: Flavor, instance: InstanceId): ClaimId | null {
    const host = this.#hosts[at]
    const result = demandOf(flavor, IMAGE)
    if (!host || !result.ok) return null
    const verdict = decide({ demand: result.demand, host, instance, group: null, live: null, excludedHost: null })
    if (!verdict.ok) {
      this.#run.refused += 1
      return null
    }
    const number = this.#next++
    const { amounts, cells, units } = verdict.plan
    const holding: Holding = {
      ...{
        claim: idOf(8, number) as ClaimId,
        consumer: idOf(9, number) as ConsumerId,
        consumerKind: 'instance',
        instance,
      },
      body: { amounts, cells, units },
    }
    this.#hosts[at] = withHolding(host, holding)
    this.#demands.set(holding.claim, result.demand)
    this.#run.claims += 1
    return holding.claim
  }

  #release(at: number, claim: ClaimId): void {
    const host = this.#hosts[at]
    if (host) this.#hosts[at] = withoutHolding(host, claim)
  }
}

const PAGES = ['small', 'large', 'any', '2048', '1048576'] as const

function randomFlavor(chance: Chance): Flavor {
  const nodes = 1 + chance.below(2)
  const extraSpecs: Record<string, string> = {}
  if (chance.permille(600)) extraSpecs['hw:numa_nodes'] = String(nodes)
  if (chance.permille(400)) extraSpecs['hw:cpu_policy'] = 'dedicated'
  if (chance.permille(500)) extraSpecs['hw:mem_page_size'] = PAGES[chance.below(PAGES.length)] ?? 'any'
  const memoryMib = chance.permille(500) ? 1024 * nodes * (1 + chance.below(8)) : 2 * nodes * (1 + chance.below(3000))
  return { name: 'random', vcpus: 2, memoryMib, diskGib: 0, extraSpecs }
}

function randomHost(n: number, chance: Chance): Host {
  const numaNodes = Array.from({ length: 1 + chance.below(4) }, (_, id) => randomNode(id, chance))
  const nested = chance.permille(500)
  const set = {
    reserved: chance.permille(500) ? 256 * (1 + chance.below(4)) : 0,
    allocationRatioMilli: chance.permille(300) ? 1500 : 1000,
  }
  const frame: HostFrame = {
    id: hostId(n),
    name: `h${n}`,
    status: 'up',
    scheduling: 'enabled',
    zone: null,
    cpu: { arch: 'x86_64', vendor: 'Intel', model: 'Cascadelake', features: [] },
    layout: nested ? 'nested' : 'flat',
    driver: 'simulated',
    memory: 'exact',
  }
  const root = provider(hostId(n) as string, null, nested ? [] : inventories(numaNodes, set))
  const children = numaNodes.map((node) => ({
    ...provider(idOf(2, n * 16 + node.id), root.id, inventories([node], set)),
    cell: node.id,
  }))
  return hostFrom(
    frame,
    { providers: nested ? [root, ...children] : [root], numaNodes, devices: [], leftovers: [] },
    [],
  )
}

function randomNode(id: number, chance: Chance): NumaNode {
  const memoryMib = 1024 * (2 + chance.below(15))
  const hugeGib = chance.below(4) === 0 ? Math.min(chance.below(8), memoryMib / 1024) : 0
  const leftMib = memoryMib - hugeGib * 1024
  const twoMib = chance.permille(700) ? chance.below(leftMib / 2 + 1) : 0
  const pool = (sizeKib: number, total: number) => {
    return { sizeKib, total, used: 0, reserved: chance.permille(200) ? chance.below(total + 1) >> 3 : 0 }
  }
  const cpus = Array.from({ length: 16 }, (_, cpu) => id * 16 + cpu)
  return {
    ...{
      id,
      socket: id,
      sharedCpus: cpus.slice(0, 6),
      dedicatedCpus: cpus.slice(6),
      siblings: cpus.map((cpu) => [cpu]),
    },
    ...{ pinnedCpus: [], sharedUsed: 0, memoryMib, memoryUsedMib: 0 },
    // Some hypervisors count huge pages as small pages, too; the memory left over decides.
    pages: [
      pool(4, (chance.permille(200) ? memoryMib : leftMib - twoMib * 2) * 256),
      pool(2048, twoMib),
      pool(1_048_576, hugeGib),
    ],
  }
}

const provider = (id: string, parent: ProviderId | null, kept: readonly Inventory[]): Provider => ({
  ...{ id: id as ProviderId, name: id, parent, generation: 0, inventories: kept },
  ...{ traits: [], aggregates: [], sharing: false },
})

function inventories(nodes: readonly NumaNode[], set: Partial<Inventory>): readonly Inventory[] {
  const of = (resourceClass: string, count: (node: NumaNode) => number): Inventory => {
    const total = nodes.reduce((sum, node) => sum + count(node), 0)
    const bounds = { reserved: 0, minUnit: 1, maxUnit: total, stepSize: 1, used: 0 }
    return { resourceClass, total, ...bounds, allocationRatioMilli: 4000 }
  }
  return [
    of('VCPU', ({ sharedCpus }) => sharedCpus.length),
    { ...of('PCPU', ({ dedicatedCpus }) => dedicatedCpus.length), allocationRatioMilli: 1000 },
    { ...of('MEMORY_MB', ({ memoryMib }) => memoryMib), ...set },
  ]
}
