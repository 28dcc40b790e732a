import type { z } from 'zod'
import { demandOf, type Flavor, type Image } from '../../engine/demand'
import { freeOn } from '../../engine/explain/largest'
import type { FitCount } from '../../engine/fit-count'
import type { Host, HostFrame } from '../../engine/host'
import { capacityOf, freeOf, type Inventory } from '../../engine/resources/inventory'
import type { HostId, ProviderId } from '../../engine/words/ids'
import { PCPU, VCPU } from '../../engine/words/units'
import { listFlavors } from '../../store/catalog/list'
import { findFlavor } from '../catalog/lookup'
import { shapeInput } from '../catalog/shape-input'
import { type LargestView, largestSize } from '../explain/largest'
import { requestForShape } from '../explain/question'
import { unansweringHosts } from '../host/fleet-now'
import { maySomewhere } from '../permit/rights'
import { line, object } from '../procedure/inputs'
import { router, viewer } from '../procedure/procedure'
import { yieldUnlessAborted } from '../procedure/yield'
import { type TreeRowView, treesOf } from '../provider/router'
import { refuse } from '../refusal/refused'
import type { ApiServices } from '../services'
import { blockedAt } from './blocked-units'
import { fitCountsOf, fitCountsOfCustom } from './flavor-fits'
import { type CapacityRow, memoryRows } from './memory-rows'

export interface FlavorFits {
  readonly flavor: string
  readonly vcpus: number
  readonly memoryMib: number
  /** How many more fit, by zone, each placed after the previous ones; `zone` is null for hosts without one. */
  readonly zones: readonly { readonly zone: string | null; readonly more: number; readonly exact: boolean }[]
  /** On hosts that answer, as in the zones. */
  readonly more: number
  /** How many more fit on hosts that do not answer, or never did; a migration there waits for the host. */
  readonly unanswered: number
  /** False when counting stopped at its bound: the figure is a lower bound. */
  readonly exact: boolean
}

export interface CapacityView {
  readonly classes: readonly CapacityRow[]
  /** Provider trees of clients of the Placement API; not included in `classes`. */
  readonly trees: readonly CapacityRow[]
  readonly seq: string
}

export interface FlavorsView {
  readonly flavors: readonly FlavorFits[]
  readonly tookMs: number
  readonly seq: string
}

/** How many more of one shape fit on each host; hosts on which none fits are omitted. */
export interface FitCountView {
  /** Null for a custom shape. */
  readonly flavor: string | null
  /** The largest shape of the same proportions. */
  readonly largest: LargestView
  readonly hosts: readonly HostFitCount[]
  readonly seq: string
}

export interface HostFitCount extends FitCount {
  readonly id: string
  /** False: the host is recorded as up and does not answer, or never did. */
  readonly answers: boolean
}

/** Typical shapes with 2 GiB per vCPU, by their kind of CPUs and memory. */
export type TypicalShape = 'shared' | 'pinned' | 'pinned-large-pages'

export interface LargestRow {
  readonly kind: TypicalShape
  readonly largest: LargestView
  /** Extra specs of the kind, for further queries. */
  readonly extraSpecs: Readonly<Record<string, string>>
  /** Free CPUs of that kind on all hosts that accept claims, for comparison with the largest shape. */
  readonly freeCpus: number
}

const PLAIN: Image = { name: 'none', properties: {} }

const MIB_PER_CPU = 2048
const PINNED = { 'hw:cpu_policy': 'dedicated' }
const TYPICAL_SHAPES = [
  { kind: 'shared', extraSpecs: {}, cpuClass: VCPU },
  { kind: 'pinned', extraSpecs: PINNED, cpuClass: PCPU },
  { kind: 'pinned-large-pages', extraSpecs: { ...PINNED, 'hw:mem_page_size': 'large' }, cpuClass: PCPU },
] as const satisfies readonly (Pick<LargestRow, 'kind' | 'extraSpecs'> & { cpuClass: string })[]

const fitCountInput = object({ flavor: line('the name of a flavor').optional(), shape: shapeInput.optional() })

