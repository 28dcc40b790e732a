import type { RunKind } from '../../engine/drain/plan'
import { type Host, type HostCpu, type HostScheduling, type HostStatus, isDead } from '../../engine/host'
import type { Migration } from '../../engine/migration/state'
import { capacityOf, type Provider } from '../../engine/resources/inventory'
import type { DriverKind } from '../../engine/words/driver-kinds'
import { DISK_GB, MEMORY_MB, VCPU } from '../../engine/words/units'
import type { FindingCount } from '../../store/finding/count'
import type { Names, Ref } from '../names/names'
import { type HostAction, hostPermits, type Permits } from '../permit/permits'
import type { Rights } from '../permit/rights'
import type { Ms, Share } from '../plain'
import type { SimulatorHost } from '../simulator/controls'
import { type HostMemoryView, hostMemoryView } from './memory'

// One host as a row, and the extra fields of its page.

export interface HeatCell extends Ref {
  readonly zone: string | null
  readonly status: HostStatus
  readonly scheduling: HostScheduling
  readonly cpus: Share
  readonly memoryMib: Share
  readonly movesIn: number
  readonly movesOut: number
  /** Open findings about the host. */
  readonly findings: number
  readonly worst: FindingCount['worst']
  /** The run that empties it now. */
  readonly run: HeatRun | null
  readonly contact: HostContact | null
}

/** How far a drain or an evacuation is. */
export interface HeatRun {
  readonly id: string
  readonly kind: RunKind
  readonly done: number
  readonly total: number
}

/**
 * silent: the host did not answer the last survey, so a migration there would wait. never-answered: only an import
 * recorded it as up.
 */
export type HostContact = 'answering' | 'silent' | 'never-answered'

/** read-only: its hypervisor refuses Berth every change. unconnected: it has no connection. */
export type HostKind = 'simulated' | 'real' | 'read-only' | 'unconnected'

export interface HostRow extends Ref {
  readonly zone: string | null
  readonly status: HostStatus
  /**
   * For a host recorded as up. For one recorded as down: answering if it still answers, else null. Null for any other
   * status, and in the past, where it was not stored.
   */
  readonly contact: HostContact | null
  readonly scheduling: HostScheduling
  readonly reason: string | null
  readonly layout: 'flat' | 'nested'
  readonly driver: DriverKind
  /** Null in the past, where the connection of a host was not stored. */
  readonly kind: HostKind | null
  readonly cells: number
  /** Dedicated CPUs pinned of all dedicated CPUs. */
  readonly pinned: Share
  /** Shared vCPUs placed of what the ratio allows. */
  readonly vcpu: Share
  readonly memoryMib: Share
  readonly diskGib: Share
  readonly devices: Share
  readonly instances: number
  readonly movesIn: number
  readonly movesOut: number
  /** Instances that have leftovers to clean up. */
  readonly remains: number
  /** Open findings about the host; null in the past, where they were not stored. */
  readonly findings: number | null
  /** Severity of the worst of them; null without any. */
  readonly worst: FindingCount['worst']
  /** Last answer of its hypervisor; null when it never answered. */
  readonly lastSeenAt: Ms | null
  readonly permitted: Permits<HostAction>
}

export interface ProviderView {
  readonly id: string
  readonly name: string
  readonly parent: string | null
  readonly generation: number
  readonly cell: number | null
  readonly sharing: boolean
  readonly traits: readonly string[]
  readonly aggregates: readonly string[]
  readonly inventories: readonly {
    readonly resourceClass: string
    readonly total: number
    readonly reserved: number
    readonly used: number
    readonly capacity: number
    readonly allocationRatioMilli: number
  }[]
}

export interface HostDetail extends HostRow {
  readonly memory: HostMemoryView
  readonly cpu: HostCpu
  readonly providers: readonly ProviderView[]
  readonly remainsOf: readonly Ref[]
  /** null unless the host is driven by the simulator. */
  readonly simulator: SimulatorHost | null
  /** Why it does not answer, in the words of its connection; null when that is unknown, or it answers. */
  readonly silence: string | null
}

/** Facts about a host besides its snapshot. */
export interface HostNotes {
  readonly reason: string | null
  readonly lastSeenAt: number | null
  /** It did not answer the last survey; null: not stored. */
  readonly unanswered: boolean | null
  /** Why it did not; null when that is unknown, or it answered. */
  readonly silence: string | null
  /** Whether Berth may control the host over its connection; null: not stored. */
  readonly access: HostAccess | null
}

export type HostAccess = 'none' | 'read' | 'control'

/** Active migrations, by the host they leave or reach. */
export interface HostTraffic {
  readonly movesIn: number
  readonly movesOut: number
}

export interface HostRowContext {
  readonly rights: Rights
  readonly notes: HostNotes
  readonly traffic: HostTraffic
  /** Null of the past. */
  readonly findings: FindingCount | null
}

export const NO_NOTES: HostNotes = { reason: null, lastSeenAt: null, unanswered: null, silence: null, access: null }
export const NO_TRAFFIC: HostTraffic = { movesIn: 0, movesOut: 0 }

/** A host recorded as down is expected not to answer, so only an answer is shown: its instances may still run. */
export function contactOf({ status }: Pick<Host, 'status'>, { unanswered, lastSeenAt }: HostNotes): HostContact | null {
  if (isDead(status) || unanswered === null) return null
  const contact = lastSeenAt === null ? 'never-answered' : unanswered ? 'silent' : 'answering'
  return status === 'up' || contact === 'answering' ? contact : null
}

