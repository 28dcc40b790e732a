import type { DemandOptions, Flavor } from '../engine/demand'
import { hostFrom } from '../engine/holdings'
import type { Host } from '../engine/host'
import type { Inventory, Provider } from '../engine/resources/inventory'
import type { Device, NumaNode } from '../engine/topology/host'
import type { HostId, ProviderId } from '../engine/words/ids'
import { pciUnit } from '../engine/words/units'
import { idOf } from '../simulation/hardware'
import type { Trace, TraceGuestNode, TraceHost, TraceState } from './scenario-trace'

// A trace records what was held, not what the hosts had. The hosts are the smallest ones of the recorder's model that
// explain every state: equal NUMA nodes of whole cores with two threads, and devices on the node of the instances that
// hold them.

export const RESERVED_MIB = 512
const ROOMY_MIB = 65_536
const ROOMY_GIB = 1_000
const FEWEST_CPUS_PER_CELL = 4 // the recorder's hosts: two NUMA nodes of two cores with two threads
const VENDOR = '8086'
const PRODUCTS = { 'type-PCI': '1533', 'type-PF': '1528', 'type-VF': '1515' } as const

/** One alias per type of device, named after it. */
export const TRACE_DEMAND: DemandOptions = {
  aliases: Object.entries(PRODUCTS).map(([name, productId]) => ({
    name,
    spec: [{ vendor_id: VENDOR, product_id: productId }],
    numaPolicy: 'legacy',
  })),
}

export function hostsOf(trace: Trace): ReadonlyMap<string, Host> {
  const states = trace.steps.map(({ state }) => state)
  const names = [...new Set(states.flatMap(({ hosts }) => Object.keys(hosts)))].sort()
  return new Map(names.map((name, index) => [name, hostOf(name, index + 1, states)]))
}

function hostOf(name: string, n: number, states: readonly TraceState[]): Host {
  const seen = states.flatMap(({ hosts }) => hosts[name] ?? [])
  const numaNodes = numaNodesOf(seen, wantsShared(states))
  const cpus = numaNodes.flatMap((cell) => cell.dedicatedCpus).length
  const inventories = [
    inventory('PCPU', cpus),
    inventory('VCPU', numaNodes.flatMap((cell) => cell.sharedCpus).length, 16_000),
    inventory('MEMORY_MB', ROOMY_MIB * numaNodes.length),
    inventory('DISK_GB', ROOMY_GIB),
  ]
  return hostFrom(
    {
      id: idOf(1, n) as HostId,
      name,
      status: 'up',
      scheduling: 'enabled',
      zone: null,
      cpu: { arch: 'x86_64', vendor: 'Intel', model: 'host', features: [] },
      layout: 'flat',
      driver: 'simulated',
      memory: 'nova',
    },
    {
      providers: [
        rootOf(
          name,
          n,
          inventories.filter(({ total }) => total > 0),
        ),
      ],
      numaNodes,
      devices: devicesOf(name, states),
      leftovers: [],
    },
    [],
  )
}

const rootOf = (name: string, n: number, inventories: readonly Inventory[]): Provider => ({
  id: idOf(2, n) as ProviderId,
  name,
  parent: null,
  generation: 0,
  inventories,
  traits: [],
  aggregates: [],
  sharing: false,
})

function inventory(resourceClass: string, total: number, allocationRatioMilli = 1000): Inventory {
  return { resourceClass, total, reserved: 0, minUnit: 1, maxUnit: total, stepSize: 1, allocationRatioMilli, used: 0 }
}

const wantsShared = (states: readonly TraceState[]) =>
  states.some(({ allocations }) =>
    Object.values(allocations).some((at) => Object.values(at).some((amounts) => (amounts.VCPU ?? 0) > 0)),
  )

/** The number of cores of every NUMA node, from the largest CPU id on any of them. */
function numaNodesOf(seen: readonly TraceHost[], shared: boolean): readonly NumaNode[] {
  const ids = [...new Set(seen.flatMap(({ cells }) => cells.map(({ id }) => id)))].sort((a, b) => a - b)
  let size = FEWEST_CPUS_PER_CELL
  const explains = () =>
    seen.every(({ cells }) =>
      cells.every(({ id, pinnedCpus }) => pinnedCpus.every((cpu) => Math.floor(cpu / size) === id)),
    )
  while (!explains() && size < 1024) size += 2
  return ids.map((id): NumaNode => {
    const cpus = Array.from({ length: size }, (_, index) => id * size + index)
    return {
      id,
      socket: 0,
      sharedCpus: shared ? cpus : [],
      dedicatedCpus: cpus,
      siblings: Array.from({ length: size / 2 }, (_, core) => cpus.slice(core * 2, core * 2 + 2)),
      pinnedCpus: [],
      sharedUsed: 0,
      memoryMib: ROOMY_MIB,
      memoryUsedMib: 0,
      pages: [],
    }
  })
}

