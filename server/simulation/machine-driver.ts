import type {
  Answer,
  BuildOrder,
  DestroyOrder,
  DomainStates,
  DriverOperation,
  ObservedState,
  PowerAnswer,
  PowerOrder,
  TransferAnswer,
} from '../drivers/driver'
import { operationRow } from '../engine/migration/operations'
import type { Side } from '../engine/migration/state'
import type { HostId } from '../engine/words/ids'
import { otherSide } from '../engine/words/side'
import type { Chance } from './chance'
import { isOfSide, type Machine, type SimulatedMachines } from './simulated-machines'

// The driver operations on the machines of the simulation. Each is idempotent and checks the fence first. `half` stops
// an operation after its first effect, as if it had died in the middle.

export interface MachineDriverOptions {
  readonly half: boolean
}

export interface MachineDriver {
  prepare(driverOperation: DriverOperation, options: MachineDriverOptions): Answer
  transfer(driverOperation: DriverOperation, options: MachineDriverOptions): TransferAnswer
  stopTransfer(driverOperation: DriverOperation, options: MachineDriverOptions): Answer
  forceTransfer(driverOperation: DriverOperation, options: MachineDriverOptions): Answer
  locate(driverOperation: DriverOperation): DomainStates
  runAt(driverOperation: DriverOperation, side: Side, options: MachineDriverOptions): Answer
  clean(driverOperation: DriverOperation, side: Side, options: MachineDriverOptions): Answer
  build(order: BuildOrder, options: MachineDriverOptions): Answer
  destroy(order: DestroyOrder, options: MachineDriverOptions): Answer
  power(order: PowerOrder, options: MachineDriverOptions): PowerAnswer
}

const DONE: Answer = { did: 'done' }
const HALF: Answer = { did: 'failed', why: 'failed half-way' }
const failed = (why: string): Answer => ({ did: 'failed', why })

export function machineDriver(machines: SimulatedMachines, chance: Chance): MachineDriver {
  return {
    prepare: (driverOperation, { half }) =>
      runIfAccepted(machines, driverOperation, () => prepare(machines, driverOperation, half)),
    transfer: (driverOperation) =>
      runIfAccepted(machines, driverOperation, () => transfer(machines, chance, driverOperation)),
    stopTransfer: (driverOperation) =>
      runIfAccepted(machines, driverOperation, () => stopTransfer(machines, driverOperation)),
    forceTransfer: (driverOperation) =>
      runIfAccepted(machines, driverOperation, () => forceTransfer(machines, chance, driverOperation)),
    locate: (driverOperation) => ({
      source: stateAt(machines, driverOperation, 'source'),
      target: stateAt(machines, driverOperation, 'target'),
    }),
    runAt: (driverOperation, side, { half }) =>
      runIfAccepted(machines, driverOperation, () => runAt({ machines, driverOperation, side, half })),
    clean: (driverOperation, side) =>
      refusalAt(machines, driverOperation, side) ?? clean(machines, driverOperation, side),
    build: (order, { half }) => build(machines, order, half),
    destroy: (order, { half }) => destroy(machines, order, half),
    power: (order, { half }) => power(machines, order, half),
  }
}

function runIfAccepted<A>(machines: SimulatedMachines, driverOperation: DriverOperation, act: () => A): A | Answer {
  return refusalAt(machines, driverOperation, 'target') ?? refusalAt(machines, driverOperation, 'source') ?? act()
}

/** Null if the side accepts the operation and its fence, or if the operation does not involve that side. */
function refusalAt(machines: SimulatedMachines, driverOperation: DriverOperation, side: Side): Answer | null {
  const host = driverOperation[side]
  if (host === null || !driverOperation.reach[side]) return null
  const machine = machines.machine(host)
  if (!isResponsive(machine)) return { did: 'no-answer', why: `${side} host does not answer` }
  if (!passesFence(machine, driverOperation.migration, driverOperation.fence)) return { did: 'stale-fence' }
  passesFence(machine, driverOperation.instance, driverOperation.instanceFence)
  return null
}

const isResponsive = (machine: Machine) => machine.power === 'on' && machine.answers

function passesFence(machine: Machine, id: string, fence: number): boolean {
  const newest = machine.fences.get(id) ?? 0
  if (fence < newest) return false
  machine.fences.set(id, fence)
  return true
}

function prepare(machines: SimulatedMachines, driverOperation: DriverOperation, half: boolean): Answer {
  const { target, source } = driverOperation
  if (target === null) return failed('no target')
  const machine = machines.machine(target)
  if (machine.quarantined) return failed('the host is not cleaned up')
  const { transfer } = operationRow(driverOperation.operation)
  const carries = transfer === 'memory' || transfer === 'disk'
  if (
    carries &&
    driverOperation.reach.source &&
    source !== null &&
    machines.copyOf(driverOperation, 'source') === undefined
  ) {
    return failed('the instance is not on its source host')
  }
  if (machines.copyOf(driverOperation, 'target') === undefined) {
    machine.copies.push({
      instance: driverOperation.instance,
      maker: driverOperation.migration,
      complete: false,
      running: false,
      left: false,
    })
  }
  return half ? HALF : DONE
}

