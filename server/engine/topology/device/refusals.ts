import type { Refusal, RefusalLocation } from '../../words/refusal'
import type { Holders } from '../demand'
import type { Device } from '../host'
import { jointCheck } from '../joint'
import { searchNodes } from '../node/search'
import type { FitCase } from '../numa'
import type { PreparedHost } from '../prepared'
import { holdersOfUnits } from '../unit-holders'
import { affinityAllows } from './affinity'
import { assignUnits } from './assign-units'
import { DEVICE_KINDS } from './devices'
import { pciFacts } from './pools'
import type { Slot } from './slots'

// Reasons for refused devices: too few of a kind, too few close to the instance's NUMA nodes, or several requests for
// the same ones.

const STEPS = 20_000

export function deviceRefusals(fitCase: FitCase): Refusal[] {
  const { slots, input } = fitCase
  if (slots.length === 0) return []
  const refusals = slots.flatMap((slot) => slotRefusals(fitCase, slot))
  if (refusals.length > 0) return refusals
  // Each request alone can be served. Checks whether they can be served together, with every NUMA node chosen.
  const chosen = input.demand.topology === null ? null : new Uint8Array(input.host.numaNodes.length).fill(1)
  const together = assignUnits({ host: input.host, slots, chosen, budget: { left: STEPS } })
  return together.outcome === 'short' ? [contestRefusal(fitCase, together.contested)] : []
}

function slotRefusals(fitCase: FitCase, slot: Slot): Refusal[] {
  const { host, holders } = fitCase.input
  const free = unitsIn(host, slot.pools)
  if (free < slot.need) {
    const heldBy = holdersOfUnits(holders, unitsNotFree(fitCase, slot))
    const kind = DEVICE_KINDS[slot.deviceRequest.kind].short
    return [{ kind, where: placeOf(slot), need: slot.need, free, shortBy: slot.need - free, heldBy }]
  }
  if (fitCase.input.demand.topology === null || servedAlone(fitCase, slot)) return []
  const anywhere = { host, chosen: bestNodes(fitCase, slot) }
  const near = slot.pools.filter((pool) => affinityAllows(slot.deviceRequest.policy, host.pools[pool]!, anywhere))
  const nearFree = Math.min(slot.need - 1, unitsIn(host, near))
  const shortBy = slot.need - nearFree
  return [
    {
      kind: 'device-affinity',
      where: placeOf(slot),
      need: slot.need,
      free: nearFree,
      shortBy,
      heldBy: holdersOfUnits(holders, unitsNotFree(fitCase, slot)),
    },
  ]
}

const unitsIn = (host: PreparedHost, pools: readonly number[]) =>
  pools.reduce((sum, pool) => sum + host.pools[pool]!.devices.length, 0)

function placeOf({ deviceRequest, provider }: Slot): RefusalLocation {
  return provider ? { requestId: deviceRequest.requestId, provider } : { requestId: deviceRequest.requestId }
}

/**
 * Whether some choice of host NUMA nodes is close enough to the devices of this request, ignoring the other requests.
 */
function servedAlone({ input, candidates }: FitCase, slot: Slot): boolean {
  const { host } = input
  const budget = { left: STEPS }
  const joint = jointCheck({ host, slots: [slot], networks: [], candidates, budget })
  // When some guest NUMA node fits nowhere, the devices are not the cause, so every host NUMA node counts as reachable.
  if (candidates.some((list) => list.length === 0)) {
    return joint === null || joint.accepts(new Uint8Array(host.numaNodes.length).fill(1))
  }
  const { outcome } = searchNodes({ candidates, hostNodes: host.numaNodes.length, joint, budget })
  return outcome !== 'no-joint'
}

/** The NUMA nodes to report: as many as the instance has, those with most of what is requested. */
function bestNodes({ input, questions }: FitCase, slot: Slot): Uint8Array {
  const { host } = input
  const local = host.numaNodes.map((_, node) => {
    const pools = slot.pools.filter((pool) => host.pools[pool]!.nodeIndex === node)
    return { cell: node, units: unitsIn(host, pools) }
  })
  const chosen = new Uint8Array(host.numaNodes.length)
  for (const { cell } of local.toSorted((a, b) => b.units - a.units).slice(0, questions.length)) chosen[cell] = 1
  return chosen
}

/** Units that match the request but are held or blocked. Computed only for a refusal. */
function unitsNotFree({ input }: FitCase, slot: Slot) {
  const matching = (device: Device) =>
    !device.free &&
    (slot.provider === null || device.provider === slot.provider) &&
    slot.deviceRequest.accepts(poolOf(device))
  return input.host.devices
    .filter(matching)
    .flatMap((device) => [device.unit, ...relatives(input.host.devices, device)])
}

const poolOf = (device: Device) => ({
  index: -1,
  devices: [device],
  nodeIndex: -1,
  facts: pciFacts(device),
  below: [],
  above: [],
  parentBroken: false,
})

// A blocked device is held through its parent or through what is cut from it.
function relatives(devices: readonly Device[], device: Device) {
  return devices.filter((other) => other.unit === device.parent || other.parent === device.unit).map(({ unit }) => unit)
}

function contestRefusal({ slots, input }: FitCase, contested: readonly number[]): Refusal {
  const involved = contested.map((index) => slots[index]!)
  const need = involved.reduce((sum, slot) => sum + slot.need, 0)
  const free = unitsIn(input.host, [...new Set(involved.flatMap((slot) => slot.pools))])
  const names = [...new Set(involved.map((slot) => slot.deviceRequest.requestId))].join(', ')
  if (free < need) {
    const kind = DEVICE_KINDS[involved[0]!.deviceRequest.kind].short
    return {
      kind,
      where: { requestId: names },
      need,
      free,
      shortBy: need - free,
      heldBy: heldByAny(input.holders, involved, input.host.devices),
    }
  }
  return {
    kind: 'no-joint-fit',
    where: { requestId: names },
    need: `${need} devices for ${names}`,
    have: `${free} that match, but not together: near the same NUMA nodes, and no PF with its own VFs`,
  }
}

function heldByAny(holders: Holders | undefined, slots: readonly Slot[], devices: readonly Device[]) {
  const matching = devices.flatMap((device) =>
    !device.free && slots.some((slot) => slot.deviceRequest.accepts(poolOf(device))) ? [device.unit] : [],
  )
  return holdersOfUnits(holders, matching)
}
