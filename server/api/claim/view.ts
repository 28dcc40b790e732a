import type { ClaimBody, ClaimedUnit, Holding, Host, UnitUse } from '../../engine/host'
import type { Migration, Operation, Side, Step } from '../../engine/migration/state'
import type { Device } from '../../engine/topology/host'
import type { InstanceId } from '../../engine/words/ids'
import { DISK_GB, MEMORY_MB, PCPU, type UnitKind, VCPU } from '../../engine/words/units'
import type { HolderRef, Names, Ref } from '../names/names'
import type { Ms } from '../plain'

// A claim as shown: a mark for what a migration will do with it, totals for rows, and each item.

/** held: it stays. incoming: the side in the migration's direction. outgoing: the side that it will release. */
export type Mark = 'held' | 'incoming' | 'outgoing'

/** A guest NUMA node and where it was placed on the host. */
export interface GuestNodePlacement {
  readonly guestCell: number
  readonly hostCell: number
  readonly memoryMib: number
  readonly pageKib: number | null
  readonly sharedVcpus: readonly number[]
  readonly pins: readonly (readonly [vcpu: number, cpu: number])[]
  readonly emulatorCpus: readonly number[]
}

export interface HeldUnit {
  readonly unit: string
  readonly kind: UnitKind
  readonly use: UnitUse
  readonly requestId: string | null
  readonly cell: number | null
  /** `VF 8086:154c physnet1`, `nvidia-35`, `6 GiB`. */
  readonly label: string
}

export interface HeldAmount {
  readonly provider: string
  readonly resourceClass: string
  readonly amount: number
}

/** Numbers that sum a claim up, for rows and consequences. */
export interface ClaimTotals {
  readonly vcpus: number
  readonly pinnedCpus: number
  readonly memoryMib: number
  readonly diskGib: number
  readonly devices: number
}

export interface ClaimView {
  readonly id: string
  readonly mark: Mark
  readonly holder: HolderRef
  readonly instance: Ref
  readonly host: Ref
  readonly migration: MigrationRef | null
  readonly since: Ms | null
  readonly held: ClaimTotals
  readonly amounts: readonly HeldAmount[]
  readonly cells: readonly GuestNodePlacement[]
  readonly units: readonly HeldUnit[]
}

export interface MigrationRef {
  readonly id: string
  readonly operation: Operation
  readonly step: Step
  readonly direction: Side
}

/** Active migrations by instance; an instance has at most one. */
export type ActiveMigrations = ReadonlyMap<InstanceId, Migration>

export const NO_TOTALS: ClaimTotals = { vcpus: 0, pinnedCpus: 0, memoryMib: 0, diskGib: 0, devices: 0 }

export function totalsOf(body: ClaimBody): ClaimTotals {
  const sum = (...classes: string[]) =>
    body.amounts.reduce((total, each) => total + (classes.includes(each.resourceClass) ? each.amount : 0), 0)
  return {
    vcpus: sum(VCPU, PCPU),
    pinnedCpus: body.units.filter((unit) => unit.kind === 'cpu' && unit.use === 'pin').length,
    memoryMib: sum(MEMORY_MB),
    diskGib: sum(DISK_GB),
    devices: body.units.filter((unit) => unit.use === 'device').length,
  }
}

export function addTotals(a: ClaimTotals, b: ClaimTotals): ClaimTotals {
  return {
    vcpus: a.vcpus + b.vcpus,
    pinnedCpus: a.pinnedCpus + b.pinnedCpus,
    memoryMib: a.memoryMib + b.memoryMib,
    diskGib: a.diskGib + b.diskGib,
    devices: a.devices + b.devices,
  }
}

/** From the claim on, the instance holds the side in the migration's direction and the migration the other one (L1). */
export function markOf(holding: Pick<Holding, 'consumerKind' | 'instance'>, active: ActiveMigrations): Mark {
  if (holding.consumerKind === 'migration') return 'outgoing'
  const migration = active.get(holding.instance)
  return migration && migration.step !== 'claim' && !migration.keepsClaim ? 'incoming' : 'held'
}

