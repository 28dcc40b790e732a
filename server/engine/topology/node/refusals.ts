import type { Refusal, RefusalLocation } from '../../words/refusal'
import { cpuUnit } from '../../words/units'
import { freeCoresOf, honoursIsolate, NO_SIBLINGS, siblingThreads } from '../cpu/cpus'
import type { Holders } from '../demand'
import { allowedPageSizes, choosePageKib, NO_ROOM, ordinaryRoomFor, pinsCpus } from '../pages'
import type { PreparedNode } from '../prepared'
import { holdersOfUnits } from '../unit-holders'
import type { NodeQuestion } from './fit'

// Why one guest NUMA node does not fit on one host NUMA node: every reason, not the first. Empty exactly when
// `nodeFits` returns true, which a property test checks.

interface Pair extends NodeQuestion {
  readonly host: PreparedNode
  readonly holders: Holders | undefined
  readonly where: RefusalLocation
}

export function nodeRefusals(question: NodeQuestion, host: PreparedNode, holders: Holders | undefined): Refusal[] {
  const { guestNode, limits, reserve } = question
  const where = { guestCell: guestNode.id, hostCell: host.node.id }
  const { ordinaryRoomMib } = question
  const pair: Pair = { guestNode, limits, reserve, ordinaryRoomMib, host, holders, where }
  const refusals: Refusal[] = []
  if (pinsCpus(guestNode)) {
    refuseDedicated(pair, refusals)
    if (guestNode.threadPolicy === 'isolate') refusals.push(...isolateRefusals(pair))
    if (guestNode.threadPolicy === 'require') refusals.push(...requireRefusals(pair))
  }
  if (guestNode.dedicatedVcpus.length === 0 || !pinsCpus(guestNode)) refusals.push(...emulatorRefusals(pair))
  if (guestNode.cpuPolicy !== 'dedicated') refusals.push(...sharedRefusals(pair), ...limitRefusals(pair))
  if (choosePageKib(question, host) === NO_ROOM) refusals.push(...memoryRefusals(pair))
  return refusals
}

// Naming 64 CPUs costs more than the whole verdict, so it is skipped when no holders were requested.
const pinners = ({ host, holders }: Pair) =>
  holders === undefined ? [] : holdersOfUnits(holders, host.node.pinnedCpus.map(cpuUnit))

// The most frequent refusal of a full fleet, computed thousands of times per answer: it writes straight into the list.
function refuseDedicated(pair: Pair, refusals: Refusal[]): void {
  const need = pair.guestNode.dedicatedVcpus.length + pair.reserve
  const free = pair.host.freeCpus
  if (need <= free) return
  refusals.push({ kind: 'dedicated-cpus', where: pair.where, need, free, shortBy: need - free, heldBy: pinners(pair) })
}

function isolateRefusals(pair: Pair): Refusal[] {
  const { guestNode, host, where, reserve } = pair
  const refusals: Refusal[] = []
  const vcpus = guestNode.dedicatedVcpus.length
  const policy = (need: string, have: string) => refusals.push({ kind: 'thread-policy', where, need, have })
  if (vcpus === 0) policy('isolate with a dedicated vCPU on the NUMA node', 'a NUMA node without one')
  if (!honoursIsolate(host)) policy('isolate: no SMT, or one CPU set for shared and dedicated', `SMT ${host.smt}`)
  const free = freeCoresOf(host)
  const partial = host.coresAscending.length > free
  const need = vcpus + (reserve > 0 && !partial ? reserve : 0)
  if (vcpus > 0 && need > free) {
    refusals.push({ kind: 'whole-cores', where, need, free, shortBy: need - free, heldBy: pinners(pair) })
  }
  return refusals
}

function requireRefusals(pair: Pair): Refusal[] {
  const { guestNode, host, where } = pair
  const need = guestNode.dedicatedVcpus.length
  if (siblingThreads(host, need) !== NO_SIBLINGS) return []
  if (host.smt < 2) return [{ kind: 'thread-policy', where, need: 'require: SMT', have: 'a NUMA node without SMT' }]
  let free = 0
  for (let threads = 2; threads <= host.smt; threads++) free = Math.max(free, threads * host.coresWith[threads]!)
  if (need <= free)
    return [{ kind: 'thread-policy', where, need: 'require: a core with two free threads', have: 'none' }]
  return [{ kind: 'sibling-threads', where, need, free, shortBy: Math.max(1, need - free), heldBy: pinners(pair) }]
}

function emulatorRefusals({ reserve, where }: Pair): Refusal[] {
  if (reserve === 0) return []
  return [{ kind: 'emulator-threads', where, need: 'a dedicated vCPU besides isolated emulator threads', have: 'none' }]
}

