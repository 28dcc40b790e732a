import { DRIVER_KINDS, type DriverKind } from '../engine/words/driver-kinds'
import type { Answer, Driver } from './driver'

// The driver for each kind of host. A new driver is a folder, its kind in the engine and a line in wiring.

export type Drivers = { readonly [K in DriverKind]: Driver }

/** Gives every kind a driver; kinds without one get the unconnected driver. */
export const driversFrom = (connected: Partial<Drivers>): Drivers =>
  Object.fromEntries(DRIVER_KINDS.map((kind) => [kind, connected[kind] ?? unconnected(kind)])) as Drivers

/** The driver of a kind without a connection: all its answers are `no-answer`, so nothing is concluded from them. */
export function unconnected(kind: DriverKind): Driver {
  const answer: Answer = { did: 'no-answer', why: `no ${kind} connection is set up` }
  const nobody = async () => answer
  return {
    prepare: nobody,
    transfer: nobody,
    stopTransfer: nobody,
    forceTransfer: nobody,
    runAt: nobody,
    clean: nobody,
    build: nobody,
    destroy: nobody,
    power: nobody,
    locate: async () => ({ source: 'silent', target: 'silent' }),
    survey: async () => null,
  }
}
