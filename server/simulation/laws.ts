import type { TickOptions } from '../conductor/options'
import { type Auditor, newAuditor, type Snapshot } from '../engine/audit'
import { demandOf } from '../engine/demand'
import type { Host } from '../engine/host'
import { IN_FLIGHT_STEPS, loadsSource } from '../engine/migration/operations'
import type { InstanceId } from '../engine/words/ids'
import { DEMAND_OPTIONS } from './hardware'
import type { SimulatedMachines } from './simulated-machines'

// What must hold after every micro-step: the records pass the audit and cover what the hypervisors have.

export interface LawViolation {
  readonly law: string
  readonly what: string
}

/** Snapshots are frozen, so each is audited once. The hypervisors are checked after every micro-step. */
export class Laws {
  readonly #auditor: Auditor
  readonly #options: TickOptions
  #judged: Snapshot | null = null
  audits = 0

  constructor(options: TickOptions) {
    this.#options = options
    this.#auditor = newAuditor(({ flavor, image }) => {
      const answer = demandOf(flavor, image, DEMAND_OPTIONS)
      return answer.ok ? answer.demand : null
    })
  }

  check(snapshot: Snapshot, simulatedMachines: SimulatedMachines): LawViolation | null {
    const recordViolation = snapshot === this.#judged ? null : this.#recordViolation(snapshot)
    this.#judged = snapshot
    return recordViolation ?? hypervisorViolation(snapshot, simulatedMachines)
  }

  #recordViolation(snapshot: Snapshot): LawViolation | null {
    this.audits += 1
    const finding = this.#auditor(snapshot).find(({ kind }) => kind !== 'device-off-node')
    if (finding !== undefined)
      return { law: finding.kind, what: `expected ${finding.expected}, found ${finding.found}` }
    return checkLimits(snapshot, this.#options) ?? checkGroups(snapshot)
  }
}

function checkLimits(snapshot: Snapshot, { limits }: TickOptions): LawViolation | null {
  // One that rolls back keeps its slot, or takes one again, whatever the limit.
  const moving = snapshot.migrations.filter((each) => IN_FLIGHT_STEPS.includes(each.step) && each.cause === null)
  if (moving.length > limits.fleet) return { law: 'limit of the fleet', what: `${moving.length} migrations at once` }
  for (const host of snapshot.hosts) {
    const out = moving.filter((each) => each.source === host.id && loadsSource(each.operation)).length
    const incoming = moving.filter((each) => each.target === host.id).length
    if (out > limits.perSource) return { law: 'limit per source', what: `${out} outgoing migrations on ${host.name}` }
    if (incoming > limits.perTarget)
      return { law: 'limit per target', what: `${incoming} incoming migrations on ${host.name}` }
  }
  return null
}

/** All groups of the simulation are strict anti-affinity groups. A migrating member counts on both hosts. */
function checkGroups(snapshot: Snapshot): LawViolation | null {
  const groupOf = new Map(snapshot.instances.flatMap(({ id, group }) => (group === null ? [] : [[id, group] as const])))
  for (const host of snapshot.hosts) {
    const members = new Map<string, InstanceId>()
    for (const { instance } of host.holdings) {
      const group = groupOf.get(instance)
      if (group === undefined) continue
      const other = members.get(group)
      if (other !== undefined && other !== instance)
        return { law: 'anti-affinity', what: `two members on ${host.name}` }
      members.set(group, instance)
    }
  }
  return null
}

function hypervisorViolation(snapshot: Snapshot, simulatedMachines: SimulatedMachines): LawViolation | null {
  if (simulatedMachines.violations.length > 0)
    return { law: 'no forbidden operation is carried out', what: simulatedMachines.violations.join('; ') }
  const runsAt = new Map<InstanceId, Host>()
  for (const host of snapshot.hosts) {
    const machine = simulatedMachines.machine(host.id)
    if (machine.power !== 'on') continue
    for (const copy of machine.copies) {
      const twice = copy.running ? runsAt.get(copy.instance) : undefined
      if (twice !== undefined)
        return { law: 'one running domain', what: `${copy.instance} on ${twice.name} and ${host.name}` }
      if (copy.running) runsAt.set(copy.instance, host)
      // Leftovers cover a host that came back after fencing until it is cleaned up. Everything else needs a claim.
      const covered = machine.quarantined || host.holdings.some(({ instance }) => instance === copy.instance)
      if (!covered) return { law: 'no instance without a claim', what: `${copy.instance} on ${host.name}` }
    }
  }
  return null
}

/** What must hold once nothing is in progress: each domain exists once, on the recorded host, and nothing else does. */
export function violationAtRest(snapshot: Snapshot, simulatedMachines: SimulatedMachines): LawViolation | null {
  const active = snapshot.migrations.find((each) => each.step !== 'ended')
  if (active !== undefined) {
    return {
      law: 'every migration ends',
      what: `${active.operation} ${active.id} is in ${active.step}: ${JSON.stringify(active.waiting)}`,
    }
  }
  for (const host of snapshot.hosts) {
    const machine = simulatedMachines.machine(host.id)
    if (machine.power !== 'on') continue
    for (const copy of machine.copies) {
      const home = snapshot.instances.find((each) => each.id === copy.instance)
      if (home?.host !== host.id) return { law: 'no stray domain', what: `${copy.instance} on ${host.name}` }
      if (machine.copies.some((each) => each !== copy && each.instance === copy.instance)) {
        return { law: 'no stray files', what: `two copies of ${copy.instance} on ${host.name}` }
      }
    }
  }
  return misplacedDomain(snapshot, simulatedMachines)
}

function misplacedDomain(snapshot: Snapshot, simulatedMachines: SimulatedMachines): LawViolation | null {
  for (const { id, host, vmState } of snapshot.instances) {
    if (vmState === 'deleting' || vmState === 'building')
      return { law: 'every build and deletion ends', what: `${id} is ${vmState}` }
    if (host === null || simulatedMachines.machine(host).power !== 'on') continue
    const copy = simulatedMachines.machine(host).copies.find((each) => each.instance === id)
    const runs = copy?.running === true
    if (vmState === 'active' && !runs)
      return { law: 'an active instance runs on its recorded host', what: `${id} is not running` }
    if (vmState === 'stopped' && (runs || copy === undefined)) {
      return { law: 'a stopped instance is on its recorded host', what: `${id} ${runs ? 'runs' : 'is missing'}` }
    }
  }
  return null
}
