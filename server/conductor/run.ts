import type { DomainStates, Driver, DriverOperation, PowerAnswer } from '../drivers/driver'
import { withTimeout } from '../store/time/with-timeout'
import { traced } from '../trace/trace'
import type { Effect, EffectName, Effects, Tick, TickResult } from './effects'

// Runs a tick with real effects. Faults become facts here: a driver error or a timeout means that the host did not
// answer. A database error ends the tick; the next one starts over.

/** Effects that are answered without a driver. */
export type RecordEffect = Exclude<EffectName, keyof typeof OPERATION_TIMEOUTS_MS>
export type RecordEffects = {
  readonly [K in RecordEffect]: (ask: Effects[K]['ask']) => K extends CountingEffect ? CountedAnswer<K> : Later<K>
}

type Later<K extends RecordEffect> = Effects[K]['answer'] | Promise<Effects[K]['answer']>

/** Effects whose answer includes changes that other ticks are about to make. */
type CountingEffect = 'candidate' | 'inFlight'

/**
 * A promised function is called synchronously when the tick resumes: no other tick runs between the answer and what
 * the tick does next without waiting.
 */
type CountedAnswer<K extends CountingEffect> = Promise<Effects[K]['answer'] | (() => Effects[K]['answer'])>

export interface ConductorContext {
  readonly records: RecordEffects
  /** The driver that answers for the hosts of a driver operation. */
  driverOf(hosts: readonly string[]): Promise<Driver>
  /** True when the server is stopping: the tick ends after the active effect. */
  stopping(): boolean
  /** Renews the lease of a migration during an operation; returns how to end that. */
  keepLease(driverOperation: DriverOperation): () => void
  /** Called for each driver call that threw or took too long. */
  onFault(verb: EffectName, error: Error): void
}

// How long a driver operation may take before its host counts as silent. It only starts or ensures work, so these are
// times for an answer, not for the work.
export const OPERATION_TIMEOUTS_MS = {
  prepare: 30_000,
  transfer: 15_000,
  stopTransfer: 15_000,
  forceTransfer: 15_000,
  locate: 10_000,
  runAt: 60_000, // an orderly shutdown of the other side is part of it
  clean: 30_000,
  build: 60_000,
  destroy: 30_000,
  power: 30_000,
} as const satisfies Partial<Record<EffectName, number>>

type DriverEffectName = keyof typeof OPERATION_TIMEOUTS_MS

const ENDED_EARLY: TickResult = { nextAt: 0 }

export async function runTick(tick: Tick, context: ConductorContext): Promise<TickResult> {
  let step = tick.next()
  while (!step.done) {
    if (context.stopping()) {
      tick.return(ENDED_EARLY)
      return ENDED_EARLY
    }
    const given = perform(step.value, context)
    const answer = given instanceof Promise ? await given : given
    step = tick.next(typeof answer === 'function' ? answer() : answer)
  }
  return step.value
}

function perform(effect: Effect, context: ConductorContext): unknown {
  if (isDriverEffect(effect)) return runOperation(effect, context)
  const record = context.records[effect.name] as (ask: unknown) => unknown
  return record(effect.ask)
}

export type DriverEffect = Extract<Effect, { readonly name: DriverEffectName }>

const isDriverEffect = (effect: Effect): effect is DriverEffect => effect.name in OPERATION_TIMEOUTS_MS

export async function runOperation(
  effect: DriverEffect,
  context: ConductorContext,
): Promise<PowerAnswer | DomainStates> {
  const limitMs = OPERATION_TIMEOUTS_MS[effect.name]
  const letGo = 'driverOperation' in effect.ask ? context.keepLease(effect.ask.driverOperation) : () => {}
  try {
    const hosts = hostsOf(effect)
    const driver = await context.driverOf(hosts)
    return await traced(`driver ${effect.name}`, { 'berth.hosts': hosts }, () =>
      withTimeout(limitMs, callDriver(driver, effect)),
    )
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    context.onFault(effect.name, error)
    if (effect.name === 'locate') return { source: 'silent', target: 'silent' }
    return { did: 'no-answer', why: error.message }
  } finally {
    letGo()
  }
}

function callDriver(driver: Driver, effect: DriverEffect): Promise<PowerAnswer | DomainStates> {
  switch (effect.name) {
    case 'prepare':
    case 'transfer':
    case 'stopTransfer':
    case 'forceTransfer':
    case 'locate':
      return driver[effect.name](effect.ask.driverOperation) as Promise<PowerAnswer | DomainStates>
    case 'runAt':
    case 'clean':
      return driver[effect.name](effect.ask.driverOperation, effect.ask.side)
    case 'build':
      return driver.build(effect.ask.order)
    case 'destroy':
      return driver.destroy(effect.ask.order)
    case 'power':
      return driver.power(effect.ask.order)
    default:
      return effect satisfies never
  }
}

function hostsOf(effect: DriverEffect): string[] {
  if ('order' in effect.ask) return [effect.ask.order.host]
  const driverOperation: DriverOperation = effect.ask.driverOperation
  return [driverOperation.target, driverOperation.source].filter((host) => host !== null)
}
