import type { ClaimPlan } from './claim'
import type { ClaimBody, Holding, Host, HostFrame } from './host'
import { withAmounts, withoutUsage } from './resources/allocation'
import type { Amount, Provider } from './resources/inventory'
import { splitKeptAmounts } from './storage/storage'
import type { PlacedNode } from './topology/guest-topology'
import type { Device, NumaNode, PagePool } from './topology/host'
import type { ClaimId, InstanceId, MigrationId } from './words/ids'
import type { UnitName } from './words/units'

// A host's usage is never stored beside its holdings: it is their sum, computed here. Adding or removing one holding
// touches only what that holding names, and returns exactly the host that a full sum would.

/** The parts of a host. Usage in these values is ignored. */
export interface HostParts {
  readonly providers: readonly Provider[]
  readonly numaNodes: readonly NumaNode[]
  readonly devices: readonly Device[]
  readonly leftovers: readonly InstanceId[]
  /** Amounts that instances of other hosts take from its sharing providers. */
  readonly others?: readonly Amount[]
}

export function hostFrom(frame: HostFrame, parts: HostParts, holdings: readonly Holding[]): Host {
  const amounts = [...holdings.flatMap((holding) => holding.body.amounts), ...(parts.others ?? [])]
  const units = heldUnits(holdings)
  return {
    ...frame,
    providers: withAmounts(withoutUsage(parts.providers), amounts, 1),
    numaNodes: parts.numaNodes.map((node) => nodeUnder(node, holdings, units)),
    devices: devicesUnder(parts.devices, units),
    holdings,
    leftovers: parts.leftovers,
  }
}

const NOBODY = '00000000-0000-0000-0000-000000000000' as InstanceId

/** The holding of an instance of that shape, numbered per host. */
export const anonymousHolding = (body: ClaimBody, n = 0): Holding => ({
  claim: `${NOBODY}-${n}` as ClaimId,
  consumer: NOBODY,
  consumerKind: 'instance',
  instance: NOBODY,
  body,
})

export function withHolding(host: Host, holding: Holding): Host {
  return changed(host, [...host.holdings, holding], { body: holding.body, sign: 1 })
}

/** A claim that is not held here changes nothing. */
export function withoutHolding(host: Host, claim: ClaimId): Host {
  const leaving = host.holdings.find((holding) => holding.claim === claim)
  if (leaving === undefined) return host
  const rest = host.holdings.filter((holding) => holding !== leaving)
  return changed(host, rest, { body: leaving.body, sign: -1 })
}

/**
 * The host after a claim. Usage of what the consumer keeps is counted already: only the claim that shows it may change.
 */
export function withClaim(host: Host, holding: Omit<Holding, 'body'>, plan: ClaimPlan): Host {
  const { amounts, cells, units } = plan
  const taken = withHolding(host, { ...holding, body: { amounts, cells, units } })
  if (plan.keptAmounts.length === 0) return taken
  return withBodies(taken, (each) => (each.claim === holding.claim ? { ...each, body: bodyOf(plan) } : each))
}

/** All that the consumer holds on the host after the claim: what it takes, and what it keeps. */
export const bodyOf = ({ amounts, keptAmounts, cells, units }: ClaimPlan): ClaimBody => ({
  amounts: keptAmounts.length === 0 ? amounts : [...amounts, ...keptAmounts],
  cells,
  units,
})

export interface Exchange {
  readonly instance: InstanceId
  readonly migration: MigrationId
  readonly keptAmounts?: readonly Amount[]
}

/** Instance and migration swap what they hold on the host; what is kept stays with the instance. */
export function withExchange(host: Host, { instance, migration, keptAmounts = [] }: Exchange): Host {
  if (!host.holdings.some(({ consumer }) => consumer === instance || consumer === migration)) return host
  return withBodies(host, (holding) => {
    if (holding.consumer === instance) {
      const amounts = splitKeptAmounts(holding.body.amounts, keptAmounts).moves
      return { ...holding, consumer: migration, consumerKind: 'migration', body: { ...holding.body, amounts } }
    }
    if (holding.consumer !== migration) return holding
    const amounts = keptAmounts.length === 0 ? holding.body.amounts : [...holding.body.amounts, ...keptAmounts]
    return { ...holding, consumer: instance, consumerKind: 'instance', body: { ...holding.body, amounts } }
  })
}

/** Without recomputing usage. */
const withBodies = (host: Host, change: (holding: Holding) => Holding): Host => ({
  ...host,
  holdings: host.holdings.map(change),
})

/** The same hosts with the usage of every sharing provider summed over all of them. */
export function shareUsage(hosts: readonly Host[]): readonly Host[] {
  const amounts = hosts.flatMap((host) => host.holdings.flatMap((holding) => holding.body.amounts))
  return hosts.map((host) => {
    if (!host.providers.some((provider) => provider.sharing)) return host
    const summed = withAmounts(withoutUsage(host.providers), amounts, 1)
    return { ...host, providers: host.providers.map((each, at) => (each.sharing ? summed[at]! : each)) }
  })
}

