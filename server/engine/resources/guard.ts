import type { ProviderId } from '../words/ids'
import type { Provider } from './inventory'

// What a decision relied on. A generation counts writes and does not say whose they were: when a write that memory
// expects is not committed, another server's may raise the provider to the same generation.

/** The identity of a write that memory expects to be committed. */
export interface PendingWrite {
  /** It was not committed, or not as expected. */
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