function sharedRefusals(pair: Pair): Refusal[] {
  const need = pair.guestNode.sharedVcpus.length
  const free = pair.host.node.sharedCpus.length
  if (need <= free) return []
  // No instance may overcommit against itself: the size of the NUMA node is the bound, whatever else is there.
  return [{ kind: 'shared-cpus', where: pair.where, need, free, shortBy: need - free, heldBy: [] }]
}

function limitRefusals(pair: Pair): Refusal[] {
  const { guestNode, limits, where, holders } = pair
  const { node } = pair.host
  if (limits === null) return []
  const refusals: Refusal[] = []
  const cpuRoom = Math.floor(node.sharedCpus.length * limits.cpuAllocationRatio) - node.sharedUsed
  const cpus = guestNode.sharedVcpus.length
  if (cpus > cpuRoom) {
    const heldBy = holders?.ofNode(node.id, 'shared-cpus') ?? []
    refusals.push({ kind: 'overcommit-cpus', where, ...shortOf(cpus, cpuRoom), heldBy })
  }
  if (pair.ordinaryRoomMib !== undefined) return refusals
  const memoryRoom = Math.floor(node.memoryMib * limits.ramAllocationRatio) - node.memoryUsedMib
  if (guestNode.memoryMib > memoryRoom) {
    const heldBy = holders?.ofNode(node.id, 'memory') ?? []
    refusals.push({ kind: 'overcommit-memory', where, ...shortOf(guestNode.memoryMib, memoryRoom), heldBy })
  }
  return refusals
}

/** A NUMA node may already exceed its limit; then nothing is free, and more than the need must be released first. */
const shortOf = (need: number, room: number) => ({ need, free: Math.max(0, room), shortBy: need - room })

function memoryRefusals(pair: Pair): Refusal[] {
  const { guestNode, host, where, holders } = pair
  const apart = pair.ordinaryRoomMib !== undefined
  if (guestNode.pageKib === null && host.pageKib.length === 0) {
    if (apart) return [ordinaryRefusal(pair)]
    const room = pinsCpus(guestNode) ? host.freeMemoryMib : host.node.memoryMib
    const heldBy = pinsCpus(guestNode) ? (holders?.ofNode(host.node.id, 'memory') ?? []) : []
    return [{ kind: 'memory', where, ...shortOf(guestNode.memoryMib, room), heldBy }]
  }
  const kib = guestNode.memoryMib * 1024
  const sizes = allowedPageSizes(guestNode, host).filter((size) => kib % host.pageKib[size]! === 0)
  if (sizes.length === 0) {
    const have = host.pageKib.map((size) => `${size} KiB`).join(', ')
    return [{ kind: 'page-size', where, need: pageNeed(pair), have: have || 'no page information' }]
  }
  // Of several sizes only the closest one is useful for making room.
  const usable = guestNode.pageKib === null && !pinsCpus(guestNode) ? host.totalPages : host.freePages
  const roomKib = (size: number) =>
    apart && size === 0 ? ordinaryRoomFor(pair, host) * 1024 : usable[size]! * host.pageKib[size]!
  const shortKib = (size: number) => kib - roomKib(size)
  const nearest = sizes.reduce((best, size) => (shortKib(size) < shortKib(best) ? size : best))
  if (apart && nearest === 0) return [ordinaryRefusal(pair)]
  const pageKib = host.pageKib[nearest]!
  const heldBy = holders?.ofNode(host.node.id, `pages ${pageKib}`) ?? []
  return [{ kind: 'pages', where: { ...where, pageKib }, ...shortOf(kib / pageKib, usable[nearest]!), heldBy }]
}

function ordinaryRefusal(pair: Pair): Refusal {
  const { guestNode, host, holders } = pair
  const where = { ...pair.where, hugeMib: host.memory.hugeMib }
  const heldBy = holders?.ofNode(host.node.id, 'ordinary') ?? []
  return { kind: 'ordinary-memory', where, ...shortOf(guestNode.memoryMib, ordinaryRoomFor(pair, host)), heldBy }
}

const PAGE_WORDS: Readonly<Record<number, string>> = { [-1]: 'small', [-2]: 'large', [-3]: 'any' }

function pageNeed({ guestNode }: Pair): string {
  const size =
    guestNode.pageKib === null ? 'the smallest' : (PAGE_WORDS[guestNode.pageKib] ?? `${guestNode.pageKib} KiB`)
  return `${guestNode.memoryMib} MiB in whole pages, size ${size}`
}
