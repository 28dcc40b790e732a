import type {
  Answer,
  DoomedGuest,
  Errand,
  NewGuest,
  PowerAnswer,
  PowerOrder,
  Sight,
  Sighting,
  TransferAnswer,
} from '../drivers/driver'
import { otherSide } from '../engine/migration/machine'
import { operationRow } from '../engine/migration/operations'
import type { Side } from '../engine/migration/state'
import type { HostId } from '../engine/words/ids'
import type { Chance } from './chance'
import { isOfSide, type Machine, type MachineRoom } from './machine-room'

// The driver's verbs on the machines of the simulation: ensures that hear the fence first. `half` stops a verb after
// its first effect, the way a real one dies in the middle.

export interface VerbOptions {
  readonly half: boolean
}

export interface Verbs {
  prepare(errand: Errand, options: VerbOptions): Answer
  transfer(errand: Errand, options: VerbOptions): TransferAnswer
  stopTransfer(errand: Errand, options: VerbOptions): Answer
  forceTransfer(errand: Errand, options: VerbOptions): Answer
  locate(errand: Errand): Sighting
  runAt(errand: Errand, side: Side, options: VerbOptions): Answer
  clean(errand: Errand, side: Side, options: VerbOptions): Answer
  build(guest: NewGuest, options: VerbOptions): Answer
  destroy(guest: DoomedGuest, options: VerbOptions): Answer
  power(order: PowerOrder, options: VerbOptions): PowerAnswer
}

const DONE: Answer = { did: 'done' }
const HALF: Answer = { did: 'failed', why: 'broke off in the middle' }
const failed = (why: string): Answer => ({ did: 'failed', why })

export function verbsOn(room: MachineRoom, chance: Chance): Verbs {
  return {
    prepare: (errand, { half }) => heard(room, errand, () => prepare(room, errand, half)),
    transfer: (errand) => heard(room, errand, () => transfer(room, chance, errand)),
    stopTransfer: (errand) => heard(room, errand, () => stopTransfer(room, errand)),
    forceTransfer: (errand) => heard(room, errand, () => forceTransfer(room, chance, errand)),
    locate: (errand) => ({ source: sightAt(room, errand, 'source'), target: sightAt(room, errand, 'target') }),
    runAt: (errand, side, { half }) => heard(room, errand, () => runAt({ room, errand, side, half })),
    clean: (errand, side) => heardAt(room, errand, side) ?? clean(room, errand, side),
    build: (guest, { half }) => build(room, guest, half),
    destroy: (guest, { half }) => destroy(room, guest, half),
    power: (order, { half }) => power(room, order, half),
  }
}

function heard<A>(room: MachineRoom, errand: Errand, act: () => A): A | Answer {
  return heardAt(room, errand, 'target') ?? heardAt(room, errand, 'source') ?? act()
}

/** Null when the side heard the verb and its fence is not stale, or when the verb need not ask that side. */
function heardAt(room: MachineRoom, errand: Errand, side: Side): Answer | null {
  const host = errand[side]
  if (host === null || !errand.reach[side]) return null
  const machine = room.machine(host)
  if (!isHeard(machine)) return { did: 'no-answer', why: `${side} host does not answer` }
  if (!passesFence(machine, errand.migration, errand.fence)) return { did: 'stale-fence' }
  passesFence(machine, errand.instance, errand.guestFence)
  return null
}

const isHeard = (machine: Machine) => machine.power === 'on' && machine.answers

function passesFence(machine: Machine, id: string, fence: number): boolean {
  const newest = machine.fences.get(id) ?? 0
  if (fence < newest) return false
  machine.fences.set(id, fence)
  return true
}

function prepare(room: MachineRoom, errand: Errand, half: boolean): Answer {
  const { target, source } = errand
  if (target === null) return failed('no target')
  const machine = room.machine(target)
  if (machine.quarantined) return failed('the host is not cleaned')
  const { transfer } = operationRow(errand.operation)
  const carries = transfer === 'memory' || transfer === 'disk'
  if (carries && errand.reach.source && source !== null && room.copyOf(errand, 'source') === undefined) {
    return failed('the guest is not at its source')
  }
  if (room.copyOf(errand, 'target') === undefined) {
    machine.copies.push({
      instance: errand.instance,
      maker: errand.migration,
      complete: false,
      running: false,
      left: false,
    })
  }
  return half ? HALF : DONE
}

