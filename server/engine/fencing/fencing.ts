import { CLOCKS_DIFFER_MS } from '../words/clocks'

// Fences a host by a BMC or command: reads the power, powers off, and reads again until it reports off. Only that
// report verifies.

export const FENCING_METHODS = ['redfish', 'command'] as const
export type FencingMethodKind = (typeof FENCING_METHODS)[number]

/**
 * verified: the machine reported that the host is off. unverified: power-off was ordered, but its result is unknown.
 * failed: it is not off, or its state is unknown and nothing was ordered.
 */
export const FENCING_STATES = ['running', 'verified', 'unverified', 'failed'] as const
export type FencingState = (typeof FENCING_STATES)[number]

export interface PowerReading {
  readonly power: 'on' | 'off' | 'unknown'
  /** The machine's answer. */
  readonly detail: string
  /** The BMC rejects the credentials; a retry could lock the account. */
  readonly denied?: boolean
}

export interface FencingFacts {
  /** Null: the method cannot read the power. */
  readonly reading: PowerReading | null
  /** Whether power-off was ordered: by the present server, or by one that died since. */
  readonly ordered: 'no' | 'earlier' | 'here'
  /** Result of the order; null: unknown. */
  readonly accepted: boolean | null
  readonly now: number
  readonly deadlineAt: number
}

export type FencingEnd = Exclude<FencingState, 'running'>
/** order: send the power-off. look: read the power again shortly. */
export type FencingStep =
  | { readonly do: 'order' }
  | { readonly do: 'poll' }
  | { readonly do: 'end'; readonly state: FencingEnd }

/** The longest deadline that settings allow. */
export const LONGEST_FENCING_MS = 600_000

const POLL: FencingStep = { do: 'poll' }
const ORDER: FencingStep = { do: 'order' }
const end = (state: FencingEnd): FencingStep => ({ do: 'end', state })

/**
 * Idempotent: the power is read before anything is ordered, and nothing is ordered after the deadline, when an operator
 * may have started the host again. A deadline beyond the longest was set before the clock was set back: it has passed,
 * or may have. An order of unknown result is repeated only while the power reads on.
 */
export function nextFencingStep({ reading, ordered, accepted, now, deadlineAt }: FencingFacts): FencingStep {
  const isLate = now >= deadlineAt || deadlineAt - now > LONGEST_FENCING_MS + CLOCKS_DIFFER_MS
  if (reading === null) {
    if (ordered === 'no') return isLate ? end('failed') : ORDER
    return end(accepted === false ? 'failed' : 'unverified')
  }
  if (reading.power === 'off') return end('verified')
  if (isLate || reading.denied)
    return end(reading.power === 'unknown' && ordered !== 'no' && accepted !== false ? 'unverified' : 'failed')
  if (reading.power === 'unknown') return POLL
  if (ordered === 'here') return accepted === false ? end('failed') : POLL
  return ORDER
}