export function migrationRef(migration: Migration): MigrationRef {
  const { id, operation, step, direction } = migration
  return { id, operation, step, direction }
}

export interface ClaimContext {
  readonly host: Host
  readonly names: Names
  readonly active: ActiveMigrations
  /** When each claim was taken. */
  readonly since: ReadonlyMap<string, number>
}

export function claimView(holding: Holding, { host, names, active, since }: ClaimContext): ClaimView {
  const { body } = holding
  const migration = active.get(holding.instance)
  const providers = new Map<string, string>(host.providers.map((provider) => [provider.id, provider.name]))
  return {
    id: holding.claim,
    mark: markOf(holding, active),
    holder: { kind: holding.consumerKind, id: holding.consumer, name: names.instance(holding.instance).name },
    instance: names.instance(holding.instance),
    host: { id: host.id, name: host.name },
    migration: migration ? migrationRef(migration) : null,
    since: since.get(holding.claim) ?? null,
    held: totalsOf(body),
    amounts: body.amounts.map(({ provider, resourceClass, amount }) => ({
      provider: providers.get(provider) ?? provider,
      resourceClass,
      amount,
    })),
    cells: body.cells.map(nodePlace),
    units: heldUnits(body.units, host),
  }
}

function nodePlace(placed: ClaimBody['cells'][number]): GuestNodePlacement {
  const { guestCell, hostCell, memoryMib, pageKib, sharedVcpus, pins, reservedCpus } = placed
  return { guestCell, hostCell, memoryMib, pageKib, sharedVcpus, pins, emulatorCpus: reservedCpus }
}

function heldUnits(units: readonly ClaimedUnit[], host: Host): HeldUnit[] {
  const devices = new Map(host.devices.map((device) => [device.unit, device]))
  const nodeOfCpu = new Map(host.numaNodes.flatMap((node) => node.dedicatedCpus.map((cpu) => [`cpu:${cpu}`, node.id])))
  return units.map(({ unit, kind, use, requestId }) => {
    const device = devices.get(unit)
    const node = device ? device.cell : (nodeOfCpu.get(unit) ?? null)
    return {
      unit,
      kind,
      use,
      requestId: requestId ?? null,
      cell: node,
      label: device ? deviceLabel(device) : `CPU ${unit.slice(4)}`,
    }
  })
}

const PCI_WORDS = { 'type-PF': 'PF', 'type-VF': 'VF', 'type-PCI': 'PCI', vdpa: 'vDPA' } as const

const sizeText = (mib: number) => (mib % 1024 === 0 ? `${mib / 1024} GiB` : `${mib} MiB`)
const counted = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`

/** Summary of a claim: `4 CPUs, 8 GiB, 1 device`. */
export function heldText(body: ClaimBody): string {
  const { vcpus, memoryMib, devices } = totalsOf(body)
  const parts = [counted(vcpus, 'CPU'), sizeText(memoryMib), ...(devices > 0 ? [counted(devices, 'device')] : [])]
  return parts.join(', ')
}

/** `VF 8086:154c physnet1`, `nvidia-35`, `6 GiB`. */
export function deviceLabel(device: Device): string {
  if (device.kind === 'vgpu') return device.mdevType ?? device.resourceClass
  if (device.kind === 'vpmem') return sizeLabel(device)
  if (!device.pci) return device.resourceClass
  const { devType, vendorId, productId, tags } = device.pci
  return [PCI_WORDS[devType], `${vendorId}:${productId}`, tags.physical_network].filter(Boolean).join(' ')
}

function sizeLabel({ sizeMib, resourceClass }: Device): string {
  if (sizeMib === undefined) return resourceClass
  return sizeText(sizeMib)
}
