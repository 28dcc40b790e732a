// Messages between the reshape kill test and its server processes.

/** By this name its backends are known to who cuts them. */
export const BACKEND = 'berth reshape'

export interface ReshapeOrders {
  readonly databaseUrl: string
  /** Kills itself before (odd) or after (even) a commit, counted from 1; null: only when others do it. */
  readonly dieAtCommit: number | null
}

export type ReshapeSays =
  | { readonly is: 'ready' | 'serving' }
  /** A round failed, and the next one follows. */
  | { readonly is: 'failed'; readonly what: string }
