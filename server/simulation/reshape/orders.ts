// Constants and messages that the reshape kill test shares with its server processes.

/** The `application_name` that identifies the backends to cut. */
export const BACKEND = 'berth reshape'

export interface ReshapeOrders {
  readonly databaseUrl: string
  /** Kills itself before (odd) or after (even) a commit, counted from 1; null: only others kill it. */
  readonly dieAtCommit: number | null
}
