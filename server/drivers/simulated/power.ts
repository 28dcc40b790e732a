import type { PowerAction } from '../../engine/power/request'
import type { Power } from '../../engine/power/state'
import type { HostId } from '../../engine/words/ids'
import type { PowerAnswer, PowerOrder } from '../driver'
import { deviceTrouble } from './devices'
import { DONE, failed, type OperationContext, type OperationResult, type SimulatedTime } from './faults'
import { answers, type Copy, type DomainCopyState, hasGuest, hostIn, type Scene, withInstance } from './record'

// The power of a copy, with libvirt's reasons, and the permitted requests.

const SHUTDOWN_MS = 3_000 // how long a guest that obeys the power button takes

export function powerOfCopy({ is, paused, reason }: Copy): Power {
  switch (is) {
    case 'running':
      return paused ? { state: 'paused', reason: 'user' } : { state: 'running', reason: null }
    case 'shell':
      return { state: 'paused', reason: 'migrating' }
    case 'left':
      return { state: 'shutdown', reason: 'migrated' }
    case 'stopped':
      return { state: reason === 'crashed' ? 'crashed' : 'shutdown', reason: reason ?? 'unknown' }
    default:
      return is satisfies never
  }
}

/** The copy in another state; a pause or shutdown in progress is dropped. */
export function inState(
  copy: Copy,
  is: DomainCopyState,
  { at, reason = null }: { at: number; reason?: string | null },
): Copy {
  return { ...copy, is, since: at, reason, paused: false, offAt: null }
}

/** A domain with a shutdown request is off at `offAt`, unless its host lost power before. */
export function settleShutdown(copy: Copy, now: number): Copy {
  if (copy.is !== 'running' || copy.paused || !copy.offAt || copy.offAt > now) return copy
  return inState(copy, 'stopped', { at: copy.offAt, reason: 'shutdown' })
}

type Act = (
  at: { readonly scene: Scene; readonly here: Copy; readonly order: PowerOrder },
  context: SimulatedTime,
) => Outcome
/** The resulting copy, or the reason for a refusal. */
type Outcome = { readonly copy: Copy; readonly answer: PowerAnswer } | string

const ACTS: { readonly [A in PowerAction]: Act } = {
  start: ({ scene, here }, { now }) => {
    if (here.is === 'running') return here.paused ? 'the domain is paused' : { copy: here, answer: DONE }
    return lockedBy(scene, here) ?? started(scene, here, now)
  },
  stop: ({ scene, here, order }, { now, speed }) => {
    if (here.is !== 'running') return { copy: here, answer: DONE }
    if (order.hard) return { copy: inState(here, 'stopped', { at: now, reason: 'destroyed' }), answer: DONE }
    const obeys = !scene.record.ignoresButton
    const offAt = here.offAt ?? (obeys ? now + SHUTDOWN_MS / speed : null)
    return { copy: offAt === here.offAt ? here : { ...here, offAt }, answer: { did: 'under-way' } }
  },
  reboot: ({ scene, here, order }, { now }) => {
    // Idempotent: a domain that was started after the request has been rebooted.
    if (here.is === 'running' && !here.paused && here.since >= order.at) return { copy: here, answer: DONE }
    return lockedBy(scene, here) ?? started(scene, here, now)
  },
  pause: ({ here }) =>
    here.is === 'running' ? { copy: { ...here, paused: true, offAt: null }, answer: DONE } : 'the domain does not run',
  resume: ({ here }) =>
    here.is === 'running' ? { copy: { ...here, paused: false }, answer: DONE } : 'the domain does not run',
}

export function changePower(scene: Scene, order: PowerOrder, context: OperationContext): OperationResult<PowerAnswer> {
  const here = scene.record.copies.find((copy) => copy.host === order.host && hasGuest(copy))
  if (!here) return { scene, answer: failed('the host has no such domain') }
  if (context.half) return { scene, answer: failed('the guest does not react (injected fault)') }
  const outcome = ACTS[order.action]({ scene, here, order }, context)
  if (typeof outcome === 'string') return { scene, answer: failed(outcome) }
  if (outcome.copy === here) return { scene, answer: outcome.answer }
  const copies = scene.record.copies.map((copy) => (copy === here ? outcome.copy : copy))
  return { scene: withInstance(scene, { copies }), answer: outcome.answer }
}

function started(scene: Scene, here: Copy, now: number): Outcome {
  const trouble = deviceTrouble(scene, here.host, here.claim)
  return trouble ?? { copy: inState(here, 'running', { at: now }), answer: DONE }
}

/** QEMU's image lock: a domain whose disk is open elsewhere does not start. */
function lockedBy(scene: Scene, here: Copy): string | null {
  const other = scene.record.copies.find((copy) => copy !== here && copy.is === 'running' && hasPower(scene, copy.host))
  return other === undefined ? null : `its disk is locked: the domain runs on host ${other.host}`
}

const hasPower = (scene: Scene, host: HostId) => answers(hostIn(scene, host)) || hostIn(scene, host).silent
