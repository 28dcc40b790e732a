import { cpuOf, hostFrom } from '../holdings'
import type { ClaimedUnit, Holding, Host } from '../host'
import { capacityOf, inventoryOf, type Provider } from '../resources/inventory'
import type { NumaNode } from '../topology/host'
import { cpusTaken } from '../topology/usage'
import { cpuUnit, type UnitName } from '../words/units'
import { ofHolding, type Report } from './finding'
import { memoryIsThere } from './memory-check'

// What must hold on each host alone. A host is a frozen value, so an auditor checks each value once.

type HostCheck = (host: Host, report: Report) => void

export const HOST_CHECKS: Readonly<Record<string, HostCheck>> = {
  'I1 no class over its capacity': overCapacity,
  'I2 a unit has one holder': unitsHeldOnce,
  'I10 no class of a child on the root of a nested host': childClassOnRoot,
  'a held resource exists': placesKnown,
  'CPUs of the NUMA nodes are held as units': pinsAreUnits,
  'a held device is present': heldDevicesThere,
  'claimed memory exists': memoryIsThere,
}

// Over capacity is legal while an operator shrinks an inventory; no claim may cause it. Either way an operator must see
// it.
function overCapacity(host: Host, report: Report): void {
  for (const provider of host.providers) {
    for (const inventory of provider.inventories) {
      const capacity = capacityOf(inventory)
      if (inventory.used <= capacity) continue
      const { resourceClass } = inventory
      const consumers = host.holdings
        .filter(({ body }) => body.amounts.some((a) => a.provider === provider.id && a.resourceClass === resourceClass))
        .map((holding) => holding.consumer)
      const where = { provider: provider.name, resourceClass }
      report({ kind: 'over-capacity', where, consumers, expected: `at most ${capacity}`, found: `${inventory.used}` })
    }
  }
}

function unitsHeldOnce(host: Host, report: Report): void {
  const holderOf = new Map<UnitName, Holding>()
  const devices: { readonly taken: ClaimedUnit; readonly holding: Holding }[] = []
  for (const holding of host.holdings) {
    for (const taken of holding.body.units) {
      const first = holderOf.get(taken.unit)
      if (first === undefined) holderOf.set(taken.unit, holding)
      else reportUnitHeldTwice([first, holding], taken.unit, report)
      if (taken.kind !== 'cpu') devices.push({ taken, holding })
    }
  }
  if (devices.length === 0) return
  const parents = new Map(host.devices.map((device) => [device.unit, device.parent]))
  for (const { taken, holding } of devices) {
    for (let up = parents.get(taken.unit); up; up = parents.get(up)) {
      const above = holderOf.get(up)
      if (above !== undefined && above.consumer !== holding.consumer)
        reportUnitHeldTwice([above, holding], taken.unit, report)
    }
  }
}

function reportUnitHeldTwice([first, second]: readonly [Holding, Holding], unit: UnitName, report: Report): void {
  report({
    kind: 'unit-held-twice',
    where: { unit },
    instance: second.instance,
    consumers: [first.consumer, second.consumer],
    claims: [first.claim, second.claim],
    expected: 'one holder',
    found: 'two holders of it or of its parent',
  })
}

function childClassOnRoot(host: Host, report: Report): void {
  const root = host.providers[0]
  if (host.layout !== 'nested' || root === undefined) return
  for (const holding of host.holdings) {
    for (const { provider, resourceClass } of holding.body.amounts) {
      if (provider !== root.id || !ofChild(host.providers, resourceClass)) continue
      const expected = `${resourceClass} from a child provider`
      report({
        kind: 'child-class-on-root',
        ...ofHolding(holding),
        where: { resourceClass },
        expected,
        found: 'on the root',
      })
    }
  }
}

const ofChild = (providers: readonly Provider[], resourceClass: string) =>
  providers.some((each) => each.parent !== null && !each.sharing && inventoryOf(each, resourceClass) !== undefined)

function placesKnown(host: Host, report: Report): void {
  if (host.holdings.length === 0) return
  const units = new Set<UnitName>(host.devices.map((device) => device.unit))
  for (const holding of host.holdings) {
    const { amounts, cells, units: taken } = holding.body
    const unknown = (found: string) =>
      report({ kind: 'resource-missing', ...ofHolding(holding), expected: 'a resource of this host', found })
    for (const { unit, kind } of taken) {
      const known = kind === 'cpu' ? host.numaNodes.some((node) => hasCpu(node, cpuOf(unit))) : units.has(unit)
      if (!known) unknown(unit)
    }
    for (const { hostCell } of cells) {
      if (!host.numaNodes.some((node) => node.id === hostCell)) unknown(`NUMA node ${hostCell}`)
    }
    for (const { provider, resourceClass } of amounts) {
      const keeper = host.providers.find((each) => each.id === provider)
      if (!keeper || !inventoryOf(keeper, resourceClass)) unknown(`${resourceClass} of ${keeper?.name ?? provider}`)
    }
  }
}

const hasCpu = (node: NumaNode, cpu: number) => node.dedicatedCpus.includes(cpu)

function pinsAreUnits(host: Host, report: Report): void {
  for (const holding of host.holdings) {
    const units = new Set<UnitName>()
    for (const taken of holding.body.units) if (taken.kind === 'cpu') units.add(taken.unit)
    if (units.size === 0 && holding.body.cells.every((node) => node.pins.length === 0)) continue
    const pinned = cpusTaken(host.numaNodes, holding.body.cells).map((taken) => cpuUnit(taken.cpu))
    if (pinned.length === units.size && pinned.every((unit) => units.has(unit))) continue
    const found = [...units].join(', ') || 'no CPU'
    report({ kind: 'pins-and-units-differ', ...ofHolding(holding), expected: pinned.join(', '), found })
  }
}

function heldDevicesThere(host: Host, report: Report): void {
  const gone = new Set(host.devices.flatMap((device) => (device.gone ? [device.unit] : [])))
  if (gone.size === 0) return
  for (const holding of host.holdings) {
    for (const { unit, use } of holding.body.units) {
      if (use !== 'device' || !gone.has(unit)) continue
      const texts = { expected: 'a device of this host', found: 'the instance has lost it' }
      report({ kind: 'device-lost', ...ofHolding(holding), where: { unit }, ...texts })
    }
  }
}

/** For a host whose usage counts only its claims: what others hold of its providers is subtracted before. */
export function usageIsSum(host: Host, report: Report): void {
  const sum = hostFrom(host, host, host.holdings)
  const differ = (where: object, expected: number | string, found: number | string) => {
    if (expected !== found) report({ kind: 'usage-mismatch', where, expected: `${expected}`, found: `${found}` })
  }
  host.providers.forEach((provider, at) => {
    if (provider.sharing) return
    provider.inventories.forEach(({ resourceClass, used }, index) => {
      differ({ provider: provider.name, resourceClass }, sum.providers[at]!.inventories[index]!.used, used)
    })
  })
  host.numaNodes.forEach((node, at) => {
    const right = sum.numaNodes[at]!
    const where = { hostCell: node.id }
    differ(where, right.memoryUsedMib, node.memoryUsedMib)
    differ(where, right.sharedUsed, node.sharedUsed)
    differ(where, right.pinnedCpus.join(), node.pinnedCpus.join())
    node.pages.forEach((pool, index) => {
      differ({ ...where, pageKib: pool.sizeKib }, right.pages[index]!.used, pool.used)
    })
  })
  host.devices.forEach((device, at) => {
    differ({ unit: device.unit }, sum.devices[at]!.free ? 'free' : 'held', device.free ? 'free' : 'held')
  })
}
