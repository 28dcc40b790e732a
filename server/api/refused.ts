import type { Refusal } from '../engine/words/refusal'
import { REFUSALS, sentenceOf } from './refusals'

// How a refusal leaves a procedure. Inside the engine it is a value; only here, at the door, does it become something
// thrown, because that is how tRPC ends a call early.

export interface RefusedAbout {
  /** What was asked, in a few words: `Start a live-migrate of db-07`. */
  readonly what: string
  /** On what: a name people know. */
  readonly where?: string | null
  readonly notChanged?: string
  /** Overrides the next step of the first refusal's row. */
  readonly next?: string
}

export class Refused extends Error {
  override readonly name = 'Refused'
  constructor(
    readonly refusals: readonly [Refusal, ...Refusal[]],
    readonly about: RefusedAbout,
  ) {
    super(`${about.what}: ${sentenceOf(refusals[0])}`)
  }

  get row() {
    return REFUSALS[this.refusals[0].kind]
  }
}

export function refuse(refusal: Refusal, about: RefusedAbout): never {
  throw new Refused([refusal], about)
}

/** The named thing does not exist (any more). */
export function refuseUnknown(noun: string, id: string): never {
  refuse(
    { kind: 'unknown', where: {}, need: `${noun} ${id}`, have: 'nothing' },
    { what: `Find the ${noun}`, where: id },
  )
}
