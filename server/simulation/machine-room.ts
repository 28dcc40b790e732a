import type { DriverOperation } from '../drivers/driver'
import type { Side } from '../engine/migration/state'
import type { HostId, InstanceId, MigrationId } from '../engine/words/ids'

// What really is: hypervisors with the copies of guests on them, and transfers under way. No book is kept here, and
// nothing here reads one; that the two agree is what the simulation is about.

/** A guest's shell or files on one machine. Two copies of one guest on a machine are the sides of a same-host move. */
export interface Copy {
  readonly instance: InstanceId
  /** The migration that made it; null for the copy a build made (L4). */
  readonly maker: MigrationId | null
  complete: boolean
  running: boolean
  /** Handed over alive: what is left here is old. */
  left: boolean
}

export interface Machine {
  readonly id: HostId
  power: 'on' | 'off' | 'destroyed'
  /** Answers verbs. A machine that is on and does not answer runs its guests on. */
  answers: boolean
  /** Came back after it was fenced and is not cleaned: starts nothing, takes nothing (I11). */
  quarantined: boolean
  copies: Copy[]
  /** The newest fence heard of each migration (L7) and, for builds, of each instance. */
  readonly fences: Map<string, number>
}

/** A transfer in progress. It continues by itself, whether or not it is polled. */
export interface Job {
  readonly migration: MigrationId
  readonly instance: InstanceId
  readonly kind: 'memory' | 'disk' | 'rebuild' | 'unpack'
  readonly from: HostId | null
  readonly to: HostId
  left: number
  postCopy: boolean
}

export class MachineRoom {
  readonly machines: ReadonlyMap<HostId, Machine>
  readonly jobs = new Map<MigrationId, Job>()
  /** What no hypervisor may ever be made to do; the laws read it after every micro-step. */
  readonly sins: string[] = []

  constructor(hosts: readonly HostId[]) {
    this.machines = new Map(hosts.map((id) => [id, newMachine(id)]))
  }

  machine(id: HostId): Machine {
    const machine = this.machines.get(id)
    if (machine === undefined) throw new Error(`no machine ${id}`)
    return machine
  }

  /** The copy on a side of a move: at the target what the move made, at the source what was there before. */
  copyOf(driverOperation: DriverOperation, side: Side): Copy | undefined {
    const host = driverOperation[side]
    if (host === null) return undefined
    return this.machine(host).copies.find((copy) => isOfSide(copy, driverOperation, side))
  }

  start(copy: Copy, at: HostId): void {
    if (copy.left) this.sins.push(`${copy.instance} was started on ${at} from what a live move had left behind`)
    if (this.machine(at).quarantined) this.sins.push(`${copy.instance} was started on ${at}, which is not cleaned`)
    copy.running = true
  }

  remove(at: HostId, which: (copy: Copy) => boolean): void {
    const machine = this.machine(at)
    for (const copy of machine.copies.filter(which)) {
      if (copy.running) this.sins.push(`${copy.instance} was cleaned from ${at} while it ran there`)
    }
    machine.copies = machine.copies.filter((copy) => !which(copy))
  }

  /** One transfer gets on by one notch; a machine without power gets nowhere. */
  progress(job: Job): void {
    if (!this.#isOn(job.to) || (job.from !== null && !this.#isOn(job.from))) return
    job.left -= 1
    if (job.left <= 0) this.#arrive(job)
  }

  #arrive(job: Job): void {
    const target = this.machine(job.to).copies.find((copy) => copy.maker === job.migration)
    if (target === undefined) {
      this.jobs.delete(job.migration)
      return
    }
    if (job.kind === 'memory' && !target.running) {
      this.handOver(job)
      return
    }
    target.complete = true
    this.jobs.delete(job.migration)
  }

  /** The instant of a live move: one side stops, the other runs. With post-copy the memory follows afterwards. */
  handOver(job: Job): void {
    const source = this.machine(job.from ?? job.to).copies.find(
      (copy) => copy.instance === job.instance && copy.maker !== job.migration,
    )
    const target = this.machine(job.to).copies.find((copy) => copy.maker === job.migration)
    if (source === undefined || target === undefined || !source.running) {
      this.jobs.delete(job.migration)
      return
    }
    source.running = false
    source.left = true
    target.complete = true
    this.start(target, job.to)
    if (!job.postCopy) this.jobs.delete(job.migration)
    else job.left = 2
  }

  powerOff(machine: Machine, power: 'off' | 'destroyed'): void {
    machine.power = power
    for (const copy of machine.copies) copy.running = false
    for (const job of this.jobs.values()) {
      if (job.from === machine.id || job.to === machine.id) this.#loseJob(job)
    }
  }

  // A guest in post-copy has its memory in two places: it dies with either.
  #loseJob(job: Job): void {
    this.jobs.delete(job.migration)
    if (!job.postCopy) return
    const target = this.machine(job.to).copies.find((copy) => copy.maker === job.migration)
    if (target !== undefined) target.running = false
  }

  #isOn(id: HostId): boolean {
    return this.machine(id).power === 'on'
  }
}

export function isOfSide(
  copy: Copy,
  driverOperation: Pick<DriverOperation, 'instance' | 'migration'>,
  side: Side,
): boolean {
  return (
    copy.instance === driverOperation.instance && (copy.maker === driverOperation.migration) === (side === 'target')
  )
}

const newMachine = (id: HostId): Machine => ({
  id,
  power: 'on',
  answers: true,
  quarantined: false,
  copies: [],
  fences: new Map(),
})