function transfer(room: MachineRoom, chance: Chance, errand: Errand): TransferAnswer {
  const kind = operationRow(errand.operation).transfer
  const job = room.jobs.get(errand.migration)
  if (job !== undefined) {
    return { did: 'running', progress: progressOf(job.left, job.postCopy), handedOver: isHandedOver(room, errand) }
  }
  const target = room.copyOf(errand, 'target')
  if (target === undefined || errand.target === null) return failed('nothing is prepared')
  if (room.machine(errand.target).quarantined) return failed('the host is not cleaned')
  if (target.complete) return DONE
  const source = room.copyOf(errand, 'source')
  if (kind === 'memory' && !source?.running) return failed('the domain does not run at its source')
  if (kind !== 'memory' && source !== undefined && errand.reach.source) source.running = false
  room.jobs.set(errand.migration, {
    migration: errand.migration,
    instance: errand.instance,
    kind,
    from: kind === 'memory' || kind === 'disk' ? errand.source : null,
    to: errand.target,
    left: 1 + chance.below(4),
    postCopy: false,
  })
  return { did: 'running', progress: progressOf(4, false), handedOver: false }
}

const isHandedOver = (room: MachineRoom, errand: Errand) => room.copyOf(errand, 'target')?.running === true

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

function stopTransfer(room: MachineRoom, errand: Errand): Answer {
  const target = room.copyOf(errand, 'target')
  if (target?.complete) return failed('it has arrived')
  room.jobs.delete(errand.migration)
  return DONE
}

function forceTransfer(room: MachineRoom, chance: Chance, errand: Errand): Answer {
  const job = room.jobs.get(errand.migration)
  if (job === undefined || job.kind !== 'memory') return failed('there is no live transfer')
  job.left = 1
  if (chance.permille(500) && !job.postCopy) {
    job.postCopy = true
    room.handOver(job)
  }
  return DONE
}

function sightAt(room: MachineRoom, errand: Errand, side: Side): Sight {
  const host = errand[side]
  if (host === null || !errand.reach[side]) return 'absent'
  const machine = room.machine(host)
  if (!isHeard(machine)) return 'silent'
  passesFence(machine, errand.migration, errand.fence)
  const copy = machine.copies.find((each) => isOfSide(each, errand, side))
  if (copy === undefined) return 'absent'
  if (copy.running) return 'running'
  if (copy.left) return 'left'
  return copy.complete ? 'stopped' : 'shell'
}

interface Running {
  readonly room: MachineRoom
  readonly errand: Errand
  readonly side: Side
  readonly half: boolean
}

function runAt({ room, errand, side, half }: Running): Answer {
  const host = errand[side]
  if (host === null) return failed('there is no such side')
  room.jobs.delete(errand.migration)
  const other = otherSide(side)
  const elsewhere = errand.reach[other] ? room.copyOf(errand, other) : undefined
  if (elsewhere !== undefined) elsewhere.running = false
  if (half) return HALF
  const copy = room.copyOf(errand, side)
  if (copy === undefined || !copy.complete) return failed('there is nothing to run')
  if (room.machine(host).quarantined) return failed('the host is not cleaned')
  if (errand.wasRunning && !copy.running) room.start(copy, host)
  return DONE
}

function clean(room: MachineRoom, errand: Errand, side: Side): Answer {
  const host: HostId | null = errand[side]
  room.jobs.delete(errand.migration)
  if (host !== null) room.remove(host, (copy) => isOfSide(copy, errand, side))
  return DONE
}

function build(room: MachineRoom, guest: NewGuest, half: boolean): Answer {
  const machine = room.machine(guest.host)
  if (!isHeard(machine)) return { did: 'no-answer', why: 'the host does not answer' }
  if (!passesFence(machine, guest.instance, guest.fence)) return { did: 'stale-fence' }
  if (machine.quarantined) return failed('the host is not cleaned')
  let copy = machine.copies.find((each) => each.instance === guest.instance)
  if (copy === undefined) {
    copy = { instance: guest.instance, maker: null, complete: true, running: false, left: false }
    machine.copies.push(copy)
  }
  if (half) return HALF
  if (!copy.running) room.start(copy, guest.host)
  return DONE
}

function destroy(room: MachineRoom, { instance, host, fence }: DoomedGuest, half: boolean): Answer {
  const machine = room.machine(host)
  if (!isHeard(machine)) return { did: 'no-answer', why: 'the host does not answer' }
  if (!passesFence(machine, instance, fence)) return { did: 'stale-fence' }
  for (const copy of machine.copies) if (copy.instance === instance) copy.running = false
  if (half) return HALF
  room.remove(host, (copy) => copy.instance === instance)
  return DONE
}

/** These machines know running and not running only: a pause is a run, and guests heed the power button at once. */
function power(room: MachineRoom, { instance, host, fence, action }: PowerOrder, half: boolean): PowerAnswer {
  const machine = room.machine(host)
  if (!isHeard(machine)) return { did: 'no-answer', why: 'the host does not answer' }
  if (!passesFence(machine, instance, fence)) return { did: 'stale-fence' }
  if (machine.quarantined) return failed('the host is not cleaned')
  const copy = machine.copies.find((each) => each.instance === instance && each.complete && !each.left)
  if (copy === undefined) return failed('the host has no such domain')
  if (half) return HALF
  if (action === 'stop') copy.running = false
  else if (!copy.running) room.start(copy, host)
  return DONE
}
