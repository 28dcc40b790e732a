import type { CpuThreadPolicy, GuestNode } from '../guest-topology'
import { pinsCpus } from '../pages'
import type { FreeCore, PreparedNode } from '../prepared'

// CPUs of one guest NUMA node in one host NUMA node: whether they fit, and which ones. Source: Nova
// `_pack_instance_onto_cores`. As few whole cores as possible are split: the rest must still serve the next instance
// that needs whole cores.

/** `reserve`: CPUs for isolated emulator threads (0 or 1), on top of the instance's own. */
export function cpusFit(guest: GuestNode, host: PreparedNode, reserve: number): boolean {
  if (guest.cpuPolicy !== 'dedicated' && guest.sharedVcpus.length > host.node.sharedCpus.length) return false
  if (!pinsCpus(guest)) return reserve === 0
  const need = guest.dedicatedVcpus.length
  if (need + reserve > host.freeCpus || (need === 0 && reserve > 0)) return false
  if (guest.threadPolicy === 'isolate') return isolateFits(need, host, reserve)
  return guest.threadPolicy !== 'require' || siblingThreads(host, need) !== NO_SIBLINGS
}

export const freeCoresOf = (host: PreparedNode) => host.coresWith[host.smt]!

/** With SMT only a legacy host keeps the siblings of a pinned CPU empty. */
export const honoursIsolate = (host: PreparedNode) => host.smt === 1 || host.legacy

function isolateFits(need: number, host: PreparedNode, reserve: number): boolean {
  const whole = freeCoresOf(host)
  if (need === 0 || need > whole || !honoursIsolate(host)) return false
  return reserve === 0 || whole > need || host.coresAscending.length > whole
}

export const NO_SIBLINGS = 0

/**
 * Threads per core with which `require` can be met, or NO_SIBLINGS. Every used core gives the same number; only the
 * last may give less. Of several numbers the one that strands the fewest free threads.
 */
export function siblingThreads(host: PreparedNode, need: number): number {
  let best = NO_SIBLINGS
  let bestStranded = Number.POSITIVE_INFINITY
  for (let threads = host.smt; threads >= 2; threads--) {
    const cores = host.coresWith[threads]!
    if (cores === 0 || threads * cores < need) continue
    if (host.smt === 2) return threads
    const stranded = strandedThreads(host, need, threads)
    if (stranded < bestStranded) {
      best = threads
      bestStranded = stranded
    }
  }
  return best
}

function strandedThreads(host: PreparedNode, need: number, threads: number): number {
  let left = need
  let stranded = 0
  for (const core of host.coresAscending) {
    if (left <= 0) break
    if (core.length < threads) continue
    stranded += core.length - Math.min(threads, left)
    left -= threads
  }
  return stranded
}

export interface ChosenCpus {
  /** One per dedicated vCPU, siblings next to each other. */
  readonly pins: readonly number[]
  readonly reserved: readonly number[]
  /** The reserved CPU is on a core that others use, so its siblings are not this instance's to take. */
  readonly reservedSharesCore: boolean
}

const PACK: Readonly<Record<CpuThreadPolicy | 'none', (host: PreparedNode, need: number) => number[]>> = {
  none: (host, need) => fillFrom(host.coresAscending, need, host.smt),
  prefer: preferSiblings,
  require: (host, need) => {
    const threads = siblingThreads(host, need)
    return fillFrom(withAtLeast(host.coresAscending, threads), need, threads)
  },
  isolate: (host, need) => fillFrom(withAtLeast(host.coresAscending, host.smt), need, 1),
}

/** Only for a pair that `cpusFit` accepts. */
export function chooseCpus(guest: GuestNode, host: PreparedNode, reserve: number): ChosenCpus {
  const need = pinsCpus(guest) ? guest.dedicatedVcpus.length : 0
  const pins = need === 0 ? [] : PACK[guest.threadPolicy ?? 'none'](host, need)
  if (reserve === 0) return { pins, reserved: [], reservedSharesCore: false }
  return guest.threadPolicy === 'isolate' ? reserveApart(host, pins) : reserveAnywhere(host, pins)
}

// Cores are in ascending order of their free threads, so half-used cores are filled first.
function fillFrom(cores: readonly FreeCore[], need: number, threads: number): number[] {
  const pins: number[] = []
  for (let i = 0; i < cores.length && pins.length < need; i++) {
    const core = cores[i]!
    for (let thread = 0; thread < threads && thread < core.length && pins.length < need; thread++) {
      pins.push(core[thread]!)
    }
  }
  return pins
}

function withAtLeast(cores: readonly FreeCore[], threads: number): readonly FreeCore[] {
  const first = cores.findIndex((core) => core.length >= threads)
  return first === 0 ? cores : first < 0 ? [] : cores.slice(first)
}

// `prefer`: the guest runs better with siblings together: whole free cores first, the odd one onto a lone thread.
function preferSiblings(host: PreparedNode, need: number): number[] {
  const pins: number[] = []
  const left: FreeCore[] = []
  for (const core of host.coresDescending) {
    if (core.length >= 2 && core.length <= need - pins.length) for (const cpu of core) pins.push(cpu)
    else left.push(core)
    if (pins.length === need) return pins
  }
  const rest = need - pins.length
  const enough = left.filter((core) => core.length >= rest)
  if (enough.length === 0) return pins.concat(fillFrom(left, rest, host.smt))
  const smallest = enough.reduce((best, core) => (core.length < best.length ? core : best))
  return pins.concat(smallest.slice(0, rest))
}

// `isolate` also takes the siblings of the reserved CPU. They are free only on a whole core.
function reserveApart(host: PreparedNode, pins: readonly number[]): ChosenCpus {
  const whole = withAtLeast(host.coresAscending, host.smt)[pins.length]
  if (whole !== undefined) return { pins, reserved: [whole[0]!], reservedSharesCore: false }
  return { pins, reserved: [host.coresAscending[0]![0]!], reservedSharesCore: true }
}

function reserveAnywhere(host: PreparedNode, pins: readonly number[]): ChosenCpus {
  const used = new Set(pins)
  const cores = host.coresAscending
    .map((core) => core.filter((cpu) => !used.has(cpu)))
    .filter((core) => core.length > 0)
  const smallest = cores.reduce((best, core) => (core.length < best.length ? core : best))
  return { pins, reserved: [smallest[0]!], reservedSharesCore: false }
}
