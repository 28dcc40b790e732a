import type { Demand } from './demand'
import type { Host, HostCpu } from './host'
import { readBoolean } from './topology/constraint/flavor-image'
import type { AnyDeviceRequest } from './topology/device/devices'
import { runningVgpu } from './topology/device/vgpu'
import type { PlacedNode } from './topology/guest-topology'
import type { Device } from './topology/host'
import type { ConsumerId } from './words/ids'
import type { Refusal } from './words/refusal'
import type { UnitName } from './words/units'

// Requirements of a live-migrating instance on its target: the same CPU features and page sizes, and migratable
// devices.

/** Properties of a running instance that the target must match. */
export interface LiveInstance {
  readonly cpu: HostCpu
  /** Present page size per guest NUMA node; null where the guest has none. */
  readonly pageKibs: readonly (number | null)[]
  /** Present type of vGPU per request: the driver in a running guest knows only that one. */
  readonly mdevTypes?: readonly (string | null)[]
  /** Devices it holds that cannot leave a running domain. */
  readonly stuck?: readonly UnitName[]
}

/** The instance as it runs on its source, read from its consumer's claim there; null when it holds nothing. */
export function liveInstanceOf(source: Host, consumer: ConsumerId): LiveInstance | null {
  const body = source.holdings.find((holding) => holding.consumer === consumer)?.body
  if (!body) return null
  const devices = new Map(source.devices.map((device) => [device.unit, device]))
  const taken = body.units.filter((unit) => unit.use === 'device')
  const ofKind = (kind: Device['kind']) => taken.filter((unit) => unit.kind === kind)
  const typePerRequest = new Map<string, string | null>()
  for (const unit of ofKind('vgpu')) {
    typePerRequest.set(unit.requestId ?? '', devices.get(unit.unit)?.mdevType ?? null)
  }
  return {
    cpu: source.cpu,
    pageKibs: [...body.cells].sort((a, b) => a.guestCell - b.guestCell).map((node) => node.pageKib),
    mdevTypes: [...typePerRequest.values()],
    stuck: ofKind('pci').flatMap((unit) => (isMigratable(devices.get(unit.unit)) ? [] : [unit.unit])),
  }
}

// Only a function with the operator's tag: its driver must be able to transfer its state. vGPUs of the same type can
// since Nova 2024.1, and the content of a vPMEM namespace is copied like memory, so both may migrate.
const isMigratable = (device: Device | undefined) => readBoolean(device?.pci?.tags.live_migratable ?? 'no')

/** The demand restricted to targets that the running instance tolerates. */
export function liveDemand(demand: Demand, live: LiveInstance): Demand {
  const topology = demand.topology && {
    ...demand.topology,
    cells: demand.topology.cells.map((node, index) => ({ ...node, pageKib: live.pageKibs[index] ?? node.pageKib })),
  }
  const vgpus = demand.devices.filter(({ kind }) => kind === 'vgpu')
  const devices = demand.devices.map((ask): AnyDeviceRequest => {
    if (ask.kind === 'pci') return { ...ask, spec: ask.spec.map(migratable) }
    return ask.kind === 'vgpu' ? runningVgpu(ask, live.mdevTypes?.[vgpus.indexOf(ask)] ?? null) : ask
  })
  return { ...demand, topology, devices }
}

const migratable = (spec: Readonly<Record<string, string>>) => ({ ...spec, live_migratable: 'true' })

/** Refusals that need no fit: CPU and what the instance already holds. */
export function liveRefusals(live: LiveInstance, host: Host): Refusal[] {
  const refusals = cpuRefusals(live.cpu, host.cpu)
  for (const unit of live.stuck ?? []) {
    refusals.push({
      kind: 'device-not-migratable',
      where: { unit },
      need: 'live_migratable',
      have: 'held by the instance',
    })
  }
  return refusals
}

// Equal models count as equal CPUs, by libvirt's names. Without a list of features nothing else proves that the guest
// finds the CPU that it booted with.
function cpuRefusals(source: HostCpu, host: HostCpu): Refusal[] {
  const refuse = (need: string, have: string): Refusal[] => [{ kind: 'cpu-model', where: {}, need, have }]
  if (source.arch !== host.arch) return refuse(source.arch, host.arch)
  if (source.vendor !== host.vendor) return refuse(`vendor ${source.vendor}`, host.vendor)
  if (source.model === host.model) return []
  if (source.features.length === 0) return refuse(`model ${source.model}`, host.model)
  const lacks = source.features.filter((feature) => !host.features.includes(feature))
  return lacks.length === 0 ? [] : refuse(`features ${lacks.join(', ')}`, host.model)
}

/**
 * Pages and devices that an unrestricted fit had to change, each with why the running instance cannot have the change.
 */
export function liveChanges(live: LiveInstance, nodes: readonly PlacedNode[], devices: readonly Device[]): Refusal[] {
  const refusals: Refusal[] = []
  for (const node of nodes) {
    const now = live.pageKibs[node.guestCell] ?? null
    if (now === null || now === node.pageKib) continue
    const where = { guestCell: node.guestCell, hostCell: node.hostCell, pageKib: now }
    refusals.push({ kind: 'page-size-change', where, need: `pages of ${now} KiB`, have: `${node.pageKib} KiB` })
  }
  for (const device of devices) {
    const type = device.mdevType
    if (device.kind === 'pci' && !isMigratable(device)) {
      const have = 'not tagged so'
      refusals.push({ kind: 'device-not-migratable', where: { unit: device.unit }, need: 'live_migratable', have })
    } else if (type !== undefined && !(live.mdevTypes ?? [type]).includes(type)) {
      const need = `vGPU type ${live.mdevTypes?.join(', ')}`
      refusals.push({ kind: 'device-not-migratable', where: { unit: device.unit }, need, have: type })
    }
  }
  return refusals
}