interface BodyChange {
  readonly body: ClaimBody
  readonly sign: 1 | -1
}

function changed(host: Host, holdings: readonly Holding[], { body, sign }: BodyChange): Host {
  const units = heldUnits(holdings)
  const nodes = nodesNamed(body)
  return {
    ...host,
    providers: withAmounts(host.providers, body.amounts, sign),
    numaNodes: host.numaNodes.map((node) => (touches(node, body, nodes) ? nodeUnder(node, holdings, units) : node)),
    devices: body.units.some((unit) => unit.kind !== 'cpu') ? devicesUnder(host.devices, units) : host.devices,
    holdings,
  }
}

const nodesNamed = (body: ClaimBody) => new Set(body.cells.map((node) => node.hostCell))

// A unit may name a CPU of a NUMA node in which the claim has no memory, but only in wrong records. The sum must hold
// even then.
function touches(node: NumaNode, body: ClaimBody, named: ReadonlySet<number>): boolean {
  if (named.has(node.id)) return true
  return body.units.some((unit) => unit.kind === 'cpu' && node.dedicatedCpus.includes(cpuOf(unit.unit)))
}

/** The CPU id in a unit name such as `cpu:12`. */
export function cpuOf(unit: UnitName): number {
  return Number(unit.slice(4))
}

function heldUnits(holdings: readonly Holding[]): ReadonlySet<UnitName> {
  const units = new Set<UnitName>()
  for (const holding of holdings) for (const taken of holding.body.units) units.add(taken.unit)
  return units
}

function nodeUnder(node: NumaNode, holdings: readonly Holding[], units: ReadonlySet<UnitName>): NumaNode {
  let memoryUsedMib = 0
  let sharedUsed = 0
  const pagesUsed = new Map<number, number>()
  for (const holding of holdings) {
    for (const placed of holding.body.cells) {
      if (placed.hostCell !== node.id) continue
      memoryUsedMib += placed.memoryMib
      sharedUsed += placed.sharedVcpus.length
      const sizeKib = pageSizeUsed(node, placed)
      if (sizeKib !== null) pagesUsed.set(sizeKib, (pagesUsed.get(sizeKib) ?? 0) + pagesOf(placed, sizeKib))
    }
  }
  return {
    ...node,
    memoryUsedMib,
    sharedUsed,
    pinnedCpus: node.dedicatedCpus.filter((cpu) => units.has(`cpu:${cpu}`)),
    pages: node.pages.map((pool): PagePool => ({ ...pool, used: pagesUsed.get(pool.sizeKib) ?? 0 })),
  }
}

/**
 * The page size a placed NUMA node's memory comes from: its own, else the smallest of the host NUMA node. Source: Nova.
 */
export function pageSizeUsed(node: NumaNode, placed: PlacedNode): number | null {
  return placed.pageKib ?? node.pages[0]?.sizeKib ?? null
}

export function pagesOf(placed: PlacedNode, sizeKib: number): number {
  return Math.floor((placed.memoryMib * 1024) / sizeKib)
}

function devicesUnder(devices: readonly Device[], units: ReadonlySet<UnitName>): readonly Device[] {
  if (devices.length === 0) return devices
  const blocked = blockedUnits(devices, units)
  const now = devices.map((device) => {
    const free = device.gone !== true && !blocked.has(device.unit)
    return device.free === free ? device : { ...device, free }
  })
  // The same list if nothing changed: values cached for it stay valid.
  return now.every((device, at) => device === devices[at]) ? devices : now
}

/** Held units, everything that is cut from them, and everything that they are cut from. */
function blockedUnits(devices: readonly Device[], held: ReadonlySet<UnitName>): ReadonlySet<UnitName> {
  const parents = new Map(devices.map((device) => [device.unit, device.parent]))
  const blocked = new Set<UnitName>()
  for (const device of devices) {
    const line = lineOf(device.unit, parents)
    if (held.has(device.unit)) for (const unit of line) blocked.add(unit)
    else if (line.some((unit) => held.has(unit))) blocked.add(device.unit)
  }
  return blocked
}

// A unit, its parent, its parent's parent: a vGPU may be cut from a VF, which is cut from a PF.
function lineOf(unit: UnitName, parents: ReadonlyMap<UnitName, UnitName | null>): UnitName[] {
  const line: UnitName[] = []
  for (let at: UnitName | null | undefined = unit; at && !line.includes(at); at = parents.get(at)) line.push(at)
  return line
}

/** All units cut from this one, at any depth, in the host's order. */
export function unitsCutFrom(devices: readonly Device[], unit: UnitName): readonly Device[] {
  const parents = new Map(devices.map((device) => [device.unit, device.parent]))
  return devices.filter((device) => device.unit !== unit && lineOf(device.unit, parents).includes(unit))
}
