import type { Refusal } from '../words/refusal'
import { deviceRefusals } from './device/refusals'
import { networksServed } from './networks'
import { nodeRefusals } from './node/refusals'
import { canMatch } from './node/search'
import type { FitCase } from './numa'

// Every reason for a refusal, computed only after the search refused. A guest NUMA node that fits somewhere is not
// refused for the host NUMA nodes it does not fit on, unless that is what keeps the nodes apart.

export type FitFailure = 'no-matching' | 'no-joint' | 'exhausted'

export function refusalsOf(fitCase: FitCase, failure: FitFailure): readonly Refusal[] {
  if (failure === 'exhausted') return [exhausted()]
  if (fitCase.input.verdictOnly) return [UNDETERMINED_REFUSAL]
  const refusals = [...tooFewNodes(fitCase), ...guestNodeRefusals(fitCase)]
  refusals.push(...networkRefusals(fitCase), ...deviceRefusals(fitCase))
  const onlyNodes = failure === 'no-joint' && refusals.every((refusal) => refusal.where.hostCell !== undefined)
  if (refusals.length === 0 || onlyNodes) refusals.push(notTogether(fitCase))
  return refusals
}

const UNDETERMINED_REFUSAL: Refusal = {
  ...{ kind: 'no-joint-fit', where: {}, need: 'places for all of it' },
  have: 'none; the reason was not determined',
}

function tooFewNodes({ questions, input }: FitCase): Refusal[] {
  const need = questions.length
  const free = input.host.numaNodes.length
  if (need <= free) return []
  return [{ kind: 'too-few-cells', where: {}, need, free, shortBy: need - free, heldBy: [] }]
}

function guestNodeRefusals({ questions, candidates, input }: FitCase): Refusal[] {
  const { host, holders } = input
  const used = new Uint8Array(host.numaNodes.length)
  const homeless = candidates.some((list) => list.length === 0)
  // Each fits somewhere, but not all at once: then every failing pair is a reason.
  const apart = !homeless && questions.length <= host.numaNodes.length && !canMatch(candidates, 0, used)
  const refusals: Refusal[] = []
  questions.forEach((question, index) => {
    if (!apart && candidates[index]!.length > 0) return
    for (const node of host.preparedNodes) for (const each of nodeRefusals(question, node, holders)) refusals.push(each)
  })
  return refusals
}

function networkRefusals({ networks, input, candidates }: FitCase): Refusal[] {
  if (networks.length === 0) return []
  const reachable = new Uint8Array(input.host.numaNodes.length)
  for (const list of candidates) for (const index of list) reachable[index] = 1
  return networks.flatMap((network): Refusal[] => {
    if (networksServed([network], reachable)) return []
    const cells = network.nodes.map((index) => input.host.numaNodes[index]!.id).join(', ')
    return [{ kind: 'network-affinity', where: {}, need: network.name, have: `only on NUMA node ${cells}` }]
  })
}

function notTogether({ questions, networks, slots }: FitCase): Refusal {
  const wanted = [
    ...(questions.length > 0 ? [`${questions.length} guest NUMA nodes`] : []),
    ...networks.map((network) => network.name),
    ...new Set(slots.map((slot) => slot.deviceRequest.requestId)),
  ]
  return {
    kind: 'no-joint-fit',
    where: {},
    need: wanted.join(', '),
    have: 'each fits alone, but no choice of host NUMA nodes fits them all',
  }
}

function exhausted(): Refusal {
  return {
    kind: 'search-exhausted',
    where: {},
    need: 'an answer within the step limit',
    have: 'a request too large to decide',
  }
}
