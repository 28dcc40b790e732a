import type { Host } from '../host'
import type { Line } from '../rows'
import type { Device } from '../topology/host'
import type { InstanceId } from '../words/ids'
import type { UnitName } from '../words/units'
import type { HealContext } from './context'
import { locateInstance } from './proof'

// An instance has a device whose row was deleted. The row follows from its siblings: the other virtual functions on its
// slot, if they are all alike. So no operator is needed, and nothing is guessed.

export interface CompletedContext {
  /** With the devices as if their rows existed. */
  readonly context: HealContext
  /** The rows to create. */
  readonly made: readonly Line[]
}

export function withUnrecorded(context: HealContext, instance: InstanceId): CompletedContext {
  const there = locateInstance(context, instance)
  const host = there.is === 'proven' ? context.records.hosts.get(there.host) : undefined
  if (there.is !== 'proven' || there.body === null || host === undefined) return { context, made: [] }
  const known = new Set(host.devices.map(({ unit }) => unit))
  const lost = there.body.units.flatMap(({ unit, use }) => (use === 'device' && !known.has(unit) ? [unit] : []))
  const devices = lost.flatMap((unit) => likeSiblings(host, unit) ?? [])
  if (devices.length === 0) return { context, made: [] }
  const whole = { ...host, devices: [...host.devices, ...devices] }
  const hosts = new Map(context.records.hosts).set(host.id, whole)
  return {
    context: { ...context, records: { ...context.records, hosts } },
    made: devices.map((device) => lineOf(host, device)),
  }
}

/** Null when a sibling differs, or there is none. */
function likeSiblings({ devices }: Host, unit: UnitName): Device | null {
  const slot = slotOf(unit)
  const siblings = devices.filter((each) => each.parent !== null && each.pci && slotOf(each.unit) === slot)
  const [first] = siblings
  if (slot === null || !first?.pci || siblings.some((each) => textOf(each) !== textOf(first))) return null
  return { ...first, unit, pci: { ...first.pci, address: unit.slice(PCI.length) }, free: true }
}

const PCI = 'pci:'
const slotOf = (unit: string): string | null => (unit.startsWith(PCI) ? (unit.split('.')[0] ?? null) : null)

const textOf = ({ kind, cell, parent, resourceClass, provider, pci, mdevType, sizeMib }: Device): string =>
  JSON.stringify([kind, cell, parent, resourceClass, provider, pci && { ...pci, address: '' }, mdevType, sizeMib])

function lineOf({ id, name }: Host, device: Device): Line {
  const { unit, kind, cell, parent, resourceClass, provider = null, pci, mdevType, sizeMib } = device
  const described = {
    ...(pci && { pci }),
    ...(mdevType && { mdevType }),
    ...(sizeMib === undefined ? {} : { sizeMib }),
  }
  return {
    row: 'unit',
    key: { host: id, unit },
    before: null,
    after: { provider, state: 'present', made: { kind, cell, parent, resourceClass, ...described } },
    host: id,
    why: `Two surveys of ${name} report the domain with it, and it matches the other functions on its slot.`,
  }
}
