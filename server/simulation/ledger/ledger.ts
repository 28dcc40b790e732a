import type { Effects } from '../../conductor/effects'
import type { Snapshot } from '../../engine/audit'
import type { Leftover } from '../../engine/ledger/ledger'
import type { HostId } from '../../engine/words/ids'

// The calls that the simulation makes on the records. A run is a generator of these calls, so that the same workload
// runs on the in-memory ledger (synchronous) and on a database (asynchronous).

type FromTicks = Pick<
  Effects,
  'lease' | 'view' | 'hosts' | 'host' | 'candidate' | 'group' | 'instance' | 'inFlight' | 'commit'
>

export interface LedgerCalls extends FromTicks {
  /** Leases expire by the clock of the simulation, so each request carries the time. */
  readonly leaseAt: {
    readonly ask: Effects['lease']['ask'] & { readonly now: number }
    readonly answer: Effects['lease']['answer']
  }
  readonly snapshot: { readonly ask: Record<never, never>; readonly answer: Snapshot }
  readonly remains: { readonly ask: { readonly host: HostId }; readonly answer: readonly Leftover[] }
}

export type LedgerCallName = Exclude<keyof LedgerCalls, 'lease'>
export type LedgerCall = {
  [K in LedgerCallName]: { readonly name: K; readonly ask: LedgerCalls[K]['ask'] }
}[LedgerCallName]

export type Ledger = { readonly [K in LedgerCallName]: (ask: LedgerCalls[K]['ask']) => LedgerCalls[K]['answer'] }

export type LedgerCoroutine<T> = Generator<LedgerCall, T, unknown>

export function* call<K extends LedgerCallName>(
  name: K,
  question: LedgerCalls[K]['ask'],
): Generator<LedgerCall, LedgerCalls[K]['answer'], unknown> {
  return (yield { name, ask: question } as LedgerCall) as LedgerCalls[K]['answer']
}

export function runOn<T>(ledger: Ledger, asking: LedgerCoroutine<T>): T {
  let next = asking.next()
  while (!next.done) next = asking.next(answerOf(ledger, next.value))
  return next.value
}

function answerOf(ledger: Ledger, { name, ask }: LedgerCall): unknown {
  return (ledger[name] as (question: typeof ask) => unknown)(ask)
}