export const capacityRouter = router({
  /** Free amount by class. */
  get: viewer.query(async ({ ctx }): Promise<CapacityView> => {
    const { services } = ctx
    const seq = String(services.feed.head)
    const hosts = services.fleet.hosts()
    const isClosed = takesNothingOf(await unansweringHosts(services))
    return {
      classes: [...classRows(hosts, isClosed), ...memoryRows(hosts, isClosed)],
      trees: treeRows(await treesOf(services)),
      seq,
    }
  }),

  /** How many more of each flavor fit, which is less than the free amounts by class suggest. */
  flavors: viewer.query(async ({ ctx, signal }): Promise<FlavorsView> => {
    const { services } = ctx
    const began = performance.now()
    const seq = String(services.feed.head)
    const hosts = services.fleet.hosts()
    const [all, rules, unanswering] = await Promise.all([
      listFlavors(services.database),
      services.rules(),
      unansweringHosts(services),
    ])
    const flavors: FlavorFits[] = []
    for (const flavor of all) {
      const result = demandOf(flavor, PLAIN, rules.demand)
      if (!result.ok) continue
      flavors.push(flavorFits(flavor, hosts, { fits: await fitCountsOf(result.demand, hosts, signal), unanswering }))
    }
    return { flavors, tookMs: Math.round(performance.now() - began), seq }
  }),

  /** How many more of one shape fit on each host. */
  fitCount: viewer.input(fitCountInput).query(async ({ ctx, input, signal }): Promise<FitCountView> => {
    const { services, caller } = ctx
    const seq = String(services.feed.head)
    const flavor = await shapeOf(services, input)
    const request = await requestForShape(services, { flavor, image: PLAIN })
    const { hosts } = request
    const { demand } = request.question
    const fits = input.shape ? await fitCountsOfCustom(demand, hosts, signal) : await fitCountsOf(demand, hosts, signal)
    const some = [...fits].filter(([, { more, exact }]) => more > 0 || !exact)
    const unanswering = await unansweringHosts(services)
    return {
      flavor: input.shape ? null : flavor.name,
      largest: await largestSize(request, maySomewhere(caller, 'investigate')),
      hosts: some.map(([id, room]) => ({ id, ...room, answers: !unanswering.has(id) })),
      seq,
    }
  }),

  /** The largest instances that still fit on one host: how fragmented the free capacity is. */
  largest: viewer.query(async ({ ctx, signal }): Promise<readonly LargestRow[]> => {
    const { services, caller } = ctx
    const rows: LargestRow[] = []
    const isClosed = takesNothingOf(await unansweringHosts(services))
    for (const { kind, extraSpecs, cpuClass } of TYPICAL_SHAPES) {
      const flavor: Flavor = { name: kind, vcpus: 1, memoryMib: MIB_PER_CPU, diskGib: 0, extraSpecs }
      const request = await requestForShape(services, { flavor, image: PLAIN })
      const largest = await largestSize(request, maySomewhere(caller, 'investigate'))
      const open = request.hosts.filter((host) => !isClosed(host))
      rows.push({ kind, largest, extraSpecs, freeCpus: open.reduce((sum, host) => sum + freeOn(host, cpuClass), 0) })
      await yieldUnlessAborted(signal)
    }
    return rows
  }),
})

async function shapeOf(services: ApiServices, { flavor, shape }: z.output<typeof fitCountInput>): Promise<Flavor> {
  if (shape) return { name: 'typed', ...shape }
  if (flavor !== undefined) return findFlavor(services, flavor)
  const need = 'expected a flavor, or a shape in its place'
  return refuse('bad-input', { need, have: 'flavor', what: 'Count how many more fit' })
}

interface CountedHosts {
  readonly fits: ReadonlyMap<HostId, FitCount>
  readonly unanswering: ReadonlySet<HostId>
}