function transfer(machines: SimulatedMachines, chance: Chance, driverOperation: DriverOperation): TransferAnswer {
  const kind = operationRow(driverOperation.operation).transfer
  const job = machines.jobs.get(driverOperation.migration)
  if (job !== undefined) {
    return {
      did: 'running',
      progress: progressOf(job.left, job.postCopy),
      handedOver: isHandedOver(machines, driverOperation),
    }
  }
  const target = machines.copyOf(driverOperation, 'target')
  if (target === undefined || driverOperation.target === null) return failed('nothing is prepared on the target')
  if (machines.machine(driverOperation.target).quarantined) return failed('the host is not cleaned up')
  if (target.complete) return DONE
  const source = machines.copyOf(driverOperation, 'source')
  if (kind === 'memory' && !source?.running) return failed('the domain is not running on the source host')
  if (kind !== 'memory' && source !== undefined && driverOperation.reach.source) source.running = false
  machines.jobs.set(driverOperation.migration, {
    migration: driverOperation.migration,
    instance: driverOperation.instance,
    kind,
    from: kind === 'memory' || kind === 'disk' ? driverOperation.source : null,
    to: driverOperation.target,
    left: 1 + chance.below(4),
    postCopy: false,
  })
  return { did: 'running', progress: progressOf(4, false), handedOver: false }
}

const isHandedOver = (machines: SimulatedMachines, driverOperation: DriverOperation) =>
  machines.copyOf(driverOperation, 'target')?.running === true

const MIB = 1_048_576
const progressOf = (left: number, postCopy: boolean) => ({
  at: 0,
  totalBytes: 4 * MIB,
  remainingBytes: Math.max(0, left) * MIB,
  dirtyBytesPerS: MIB,
  bandwidthBytesPerS: 4 * MIB,
  iteration: 1,
  downtimeMs: null,
  postCopy,
})

function stopTransfer(machines: SimulatedMachines, driverOperation: DriverOperation): Answer {
  const target = machines.copyOf(driverOperation, 'target')
  if (target?.complete) return failed('the transfer has already ended')
  machines.jobs.delete(driverOperation.migration)
  return DONE
}

function forceTransfer(machines: SimulatedMachines, chance: Chance, driverOperation: DriverOperation): Answer {
  const job = machines.jobs.get(driverOperation.migration)
  if (job === undefined || job.kind !== 'memory') return failed('no live migration is in progress')
  job.left = 1
  if (chance.permille(500) && !job.postCopy) {
    job.postCopy = true
    machines.handOver(job)
  }
  return DONE
}

function stateAt(machines: SimulatedMachines, driverOperation: DriverOperation, side: Side): ObservedState {
  const host = driverOperation[side]
  if (host === null || !driverOperation.reach[side]) return 'absent'
  const machine = machines.machine(host)
  if (!isResponsive(machine)) return 'silent'
  passesFence(machine, driverOperation.migration, driverOperation.fence)
  const copy = machine.copies.find((each) => isOfSide(each, driverOperation, side))
  if (copy === undefined) return 'absent'
  if (copy.running) return 'running'
  if (copy.left) return 'left'
  return copy.complete ? 'stopped' : 'shell'
}

interface RunAtInput {
  readonly machines: SimulatedMachines
  readonly driverOperation: DriverOperation
  readonly side: Side
  readonly half: boolean
}

function runAt({ machines, driverOperation, side, half }: RunAtInput): Answer {
  const host = driverOperation[side]
  if (host === null) return failed('the migration has no such side')
  machines.jobs.delete(driverOperation.migration)
  const other = otherSide(side)
  const elsewhere = driverOperation.reach[other] ? machines.copyOf(driverOperation, other) : undefined
  if (elsewhere !== undefined) elsewhere.running = false
  if (half) return HALF
  const copy = machines.copyOf(driverOperation, side)
  if (copy === undefined || !copy.complete) return failed('there is no domain to start')
  if (machines.machine(host).quarantined) return failed('the host is not cleaned up')
  if (driverOperation.wasRunning && !copy.running) machines.start(copy, host)
  return DONE
}

function clean(machines: SimulatedMachines, driverOperation: DriverOperation, side: Side): Answer {
  const host: HostId | null = driverOperation[side]
  machines.jobs.delete(driverOperation.migration)
  if (host !== null) machines.remove(host, (copy) => isOfSide(copy, driverOperation, side))
  return DONE
}

function build(machines: SimulatedMachines, order: BuildOrder, half: boolean): Answer {
  const machine = machines.machine(order.host)
  if (!isResponsive(machine)) return { did: 'no-answer', why: 'the host does not answer' }
  if (!passesFence(machine, order.instance, order.fence)) return { did: 'stale-fence' }
  if (machine.quarantined) return failed('the host is not cleaned up')
  let copy = machine.copies.find((each) => each.instance === order.instance)
  if (copy === undefined) {
    copy = { instance: order.instance, maker: null, complete: true, running: false, left: false }
    machine.copies.push(copy)
  }
  if (half) return HALF
  if (!copy.running) machines.start(copy, order.host)
  return DONE
}

function destroy(machines: SimulatedMachines, { instance, host, fence }: DestroyOrder, half: boolean): Answer {
  const machine = machines.machine(host)
  if (!isResponsive(machine)) return { did: 'no-answer', why: 'the host does not answer' }
  if (!passesFence(machine, instance, fence)) return { did: 'stale-fence' }
  for (const copy of machine.copies) if (copy.instance === instance) copy.running = false
  if (half) return HALF
  machines.remove(host, (copy) => copy.instance === instance)
  return DONE
}

/** These machines have two states: a paused domain counts as running, and a guest shuts down at once. */
function power(machines: SimulatedMachines, { instance, host, fence, action }: PowerOrder, half: boolean): PowerAnswer {
  const machine = machines.machine(host)
  if (!isResponsive(machine)) return { did: 'no-answer', why: 'the host does not answer' }
  if (!passesFence(machine, instance, fence)) return { did: 'stale-fence' }
  if (machine.quarantined) return failed('the host is not cleaned up')
  const copy = machine.copies.find((each) => each.instance === instance && each.complete && !each.left)
  if (copy === undefined) return failed('the host has no such domain')
  if (half) return HALF
  if (action === 'stop') copy.running = false
  else if (!copy.running) machines.start(copy, host)
  return DONE
}
