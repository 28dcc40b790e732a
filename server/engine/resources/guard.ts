import type { ProviderId } from '../words/ids'
import type { Provider } from './inventory'

// Preconditions of a decision. A generation counts writes of all servers: when a write that the projection expects is
// not committed, another server's write may raise the provider to the same generation.

/** The identity of a write that the projection expects to be committed. */
export interface PendingWrite {
  /** The write was not committed, or not as expected. */
  readonly isLost: boolean
}

/** Generation a decision relied on; the store checks it after taking the row lock. */
export interface ProviderGuard {
  readonly provider: ProviderId
  readonly generation: number
  /** The write that the generation is expected from; absent when the provider is as in the tables. */
  readonly pending?: PendingWrite
}

export const guardOf = ({ id, generation, pending }: Provider): ProviderGuard => ({
  provider: id,
  generation,
  ...(pending && { pending }),
})
