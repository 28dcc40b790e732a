import { createHash } from 'node:crypto'
import type { HostSpec } from '../../engine/host'
import type { Provider } from '../../engine/resources/inventory'
import type { Device, NumaNode } from '../../engine/topology/host'
import type { HostId } from '../../engine/words/ids'
import { cpuUnit } from '../../engine/words/units'

// A host's specification as rows of each table. Usage and times are left out, so that the same hardware always gives
// the same digest.

type Row = Readonly<Record<string, unknown>>

export interface HostRows {
  readonly host: Row
  readonly providers: readonly Row[]
  readonly inventories: readonly Row[]
  readonly traits: readonly Row[]
  readonly aggregates: readonly Row[]
  readonly cells: readonly Row[]
  readonly units: readonly Row[]
}

export const SHARES = 'MISC_SHARES_VIA_AGGREGATE'

export function hostRows({ frame, providers, numaNodes, devices }: HostSpec): HostRows {
  const { id, name, status, scheduling, zone, cpu, layout, driver, memory } = frame
  return {
    host: { id, name, status, scheduling, zone, cpu, layout, driver, memory },
    providers: providers.map((provider) => ({
      id: provider.id,
      name: provider.name,
      parent_id: provider.parent,
      root_id: isShared(provider, id) ? provider.id : id,
      cell: provider.cell ?? null,
    })),
    inventories: providers.flatMap(inventoryRows),
    traits: providers.flatMap((each) => traitsOf(each, id).map((trait) => ({ provider_id: each.id, trait }))),
    aggregates: providers.flatMap((each) => each.aggregates.map((name) => ({ provider_id: each.id, name }))),
    cells: numaNodes.map((node) => nodeRow(id, node)),
    units: [...numaNodes.flatMap((node) => cpuRows(id, node)), ...devices.map((device) => deviceRow(id, device))],
  }
}

const nodeRow = (host: HostId, node: NumaNode): Row => ({
  host_id: host,
  cell: node.id,
  socket: node.socket,
  shared_cpus: node.sharedCpus,
  dedicated_cpus: node.dedicatedCpus,
  siblings: node.siblings,
  memory_mib: node.memoryMib,
  pages: node.pages.map(({ sizeKib, total, reserved }) => ({ sizeKib, total, reserved })),
  network: node.network ?? null,
  distances: node.distances ?? [],
})

const cpuRows = (host: HostId, { id, dedicatedCpus }: NumaNode): Row[] =>
  dedicatedCpus.map((cpu) => ({ host_id: host, name: cpuUnit(cpu), kind: 'cpu', cell: id }))

const deviceRow = (host: HostId, device: Device): Row => ({
  host_id: host,
  name: device.unit,
  kind: device.kind,
  cell: device.cell,
  parent: device.parent,
  resource_class: device.resourceClass,
  provider: device.provider ?? null,
  pci: device.pci ?? null,
  mdev_type: device.mdevType ?? null,
  size_mib: device.sizeMib ?? null,
  state: device.gone ? 'gone' : 'present',
})

/** A host's own tree has one root, which carries the host's id. */
const isShared = (provider: Provider, host: string) => provider.parent === null && provider.id !== host

const traitsOf = (provider: Provider, host: string): readonly string[] =>
  isShared(provider, host) ? [...new Set([...provider.traits, SHARES])] : provider.traits

const inventoryRows = ({ id, inventories }: Provider): Row[] =>
  inventories.map((each) => ({
    provider_id: id,
    resource_class: each.resourceClass,
    total: each.total,
    reserved: each.reserved,
    min_unit: each.minUnit,
    max_unit: each.maxUnit,
    step_size: each.stepSize,
    allocation_ratio_milli: each.allocationRatioMilli,
  }))

/** Omits operators' settings, so that a second import does not undo them. */
export function digestOf(rows: HostRows): string {
  const { status: _status, scheduling: _admission, memory: _memory, ...host } = rows.host
  return createHash('sha256')
    .update(JSON.stringify({ ...rows, host }))
    .digest('hex')
}