function flavorFits(
  { name, vcpus, memoryMib }: Flavor,
  hosts: readonly Host[],
  { fits, unanswering }: CountedHosts,
): FlavorFits {
  let unanswered = 0
  const zones = new Map<string | null, FitCount>()
  for (const { id, zone } of hosts) {
    const before = zones.get(zone) ?? { more: 0, exact: true }
    const here = fits.get(id) ?? before
    const quiet = unanswering.has(id)
    if (quiet) unanswered += here.more
    zones.set(zone, { more: before.more + (quiet ? 0 : here.more), exact: before.exact && here.exact })
  }
  const rows = [...zones].map(([zone, room]) => ({ zone, ...room }))
  return {
    ...{ flavor: name, vcpus, memoryMib },
    zones: rows.sort((a, b) => (a.zone ?? '').localeCompare(b.zone ?? '')),
    more: rows.reduce((sum, row) => sum + row.more, 0),
    unanswered,
    exact: rows.every((row) => row.exact),
  }
}

/** A provider that several hosts share is counted once. */
function classRows(hosts: readonly Host[], isClosed: (host: Host) => boolean): readonly CapacityRow[] {
  const twice = migrationAmounts(hosts)
  const seen = new Set<ProviderId>()
  const rows = new Map<string, CapacityRow>()
  for (const host of hosts) {
    for (const provider of host.providers) {
      if (seen.has(provider.id)) continue
      seen.add(provider.id)
      for (const inventory of provider.inventories) {
        const { resourceClass } = inventory
        const before = rows.get(resourceClass) ?? emptyRow(resourceClass, twice.get(resourceClass) ?? 0)
        const blocked = blockedAt(host, provider, resourceClass)
        rows.set(resourceClass, plus(before, inventory, { blocked, closed: isClosed(host) }))
      }
    }
  }
  return [...rows.values()].sort((a, b) => (a.resourceClass < b.resourceClass ? -1 : 1))
}

/** Allocations of Placement clients. Those of migrations are not distinguished. */
function treeRows(trees: readonly TreeRowView[]): readonly CapacityRow[] {
  const rows = new Map<string, CapacityRow>()
  for (const { resourceClass, total, reserved, capacity, held, free } of trees.flatMap(({ classes }) => classes)) {
    const row = rows.get(resourceClass) ?? emptyRow(resourceClass, 0)
    rows.set(resourceClass, {
      ...row,
      ...{ total: row.total + total, reserved: row.reserved + reserved, capacity: row.capacity + capacity },
      ...{ held: row.held + held, free: row.free + free },
    })
  }
  return [...rows.values()].sort((a, b) => (a.resourceClass < b.resourceClass ? -1 : 1))
}

/** No list shows a host that does not answer as up, so its free capacity counts as unavailable. */
const takesNothingOf =
  (unanswering: ReadonlySet<HostId>) =>
  ({ id, status, scheduling }: HostFrame): boolean =>
    status !== 'up' || scheduling !== 'enabled' || unanswering.has(id)

const emptyRow = (resourceClass: string, heldTwice: number): CapacityRow => ({
  ...{ resourceClass, total: 0, reserved: 0, capacity: 0, held: 0, heldTwice, free: 0, closed: 0 },
})

function plus(
  row: CapacityRow,
  inventory: Inventory,
  { blocked, closed }: { readonly blocked: number; readonly closed: boolean },
): CapacityRow {
  const free = freeOf(inventory) - blocked
  return {
    ...row,
    total: row.total + inventory.total,
    reserved: row.reserved + inventory.reserved,
    capacity: row.capacity + capacityOf(inventory),
    held: row.held + inventory.used + blocked,
    free: row.free + free,
    closed: row.closed + (closed ? free : 0),
  }
}

/** Amounts that migrations hold in addition to their instances, by class. */
export function migrationAmounts(hosts: readonly Host[]): ReadonlyMap<string, number> {
  const twice = new Map<string, number>()
  for (const { consumerKind, body } of hosts.flatMap((host) => host.holdings)) {
    if (consumerKind !== 'migration') continue
    for (const { resourceClass, amount } of body.amounts) {
      twice.set(resourceClass, (twice.get(resourceClass) ?? 0) + amount)
    }
  }
  return twice
}
