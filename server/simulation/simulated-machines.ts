import type { DriverOperation } from '../drivers/driver'
import type { Side } from '../engine/migration/state'
import type { HostId, InstanceId, MigrationId } from '../engine/words/ids'

// The actual state: hypervisors with their domains, and transfers in progress. This file neither keeps nor reads
// records. The simulation checks that the two agree.

/** A domain or its files on one machine. Two copies of an instance there are both sides of a same-host migration. */
export interface Copy {
  readonly instance: InstanceId
  /** The migration that made it; null: made by a build (L4). */
  readonly maker: MigrationId | null
  complete: boolean
  running: boolean
  /** Stale: a live migration has switched to the other side. */
  left: boolean
}

export interface Machine {
  readonly id: HostId
  power: 'on' | 'off' | 'destroyed'
  /** Answers driver operations. A machine that is on but does not answer keeps running its domains. */
  answers: boolean
  /** Came back after fencing and is not cleaned up: starts nothing, accepts nothing (I11). */
  quarantined: boolean
  copies: Copy[]
  /** The newest fence received, by migration (L7) and by instance. */
  readonly fences: Map<string, number>
}

/** A transfer in progress. It continues whether or not it is polled. */
export interface Job {
  readonly migration: MigrationId
  readonly instance: InstanceId
  readonly kind: 'memory' | 'disk' | 'rebuild' | 'unpack'
  readonly from: HostId | null
  readonly to: HostId
  left: number
  postCopy: boolean
}

export class SimulatedMachines {
  readonly machines: ReadonlyMap<HostId, Machine>
  readonly jobs = new Map<MigrationId, Job>()
  /** Forbidden operations that a hypervisor was made to carry out. The laws check this after every micro-step. */
  readonly violations: string[] = []

  constructor(hosts: readonly HostId[]) {
    this.machines = new Map(hosts.map((id) => [id, newMachine(id)]))
  }

  machine(id: HostId): Machine {
    const machine = this.machines.get(id)
    if (machine === undefined) throw new Error(`no machine ${id}`)
    return machine
  }

  /** The copy on one side of a migration: at the target the one it made, at the source the one from before. */
  copyOf(driverOperation: DriverOperation, side: Side): Copy | undefined {
    const host = driverOperation[side]
    if (host === null) return undefined
    return this.machine(host).copies.find((copy) => isOfSide(copy, driverOperation, side))
  }

  start(copy: Copy, at: HostId): void {
    if (copy.left) this.violations.push(`${copy.instance} was started on ${at} from the stale copy of a live migration`)
    if (this.machine(at).quarantined) this.violations.push(`${copy.instance} was started on ${at} before its clean-up`)
    copy.running = true
  }

  remove(at: HostId, which: (copy: Copy) => boolean): void {
    const machine = this.machine(at)
    for (const copy of machine.copies.filter(which)) {
      if (copy.running) this.violations.push(`${copy.instance} was removed from ${at} while it was running there`)
    }
    machine.copies = machine.copies.filter((copy) => !which(copy))
  }

  /** Advances one transfer by one step, if both machines have power. */
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

  /** The switch of a live migration: the source stops, the target runs. With post-copy the memory follows later. */
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

  // During post-copy the memory is on both machines: losing either one stops the domain.
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
