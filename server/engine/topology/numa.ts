import { chooseCpus } from './cpu/cpus'
import type { Fit, FitInput, GivenUnits } from './demand'
import { assignUnits, unitsPerRequest } from './device/assign-units'
import { deviceRequestsOf } from './device/devices'
import { type DeviceRequest, type Slot, slotsOf } from './device/slots'
import { refusalsOf } from './fit-refusals'
import type { PlacedNode } from './guest-topology'
import { jointCheck } from './joint'
import { type NetworkNeed, networkNeeds } from './networks'
import { type NodeQuestion, nodeFitCost, nodeFits, sameQuestion } from './node/fit'
import { type Candidates, flags, searchNodes } from './node/search'
import { choosePageKib, NO_PAGE_SIZE } from './pages'
import type { PreparedHost, PreparedNode } from './prepared'

export type { Fit, FitDemand, FitInput, GivenUnits, Holders } from './demand'
export { type PreparedHost, preparedOf, prepareHost } from './prepared'

// Maximum number of steps; real hosts need tens. Below it the search is complete.
const STEPS = 500_000

/** Data shared by search and refusals. */
export interface FitCase {
  readonly input: FitInput
  readonly questions: readonly NodeQuestion[]
  readonly candidates: Candidates
  readonly deviceRequests: readonly DeviceRequest[]
  readonly slots: readonly Slot[]
  readonly networks: readonly NetworkNeed[]
}

/** Places this instance on this host, or returns every reason why it does not fit. Deterministic. */
export function fitInstance(input: FitInput): Fit {
  const { host, demand, limits } = input
  const questions = nodeQuestions(input)
  const deviceRequests = deviceRequestsOf(demand.devices)
  const slots = deviceRequests.length === 0 ? [] : slotsOf(deviceRequests, host.pools)
  const candidates = barred(candidatesOf(questions, host, slots), questions, input)
  const networks = limits === null ? [] : networkNeeds(host, limits.network)
  const fitCase: FitCase = { input, questions, candidates, deviceRequests, slots, networks }

  if (demand.topology === null) return answer(fitCase, [])
  if (questions.length > host.numaNodes.length || candidates.some((list) => list.length === 0)) {
    return { ok: false, refusals: refusalsOf(fitCase, 'no-matching') }
  }
  const budget = { left: STEPS }
  const joint = jointCheck({ host, slots, networks, candidates, budget })
  const found = searchNodes({ candidates, hostNodes: host.numaNodes.length, joint, budget })
  if (found.outcome !== 'found') return { ok: false, refusals: refusalsOf(fitCase, found.outcome) }
  return answer(fitCase, found.chosen)
}

function nodeQuestions({ demand, limits, ordinaryRoomMib }: FitInput): readonly NodeQuestion[] {
  const { topology } = demand
  if (topology === null) return []
  const isolated = topology.emulatorThreads === 'isolate'
  return topology.cells.map((guestNode, index) => ({
    ...{ guestNode, limits, ordinaryRoomMib },
    reserve: isolated && index === 0 ? 1 : 0,
  }))
}

/** Per guest NUMA node the host NUMA nodes that hold it, best first; ties go to the host's own order. */
function candidatesOf(questions: readonly NodeQuestion[], host: PreparedHost, slots: readonly Slot[]): Candidates {
  const ranks = deviceRanks(host, slots)
  const candidates: (readonly number[])[] = []
  questions.forEach((question, index) => {
    const before = questions[index - 1]
    const same = before !== undefined && sameQuestion(before, question)
    candidates.push(same ? candidates[index - 1]! : hostNodesFor(question, host.preparedNodes, ranks))
  })
  return candidates
}

function barred(candidates: Candidates, questions: readonly NodeQuestion[], { bars, host }: FitInput): Candidates {
  if (bars === undefined) return candidates
  return candidates.map((list, at) =>
    list.filter((index) => !bars(questions[at]!.guestNode, host.numaNodes[index]!.id)),
  )
}

function hostNodesFor(question: NodeQuestion, nodes: readonly PreparedNode[], ranks: readonly number[]) {
  const list: number[] = []
  const scores: number[] = []
  for (const host of nodes) {
    if (!nodeFits(question, host)) continue
    const score = nodeFitCost(question.guestNode, host, ranks[host.index]!)
    // Insertion keeps equal scores in the host's order and is the fastest sort for a handful of NUMA nodes.
    let at = list.length
    while (at > 0 && scores[at - 1]! > score) at--
    list.splice(at, 0, host.index)
    scores.splice(at, 0, score)
  }
  return list
}

/** Lower is closer: requested devices that a NUMA node lacks. Without a request, nodes without devices come first. */
function deviceRanks(host: PreparedHost, slots: readonly Slot[]): readonly number[] {
  if (slots.length === 0) return host.preparedNodes.map((node) => (node.hasFreeDevices ? 1 : 0))
  const ranks = new Array<number>(host.numaNodes.length).fill(0)
  for (const slot of slots) {
    const local = new Array<number>(host.numaNodes.length).fill(0)
    for (const index of slot.pools) {
      const pool = host.pools[index]!
      if (pool.nodeIndex >= 0) local[pool.nodeIndex] = local[pool.nodeIndex]! + pool.devices.length
    }
    for (let node = 0; node < ranks.length; node++) ranks[node] = ranks[node]! + Math.max(0, slot.need - local[node]!)
  }
  return ranks
}

function answer(fitCase: FitCase, chosen: readonly number[]): Fit {
  const { input, questions, slots, deviceRequests } = fitCase
  const { host } = input
  const nodes = questions.map((question, index) => placedNode(question, host.preparedNodes[chosen[index]!]!))
  if (slots.length === 0) return { ok: true, cells: nodes, devices: [] }
  const where = input.demand.topology === null ? null : flags(chosen, host.numaNodes.length)
  const assignment = assignUnits({ host, slots, chosen: where, budget: { left: STEPS } })
  if (assignment.outcome !== 'given') {
    return { ok: false, refusals: refusalsOf(fitCase, assignment.outcome === 'exhausted' ? 'exhausted' : 'no-joint') }
  }
  const units = unitsPerRequest(slots, host.pools, assignment.given)
  const devices = deviceRequests.map(
    (deviceRequest, index): GivenUnits => ({ requestId: deviceRequest.requestId, units: units[index] ?? [] }),
  )
  return { ok: true, cells: nodes, devices }
}

function placedNode(question: NodeQuestion, host: PreparedNode): PlacedNode {
  const { guestNode, reserve } = question
  const cpus = chooseCpus(guestNode, host, reserve)
  const pageKib = choosePageKib(question, host)
  const placed = {
    guestCell: guestNode.id,
    hostCell: host.node.id,
    memoryMib: guestNode.memoryMib,
    pageKib: pageKib === NO_PAGE_SIZE ? null : pageKib,
    sharedVcpus: guestNode.sharedVcpus,
    pins: cpus.pins.map((cpu, index) => [guestNode.dedicatedVcpus[index]!, cpu] as const),
    reservedCpus: cpus.reserved,
    cpuPolicy: guestNode.cpuPolicy,
    threadPolicy: guestNode.threadPolicy,
  }
  return cpus.reservedSharesCore ? { ...placed, reservedSharesCore: true } : placed
}