/** Functions that were ever blocked by another one of their card: function 0 is a PF, the others are its VFs. */
function blockingFunctions(states: readonly TraceState[]): ReadonlySet<string> {
  const blocked = states.flatMap(({ hosts }) =>
    Object.values(hosts).flatMap(({ pci }) =>
      Object.entries(pci).flatMap(([address, [status]]) => (/^un(available|claimable)$/.test(status) ? [address] : [])),
    ),
  )
  return new Set(blocked.map(slotOf))
}

const slotOf = (address: string) => address.slice(0, address.lastIndexOf('.'))

function deviceTypeOf(address: string, functions: ReadonlySet<string>): keyof typeof PRODUCTS {
  if (!functions.has(slotOf(address))) return 'type-PCI'
  return address.endsWith('.0') ? 'type-PF' : 'type-VF'
}

function aliasesOf(addresses: readonly string[], functions: ReadonlySet<string>): string {
  const counts = new Map<string, number>()
  for (const address of addresses) {
    const type = deviceTypeOf(address, functions)
    counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  return [...counts].map(([type, count]) => `${type}:${count}`).join(',')
}

function devicesOf(name: string, states: readonly TraceState[]): readonly Device[] {
  const addresses = [...new Set(states.flatMap(({ hosts }) => Object.keys(hosts[name]?.pci ?? {})))].sort()
  const functions = blockingFunctions(states)
  return addresses.map((address) => {
    const devType = deviceTypeOf(address, functions)
    return {
      unit: pciUnit(address),
      kind: 'pci',
      cell: nodeOfDevices(states),
      parent: devType === 'type-VF' ? pciUnit(`${slotOf(address)}.0`) : null,
      resourceClass: 'CUSTOM_PCI',
      // The recorder live-migrates instances with devices only through ports, which carry the tag.
      pci: { address, vendorId: VENDOR, productId: PRODUCTS[devType], devType, tags: { live_migratable: 'true' } },
      free: true,
    }
  })
}

/**
 * An instance with one NUMA node that holds a device shows the node of the device; otherwise it is the first one, as in
 * Nova's fixture.
 */
function nodeOfDevices(states: readonly TraceState[]): number {
  for (const { servers } of states) {
    for (const { numa, pciDevices } of Object.values(servers)) {
      if (numa?.length === 1 && pciDevices.length > 0) return numa[0]!.hostCellId
    }
  }
  return 0
}

/** A flavor that requests what a server of that flavor holds. */
export function flavorsOf(trace: Trace): ReadonlyMap<string, Flavor> {
  const flavors = new Map<string, Flavor>()
  const functions = blockingFunctions(trace.steps.map(({ state }) => state))
  for (const { state } of trace.steps) {
    for (const [name, server] of Object.entries(state.servers)) {
      if (flavors.has(server.flavor)) continue
      const flavor = flavorOf(state, name, functions)
      if (flavor !== null) flavors.set(server.flavor, flavor)
    }
  }
  return flavors
}

function flavorOf(state: TraceState, name: string, functions: ReadonlySet<string>): Flavor | null {
  const server = state.servers[name]!
  const amounts = Object.entries(state.allocations[name] ?? {}).find(([host]) => host === server.host)?.[1]
  if (amounts === undefined) return null
  const pinned = amounts.PCPU ?? 0
  const shared = amounts.VCPU ?? 0
  const cells = server.numa ?? []
  const devices = server.migrationContext?.newPci ?? server.pciDevices
  const pageKib = cells[0]?.pageSizeKib ?? null
  const specs: Record<string, string> = {}
  if (pinned > 0) specs['hw:cpu_policy'] = shared > 0 ? 'mixed' : 'dedicated'
  if (pinned > 0 && shared > 0) specs['hw:cpu_dedicated_mask'] = cells.flatMap((cell) => cell.pcpuset).join(',')
  if (cells.length > 1 || (cells.length === 1 && pinned === 0)) specs['hw:numa_nodes'] = `${cells.length}`
  if (cells.length > 1) Object.assign(specs, nodeSpecs(cells))
  if (pageKib !== null) specs['hw:mem_page_size'] = `${pageKib}`
  if (devices.length > 0) specs['pci_passthrough:alias'] = aliasesOf(devices, functions)
  return {
    name: server.flavor,
    vcpus: pinned + shared,
    memoryMib: amounts.MEMORY_MB ?? 0,
    diskGib: amounts.DISK_GB ?? 0,
    extraSpecs: specs,
  }
}

function nodeSpecs(cells: readonly TraceGuestNode[]): Record<string, string> {
  return Object.fromEntries(
    cells.flatMap((cell, index) => [
      [`hw:numa_cpus.${index}`, [...cell.cpuset, ...cell.pcpuset].sort((a, b) => a - b).join(',')],
      [`hw:numa_mem.${index}`, `${cell.memoryMib}`],
    ]),
  )
}
