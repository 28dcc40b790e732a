import type { HostId, InstanceId } from '../../engine/words/ids'
import type { UnitName } from '../../engine/words/units'
import type { Answer } from '../driver'
import {
  answers,
  type DriverOperationKind,
  type FaultOutcome,
  type HostRecord,
  hostIn,
  outageOf,
  type PlannedFault,
  type Scene,
} from './record'

// Injected faults, and how they appear to the caller. In one place, so that no operation omits a fault.

/** Faults of a host, by an operator or a scenario. `kill`, `power-cycle`, `fence` and `vanish` stop its domains. */
export type HostFault =
  | { readonly do: 'go-silent' | 'kill' | 'power-cycle' | 'fence' | 'vanish' | 'return' | 'clear-faults' }
  | { readonly do: 'plan'; readonly fault: PlannedFault }
  | { readonly do: 'bandwidth'; readonly bytesPerS: number }
  | { readonly do: 'take-device' | 'put-device-back' | 'detach-device'; readonly unit: UnitName }
  | { readonly do: 'keep-attached'; readonly unit: UnitName; readonly instance: InstanceId }

export interface OperationResult<A> {
  readonly scene: Scene
  readonly answer: A
}

interface DriverOperation {
  readonly verb: DriverOperationKind
  readonly host: HostId
}

type Act<A> = (scene: Scene, half: boolean) => OperationResult<A>

/** Performs an operation on one host, unless the host does not answer or the plan has a fault for it. */
export function onHost<A>(scene: Scene, { verb, host }: DriverOperation, act: Act<A>): OperationResult<A | Answer> {
  const record = hostIn(scene, host)
  if (!answers(record)) return { scene, answer: noAnswer(host) }
  const { due, plan } = count(record.plan, verb)
  const counted = plan === record.plan ? scene : withHost(scene, { ...record, plan })
  switch (due) {
    case null:
      return act(counted, false)
    case 'fail':
      return { scene: counted, answer: failed('injected fault') }
    case 'silent':
      return { scene: withHost(counted, { ...record, plan, silent: true }), answer: noAnswer(host) }
    case 'lose-answer':
      return { scene: act(counted, false).scene, answer: noAnswer(host) }
    case 'half':
      return act(counted, true)
    default:
      return due satisfies never
  }
}

export const HOST_BOOT_MS = 20_000 // firmware, kernel and the hypervisor's service of a host that boots fast

/** The present time, and how many times faster than real hosts the fleet is. */
export interface SimulatedTime {
  readonly now: number
  readonly speed: number
}

/** An operation at that time; `half`: stop in the middle. */
export interface OperationContext extends SimulatedTime {
  readonly half: boolean
}

export function withFault(record: HostRecord, fault: HostFault, context: SimulatedTime): HostRecord {
  const { now } = context
  switch (fault.do) {
    case 'go-silent':
      return { ...record, silent: true }
    case 'kill':
      return losePower(record, 'killed', now)
    case 'power-cycle':
      return restorePower({ ...losePower(record, 'killed', now), silent: false }, { ...context, now: now + 1 })
    case 'fence':
      return losePower(record, 'fenced', now)
    case 'vanish':
      return losePower(record, 'gone', now)
    case 'return':
      return restorePower({ ...record, silent: false }, context)
    case 'clear-faults':
      return {
        ...restorePower({ ...record, silent: false }, context),
        ...{ plan: [], bandwidth: resetBandwidth(record, now), missing: [], keptAttached: [] },
      }
    case 'plan':
      return { ...record, plan: [...record.plan, fault.fault] }
    case 'bandwidth':
      return { ...record, bandwidth: [...record.bandwidth, { at: now, bytesPerS: fault.bytesPerS }] }
    case 'take-device':
      return { ...letGo(record, fault.unit), missing: [...new Set([...(record.missing ?? []), fault.unit])] }
    case 'put-device-back':
      return { ...record, missing: (record.missing ?? []).filter((unit) => unit !== fault.unit) }
    case 'keep-attached': {
      const { unit, instance } = fault
      return { ...record, keptAttached: [...(letGo(record, unit).keptAttached ?? []), { unit, instance }] }
    }
    case 'detach-device':
      return letGo(record, fault.unit)
    default:
      return fault satisfies never
  }
}

const letGo = (record: HostRecord, unit: UnitName): HostRecord => ({
  ...record,
  keptAttached: (record.keptAttached ?? []).filter((each) => each.unit !== unit),
})

export const DEFAULT_BYTES_PER_S = 1_250_000_000 // a 10 Gbit/s network

export const noAnswer = (host: HostId): Answer => ({ did: 'no-answer', host, why: `host ${host} did not answer` })
export const failed = (why: string): Answer => ({ did: 'failed', why })
export const DONE: Answer = { did: 'done' }

function withHost(scene: Scene, record: HostRecord): Scene {
  return { ...scene, hosts: new Map(scene.hosts).set(record.host, record) }
}

/** Counts one call: the first fault that is due fires and is removed from the plan. */
function count(
  plan: readonly PlannedFault[],
  verb: DriverOperationKind,
): { due: FaultOutcome | null; plan: readonly PlannedFault[] } {
  if (!plan.some((fault) => fault.on === verb)) return { due: null, plan }
  const counted = plan.map((fault) => (fault.on === verb ? { ...fault, nth: fault.nth - 1 } : fault))
  const due = counted.find((fault) => fault.nth <= 0) ?? null
  return { due: due?.goes ?? null, plan: counted.filter((fault) => fault !== due) }
}

/** A host that is gone stays gone; one that is already without power keeps the time at which its domains stopped. */
function losePower(record: HostRecord, by: 'killed' | 'fenced' | 'gone', now: number): HostRecord {
  const already = outageOf(record)
  if (already?.by === 'gone') return record
  const others = record.outages.filter((outage) => outage !== already)
  // Devices are reset with the host.
  return {
    ...record,
    bootsUntil: null,
    keptAttached: [],
    outages: [...others, { from: already?.from ?? now, to: null, by }],
  }
}

// A host that was only silent has power and answers at once; one that lost power has to boot first.
function restorePower(record: HostRecord, { now, speed }: SimulatedTime): HostRecord {
  const open = outageOf(record)
  if (open === null || open.by === 'gone') return record
  const outages = record.outages.map((outage) => (outage === open ? { ...outage, to: now } : outage))
  return { ...record, outages, bootsUntil: now + HOST_BOOT_MS / speed }
}

function resetBandwidth(record: HostRecord, now: number): HostRecord['bandwidth'] {
  return record.bandwidth.length === 0 ? [] : [...record.bandwidth, { at: now, bytesPerS: DEFAULT_BYTES_PER_S }]
}
