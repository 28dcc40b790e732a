import type { Finding } from '../audit'
import type { Instance } from '../change'
import { type ClaimPlan, decide, type Question, type Verdict } from '../claim'
import { type Demand, type DemandOptions, demandOf, type Flavor, type Image, type PciAlias } from '../demand'
import { withHolding } from '../holdings'
import type { Holding, Host } from '../host'
import type { InstanceId } from '../words/ids'
import type { Refusal } from '../words/refusal'
import { claimId, instanceId } from './hosts'

// Instances for tests of the engine, decided in the usual way: flavor → demand → decide.

export const IMAGE: Image = { name: 'debian', properties: {} }

const VF = { vendor_id: '8086', product_id: '1889', dev_type: 'type-VF' }
const PF = { vendor_id: '8086', product_id: '1592', dev_type: 'type-PF' }
export const ALIASES: readonly PciAlias[] = [
  { name: 'vf', spec: [VF], numaPolicy: 'preferred' },
  { name: 'vf2', spec: [VF], numaPolicy: 'preferred' },
  { name: 'near', spec: [VF], numaPolicy: 'required' },
  { name: 'pf', spec: [PF], numaPolicy: 'preferred' },
  { name: 'gpu', spec: [{ vendor_id: '10de' }], numaPolicy: 'preferred' },
]

export function flavor(vcpus: number, extraSpecs: Record<string, string> = {}, set: Partial<Flavor> = {}): Flavor {
  return { name: `f${vcpus}`, vcpus, memoryMib: vcpus * 512, diskGib: 1, extraSpecs, ...set }
}

export const PINNED = { 'hw:cpu_policy': 'dedicated' }
export const pinned = (vcpus: number, extraSpecs: Record<string, string> = {}, set: Partial<Flavor> = {}) =>
  flavor(vcpus, { ...PINNED, ...extraSpecs }, set)

/** The demand of a valid flavor; throws its errors otherwise. */
export function demandFor(of: Flavor, options: DemandOptions = {}, image: Image = IMAGE): Demand {
  const answer = demandOf(of, image, { aliases: ALIASES, ...options })
  if (!answer.ok) throw new Error(JSON.stringify(answer.refusals))
  return answer.demand
}

export const auditDemand = ({ flavor: of, image }: { flavor: Flavor; image: Image }): Demand | null => {
  const answer = demandOf(of, image, { aliases: ALIASES })
  return answer.ok ? answer.demand : null
}

/** A device on another node than its instance is reported, but breaks no law. */
export const isBroken = ({ kind }: Finding): boolean => kind !== 'device-off-node'

export function verdictOn(host: Host, demand: Demand, set: Partial<Question> = {}): Verdict {
  return decide({ demand, host, instance: null, group: null, live: null, excludedHost: null, ...set })
}

export function planOn(host: Host, demand: Demand, set: Partial<Question> = {}): ClaimPlan {
  const verdict = verdictOn(host, demand, set)
  if (!verdict.ok) throw new Error(JSON.stringify(verdict.refusals))
  return verdict.plan
}

export function refusalsOf(host: Host, demand: Demand, set: Partial<Question> = {}): readonly Refusal[] {
  const verdict = verdictOn(host, demand, set)
  return verdict.ok ? [] : verdict.refusals
}

export const kindsOf = (refusals: readonly Refusal[]) => [...new Set(refusals.map((refusal) => refusal.kind))].sort()

export function holdingOf(n: number, plan: ClaimPlan, set: Partial<Holding> = {}): Holding {
  const instance: InstanceId = instanceId(n)
  const { amounts, cells, units } = plan
  const body = { amounts, cells, units }
  return { claim: claimId(n), consumer: instance, consumerKind: 'instance', instance, body, ...set }
}

/** Instance `n` of that flavor, active on no host. */
export const instanceOf = (n: number, of: Flavor, set: Partial<Instance> = {}): Instance => ({
  ...{ id: instanceId(n), name: `g${n}`, project: 'p', flavor: of, image: IMAGE, host: null, zone: null },
  ...{ vmState: 'active', group: null, generation: 1, ...set },
})

/** The host after instance `n` of that flavor was claimed on it. */
export const withInstance = (host: Host, n: number, of: Flavor): Host =>
  withHolding(host, holdingOf(n, planOn(host, demandFor(of))))