const KINDS: Readonly<Record<HostAccess, HostKind>> = { none: 'unconnected', read: 'read-only', control: 'real' }

export function hostKind({ driver }: Pick<Host, 'driver'>, { access }: Pick<HostNotes, 'access'>): HostKind | null {
  if (driver === 'simulated') return 'simulated'
  return access && KINDS[access]
}

export function hostRow(host: Host, { rights, notes, traffic, findings }: HostRowContext): HostRow {
  const { id, name, zone, status, scheduling, layout, driver } = host
  const kind = hostKind(host, notes)
  return {
    ...{ id, name, zone, status, scheduling, layout, driver },
    reason: notes.reason,
    contact: contactOf(host, notes),
    kind,
    cells: host.numaNodes.length,
    pinned: pinnedShare(host),
    vcpu: classShare(host, VCPU),
    memoryMib: classShare(host, MEMORY_MB),
    diskGib: classShare(host, DISK_GB),
    devices: deviceShare(host),
    instances: instancesOn(host),
    ...traffic,
    remains: host.leftovers.length,
    findings: findings?.count ?? null,
    worst: findings?.worst ?? null,
    lastSeenAt: notes.lastSeenAt,
    permitted: hostPermits({ name: host.name, zone: host.zone, status, scheduling, kind }, rights),
  }
}

export interface HostDetailContext extends HostRowContext {
  readonly names: Names
  readonly simulator: SimulatorHost | null
}

export function hostDetail(host: Host, context: HostDetailContext): HostDetail {
  return {
    ...hostRow(host, context),
    memory: hostMemoryView(host),
    cpu: host.cpu,
    silence: context.notes.silence,
    providers: host.providers.map(providerView),
    remainsOf: host.leftovers.map((id) => context.names.instance(id)),
    simulator: context.simulator,
  }
}

export interface HeatNotes extends Pick<HeatCell, 'run'> {
  readonly findings: FindingCount
  readonly traffic: HostTraffic
  readonly notes: HostNotes
}

export function heatCell(host: Host, { traffic, findings, run, notes }: HeatNotes): HeatCell {
  const { id, name, zone, status, scheduling } = host
  const pinned = pinnedShare(host)
  const vcpu = classShare(host, VCPU)
  return {
    ...{ id, name, zone, status, scheduling },
    cpus: { used: pinned.used + vcpu.used, total: pinned.total + vcpu.total },
    memoryMib: classShare(host, MEMORY_MB),
    ...traffic,
    ...{ findings: findings.count, worst: findings.worst, run, contact: contactOf(host, notes) },
  }
}

/** Counts instances by their own claims, because a migration's claim belongs to an instance counted elsewhere. */
export function instancesOn(host: Host): number {
  return host.holdings.filter((holding) => holding.consumerKind === 'instance').length
}

function pinnedShare(host: Host): Share {
  return host.numaNodes.reduce(
    (sum, node) => ({ used: sum.used + node.pinnedCpus.length, total: sum.total + node.dedicatedCpus.length }),
    { used: 0, total: 0 },
  )
}

/** Over the host's own tree; a class only a sharing provider has is counted there. */
export function classShare(host: Host, resourceClass: string): Share {
  const own = sumOf(
    host.providers.filter((provider) => !provider.sharing),
    resourceClass,
  )
  return own.total > 0 ? own : sumOf(host.providers, resourceClass)
}

function sumOf(providers: readonly Provider[], resourceClass: string): Share {
  let used = 0
  let total = 0
  for (const inventory of providers.flatMap((provider) => provider.inventories)) {
    if (inventory.resourceClass !== resourceClass) continue
    used += inventory.used
    total += capacityOf(inventory)
  }
  return { used, total }
}

function deviceShare(host: Host): Share {
  const held = new Set(host.holdings.flatMap(({ body }) => body.units.map(({ unit }) => unit)))
  const there = host.devices.filter((device) => !device.gone)
  return { used: there.filter((device) => held.has(device.unit)).length, total: there.length }
}

function providerView(provider: Provider): ProviderView {
  const { id, name, parent, generation, cell, sharing, traits, aggregates } = provider
  return {
    ...{ id, name, parent, generation, sharing, traits, aggregates },
    cell: cell ?? null,
    inventories: provider.inventories.map((inventory) => ({
      resourceClass: inventory.resourceClass,
      total: inventory.total,
      reserved: inventory.reserved,
      used: inventory.used,
      capacity: capacityOf(inventory),
      allocationRatioMilli: inventory.allocationRatioMilli,
    })),
  }
}

/** Active migrations, counted at both ends. One without a chosen target counts at its source only. */
export function trafficOf(active: Iterable<Migration>): ReadonlyMap<string, HostTraffic> {
  const traffic = new Map<string, HostTraffic>()
  const add = (host: string | null, movesIn: number, movesOut: number) => {
    if (host === null) return
    const now = traffic.get(host) ?? NO_TRAFFIC
    traffic.set(host, { movesIn: now.movesIn + movesIn, movesOut: now.movesOut + movesOut })
  }
  for (const { source, target, requestedTarget } of active) {
    add(source, 0, 1)
    add(target ?? requestedTarget, 1, 0)
  }
  return traffic
}
