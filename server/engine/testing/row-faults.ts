import type { Holding, Host } from '../host'
import type { Migration } from '../migration/state'
import { freeOf, inventoryOf } from '../resources/inventory'
import { type Line, undone } from '../rows'
import { linesOfHolding } from '../rows-of-holding'
import type { ConsumerId } from '../words/ids'
import { otherSide } from '../words/side'
import { cpuUnit } from '../words/units'
import {
  bySql,
  type Fault,
  type FaultFleet,
  type FaultTarget,
  instanceLine,
  repairable,
  seeing,
  showing,
  without,
} from './faults'
import { claimId, instanceId, migrationId } from './hosts'

// Faults in rows of claims, allocations and instances, as left by SQL, a crashed older version or a manual repair.

const rowsOf = ({ host, holding }: Pick<FaultTarget, 'host' | 'holding'>) => linesOfHolding(host, holding, 'by SQL')
const subject = ({ instance }: FaultTarget) => ({ instances: [instance.id] })

/** A class of the host's own tree that has room for more. */
const roomy = (host: Host) =>
  host.providers
    .filter(({ sharing }) => !sharing)
    .flatMap(({ id: provider, inventories }) => inventories.map((each) => ({ provider, each })))
    .find(({ each }) => freeOf(each) >= 1)

function strayOf(on: FaultFleet, consumer: ConsumerId, type: string) {
  const host = on.host((each) => roomy(each) !== undefined)
  if (host === null) return null
  const { provider, each } = roomy(host)!
  const key = { consumer, provider, resourceClass: each.resourceClass }
  const lines: Line[] = [
    { row: 'consumer', key: { id: consumer }, before: null, after: { type }, host: null, why: '' },
    { row: 'allocation', key, before: null, after: { amount: 1 }, host: host.id, why: '' },
  ]
  return { snapshot: bySql(on.snapshot, lines), consumers: [consumer], near: [host.id] }
}

/** A claim of a consumer that does not exist, or has ended, on another host of the victim. */
function claimElsewhere(on: FaultFleet, victim: FaultTarget, consumer: ConsumerId) {
  const room = on.elsewhere(victim)
  if (room === null) return null
  const holding: Holding = {
    claim: claimId(9000 + on.snapshot.hosts.flatMap(({ holdings }) => holdings).length),
    consumer,
    consumerKind: 'migration',
    instance: victim.instance.id,
    body: room.body,
  }
  return { lines: rowsOf({ host: room.host, holding }), host: room.host }
}

function oneAllocation(
  victim: FaultTarget,
  resourceClass: string,
  amountOf: (amount: number, room: number) => number | null,
) {
  const lines = rowsOf(victim)
  const line = lines.find((each) => each.row === 'allocation' && each.key.resourceClass === resourceClass)
  if (line?.row !== 'allocation' || line.after === null) return null
  const provider = victim.host.providers.find(({ id }) => id === line.key.provider)!
  const amount = amountOf(line.after.amount, freeOf(inventoryOf(provider, resourceClass)!))
  return { ...line, before: line.after, after: amount === null ? null : { amount } } as Line
}

function freeCpu({ host, holding }: FaultTarget): number | undefined {
  const hostCell = holding.body.cells[0]?.hostCell
  const node = host.numaNodes.find(({ id }) => id === hostCell)
  return node?.dedicatedCpus.find((each) => !node.pinnedCpus.includes(each))
}

const isPinned = ({ instance, holding }: FaultTarget) =>
  instance.flavor.name === 'f2' && holding.body.cells.some(({ pins }) => pins.length > 0)

/** Moves the first pin of the instance to a free CPU. */
function repinned(victim: FaultTarget): Holding['body'] | null {
  const free = freeCpu(victim)
  const [cell, ...rest] = victim.holding.body.cells
  if (free === undefined || cell === undefined) return null
  const [[vcpu, was], ...pins] = cell.pins as [[number, number], ...[number, number][]]
  const units = victim.holding.body.units.map((each) =>
    each.unit === cpuUnit(was) ? { ...each, unit: cpuUnit(free) } : each,
  )
  return { ...victim.holding.body, cells: [{ ...cell, pins: [[vcpu, free], ...pins] }, ...rest], units }
}

