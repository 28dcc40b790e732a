import type { Refusal } from '../../engine/words/refusal'
import { REFUSALS, type RefusalRow, sentenceOf } from './refusals'

// Throws a refusal out of a procedure. Inside the engine it is a value; here it is thrown, because tRPC ends a call
// early that way.

type RequestRule = 'unknown' | 'bad-input' | 'changed-meanwhile' | 'wrong-state' | 'not-permitted' | 'no-host'

export interface RefusalContext {
  /** The request, in a few words: `Start a live-migrate of db-07`. */
  readonly what: string
  /** The name of its object. */
  readonly where?: string | null
  readonly notChanged?: string
  /** Overrides the next step of the first refusal's row. */
  readonly next?: string
}

export class RefusalError extends Error {
  override readonly name = 'RefusalError'
  readonly row: RefusalRow

  /** At least one refusal; the first one gives status, code and next step. */
  constructor(
    readonly refusals: readonly Refusal[],
    readonly about: RefusalContext,
  ) {
    const [first] = refusals
    if (!first) throw new Error(`${about.what} was refused without a reason`)
    super(`${about.what}: ${sentenceOf(first)}`)
    this.row = REFUSALS[first.kind]
  }
}

interface RequestRefused extends RefusalContext {
  readonly need: string
  readonly have: string
}

/** By a rule about the request itself, and not about a place on a host. */
export function refuse(kind: RequestRule, { need, have, ...about }: RequestRefused): never {
  throw new RefusalError([{ kind, where: {}, need, have }], about)
}

/** The named object does not exist. */
export function refuseUnknown(noun: string, id: string): never {
  refuse('unknown', { what: `Find the ${noun}`, where: id, need: `${noun} ${id}`, have: 'nothing' })
}
