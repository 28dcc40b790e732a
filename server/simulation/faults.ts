import type { EffectName } from '../conductor/effects'
import type { Chance } from './chance'

// Everything that can go wrong between a conductor and its surroundings. A fault is drawn at random for each effect of
// a tick.

export const FAULTS = [
  /** The effect does nothing and reports failure. */
  'fail',
  /** The effect happens, but the response is lost. */
  'lose-answer',
  /** The request never arrives, and no error is reported. */
  'lose-question',
  /** The effect stops half-way and reports failure. */
  'half-and-fail',
  /** The effect stops half-way, and no response arrives. */
  'half-and-silent',
  /** The conductor dies before the effect. */
  'crash-before',
  /** The conductor dies after the effect and before it received the result. */
  'crash-after',
  /** The conductor dies, and its driver operation arrives much later. */
  'crash-and-late',
] as const
export type Fault = (typeof FAULTS)[number]

export type FaultSource = (effect: EffectName) => Fault | null

const DRIVER_EFFECTS: ReadonlySet<EffectName> = new Set([
  'prepare',
  'transfer',
  'stopTransfer',
  'forceTransfer',
  'locate',
  'runAt',
  'clean',
  'build',
  'destroy',
  'power',
])

const isDriverEffect = (effect: EffectName): boolean => DRIVER_EFFECTS.has(effect)

const DRIVER_FAULT_CHANCES = {
  fail: 20,
  'lose-answer': 25,
  'lose-question': 25,
  'half-and-fail': 15,
  'half-and-silent': 15,
  'crash-before': 10,
  'crash-after': 20,
  'crash-and-late': 25,
} satisfies Record<Fault, number>

/** `permille` faults in a thousand driver operations. Other effects only crash, sixteen times as rarely. */
export function drawnFaults(chance: Chance, permille: number): FaultSource {
  return (effect) => {
    if (isDriverEffect(effect)) return chance.permille(permille) ? chance.weighted(DRIVER_FAULT_CHANCES) : null
    if (!chance.permille(permille >> 4)) return null
    return chance.permille(500) ? 'crash-before' : 'crash-after'
  }
}