export const ROW_FAULTS: Readonly<Record<string, Fault>> = {
  'a claim of a consumer that does not exist': repairable(['orphan-claim'], (on) => {
    const victim = on.resting()
    const claim = victim && claimElsewhere(on, victim, migrationId(700 + on.chance(90)))
    return claim ? { snapshot: bySql(on.snapshot, claim.lines), ...subject(victim), near: [claim.host.id] } : null
  }),
  'a claim of an ended migration': repairable(['ended-migration-has-claim'], (on) => {
    const victim = on.resting(({ instance }) => on.snapshot.migrations.some((each) => each.instance === instance.id))
    const migration = on.snapshot.migrations.find((each) => each.instance === victim?.instance.id)
    const claim = victim && migration && claimElsewhere(on, victim, migration.id)
    return claim ? { snapshot: bySql(on.snapshot, claim.lines), ...subject(victim), near: [claim.host.id] } : null
  }),
  'allocations of an instance that does not exist': repairable(['stray-allocation'], (on) =>
    strayOf(on, instanceId(600 + on.chance(90)), 'INSTANCE'),
  ),
  'allocations of a migration that does not exist': repairable(['stray-allocation'], (on) =>
    strayOf(on, migrationId(600 + on.chance(90)), 'MIGRATION'),
  ),
  'an allocation deleted under its claim': repairable(['allocation-missing'], (on) => {
    const victim = on.resting(({ holding }) => {
      return holding.body.amounts.filter(({ resourceClass }) => resourceClass === 'MEMORY_MB').length === 1
    })
    const line = victim && oneAllocation(victim, 'MEMORY_MB', () => null)
    return line ? { snapshot: bySql(on.snapshot, [line]), ...subject(victim) } : null
  }),
  'an amount that is too large': repairable(['amount-wrong'], (on) => {
    const victim = on.resting((each) => {
      const line = oneAllocation(each, 'DISK_GB', (amount, room) => (room > 0 ? amount + 1 : amount))
      return line?.row === 'allocation' && line.after?.amount !== line.before?.amount
    })
    const line = victim && oneAllocation(victim, 'DISK_GB', (amount) => amount + 1)
    return line ? { snapshot: bySql(on.snapshot, [line]), ...subject(victim) } : null
  }),
  'an amount that is too small': repairable(['amount-wrong'], (on) => {
    const victim = on.resting()
    const line = victim && oneAllocation(victim, 'MEMORY_MB', (amount) => amount - 1)
    return line ? { snapshot: bySql(on.snapshot, [line]), ...subject(victim) } : null
  }),
  'a claim deleted with all its rows': repairable(['instance-claim-wrong'], (on) => {
    const victim = on.resting()
    return victim && { snapshot: bySql(on.snapshot, undone(rowsOf(victim))), ...subject(victim) }
  }),
  'a claim deleted without its consumer row': repairable(['instance-claim-wrong'], (on) => {
    const victim = on.resting()
    if (victim === null) return null
    const lines = undone(rowsOf(victim)).filter(({ row }) => row !== 'consumer')
    return { snapshot: bySql(on.snapshot, lines), ...subject(victim) }
  }),
  'a claim deleted without its allocations': repairable(['instance-claim-wrong', 'stray-allocation'], (on) => {
    const victim = on.resting()
    if (victim === null) return null
    const lines = undone(rowsOf(victim)).filter(({ row }) => row !== 'consumer' && row !== 'allocation')
    return { snapshot: bySql(on.snapshot, lines), ...subject(victim) }
  }),
  'an allocation on another host': repairable(['resource-missing', 'stray-allocation'], (on) => {
    const victim = on.resting(({ host, holding }) => host.layout === 'flat' && holding.body.amounts.length > 0)
    const other =
      victim && on.host((host) => host.layout === 'flat' && host.id !== victim.host.id && fitsOn(host, victim))
    const line = victim && oneAllocation(victim, 'MEMORY_MB', () => null)
    if (!other || line?.row !== 'allocation') return null
    const there = { ...line.key, provider: other.providers[0]!.id }
    const made: Line = { ...line, key: there, before: null, after: line.before, host: other.id }
    return { snapshot: bySql(on.snapshot, [line, made]), ...subject(victim), near: [other.id] }
  }),
  'an instance recorded on another host': repairable(['instance-claim-wrong', 'instance-runs-elsewhere'], (on) => {
    const victim = on.resting()
    const other = victim && on.host((host) => host.id !== victim.host.id)
    if (!victim || !other) return null
    return {
      snapshot: bySql(on.snapshot, [instanceLine(victim.instance, { host: other.id })]),
      ...subject(victim),
      near: [other.id],
    }
  }),
  'no host recorded while claim and domain agree': repairable(
    ['instance-claim-wrong', 'instance-runs-elsewhere'],
    (on) => {
      const victim = on.resting()
      return (
        victim && { snapshot: bySql(on.snapshot, [instanceLine(victim.instance, { host: null })]), ...subject(victim) }
      )
    },
  ),
  'a forged migration row': repairable(['instance-claim-wrong', 'migration-claim-wrong'], (on) => {
    const victim = on.resting()
    const other = victim && on.host((host) => host.id !== victim.host.id)
    const model = on.snapshot.migrations[0]
    if (!victim || !other || model === undefined) return null
    const { flavor, image, id: instance } = victim.instance
    const bogus: Migration = {
      ...model,
      ...{ id: migrationId(800 + on.chance(90)), instance, operation: 'live-migrate', keepsClaim: false },
      ...{
        source: victim.host.id,
        target: other.id,
        oldFlavor: flavor,
        newFlavor: flavor,
        oldImage: image,
        newImage: image,
      },
      ...{
        step: 'transfer',
        direction: 'target',
        home: 'source',
        outcome: null,
        cause: null,
        waiting: null,
      },
    }
    return {
      snapshot: { ...on.snapshot, migrations: [...on.snapshot.migrations, bogus] },
      ...subject(victim),
      near: [other.id],
    }
  }),
  'a domain at the target with records and claim at the source': repairable(['instance-runs-elsewhere'], (on) => {
    const victim = on.resting()
    const room = victim && on.elsewhere(victim)
    if (!victim || !room) return null
    const left = seeing(on.snapshot, victim.host.id, without(victim.instance.id))
    const domain = { instance: victim.instance.id, body: room.body }
    return { snapshot: seeing(left, room.host.id, showing(domain)), ...subject(victim), near: [room.host.id] }
  }),
  'pins changed in a claim': repairable(['pins-and-units-differ', 'claim-differs-from-domain'], (on) => {
    const victim = on.restingAlone((each) => isPinned(each) && repinned(each) !== null)
    if (victim === null) return null
    const cells = (body: Holding['body']) =>
      rowsOf({ ...victim, holding: { ...victim.holding, body } }).filter(({ row }) => row === 'claim-cell')
    const now = cells(repinned(victim)!)
    const lines = cells(victim.holding.body).map(
      (line, at) => ({ ...line, before: line.after, after: now[at]!.after }) as Line,
    )
    return { snapshot: bySql(on.snapshot, lines), ...subject(victim), near: [victim.host.id] }
  }),
  'a domain on other CPUs than its claim': repairable(['claim-differs-from-domain'], (on) => {
    const victim = on.restingAlone((each) => isPinned(each) && repinned(each) !== null)
    if (victim === null) return null
    const { id } = victim.instance
    const change = showing({ instance: id, body: repinned(victim) })
    const seen = seeing(seeing(on.snapshot, victim.host.id, without(id)), victim.host.id, change)
    return { snapshot: seen, ...subject(victim), near: [victim.host.id] }
  }),
  'a held device row deleted': repairable(['claim-differs-from-flavor', 'claim-differs-from-domain'], (on) => {
    const victim = on.resting(({ holding }) => holding.body.units.some(({ use }) => use === 'device'))
    const line = victim && rowsOf(victim).find((each) => each.row === 'unit-holding' && each.after?.use === 'device')
    return line ? { snapshot: bySql(on.snapshot, undone([line])), ...subject(victim) } : null
  }),
  'a CPU row of another claim': repairable(['pins-and-units-differ'], (on) => {
    const victim = on.resting(isPinned)
    const other = victim && on.neighbour(victim)
    const line = victim && rowsOf(victim).find(({ row }) => row === 'unit-holding')
    if (!other || line?.row !== 'unit-holding' || line.after === null) return null
    const after = { ...line.after, claim: other.holding.claim }
    const taken: Line = { ...line, before: line.after, after }
    return { snapshot: bySql(on.snapshot, [taken]), instances: [victim.instance.id, other.instance.id] }
  }),
  'a PF held by another claim than one of its VFs': {
    finds: ['unit-held-twice'],
    also: ['claim-differs-from-flavor', 'claim-differs-from-domain'],
    heals: true,
    plant: (on) => {
      const victim = on.resting((each) => each.instance.flavor.name === 'vf' && hasCardAlone(each))
      const other = victim && on.neighbour(victim)
      const vf = victim?.holding.body.units.find(({ use }) => use === 'device')
      const pf = victim?.host.devices.find(({ unit }) => unit === vf?.unit)?.parent
      if (!victim || !other || !pf) return null
      const after = { claim: other.holding.claim, use: 'device', requestId: 'flavor:pf:0' } as const
      const line: Line = {
        row: 'unit-holding',
        key: { host: victim.host.id, unit: pf },
        before: null,
        after,
        host: victim.host.id,
        why: '',
      }
      return { snapshot: bySql(on.snapshot, [line]), instances: [victim.instance.id, other.instance.id] }
    },
  },
  'the claim of an active migration deleted': repairable(['migration-claim-wrong'], (on) => {
    const holdsBoth = ['prepare', 'transfer', 'switch', 'verify', 'release']
    const migration = on.moving(
      (each) => holdsBoth.includes(each.step) && !each.keepsClaim && each.source !== each.target,
    )
    const side = migration?.[otherSide(migration.direction)]
    const host = on.snapshot.hosts.find(({ id }) => id === side)
    const holding = host?.holdings.find(({ consumer }) => consumer === migration?.id)
    if (!migration || !host || !holding) return null
    // The restored claim is decided again, so no other fault may free or need room there.
    const snapshot = bySql(on.snapshot, undone(rowsOf({ host, holding })))
    return { snapshot, instances: [migration.instance], near: [host.id] }
  }),
  'records at the source after the hand-over (S2)': repairable(['instance-host-wrong'], (on) => {
    const migration = on.moving(
      (each) => each.home === 'target' && each.source !== each.target && each.step === 'release',
    )
    const row = on.snapshot.instances.find(({ id }) => id === migration?.instance)
    if (!migration || !row) return null
    return { snapshot: bySql(on.snapshot, [instanceLine(row, { host: migration.source })]), instances: [row.id] }
  }),
  'a flavor changed by hand': {
    finds: ['amount-wrong'],
    also: ['claim-differs-from-flavor', 'allocation-missing'],
    heals: false,
    plant: (on) => {
      const victim = on.resting(({ instance }) => instance.flavor.vcpus === 2)
      if (victim === null) return null
      const flavor = { ...victim.instance.flavor, name: 'huge', memoryMib: 9_000_000 }
      return { snapshot: bySql(on.snapshot, [instanceLine(victim.instance, { flavor })]), ...subject(victim) }
    },
  },
}

const hasCardAlone = ({ host, holding }: FaultTarget): boolean => {
  const parent = new Map(host.devices.map((device) => [device.unit, device.parent]))
  const card = holding.body.units.map(({ unit }) => parent.get(unit)).find((each) => each)
  const others = host.holdings.filter(({ claim }) => claim !== holding.claim)
  return !others.some(({ body }) => body.units.some(({ unit }) => parent.get(unit) === card && card !== undefined))
}

const fitsOn = (host: Host, { holding }: FaultTarget): boolean => {
  const memory = holding.body.amounts.find(({ resourceClass }) => resourceClass === 'MEMORY_MB')
  const inventory = inventoryOf(host.providers[0]!, 'MEMORY_MB')
  return memory !== undefined && inventory !== undefined && freeOf(inventory) >= memory.amount
}
