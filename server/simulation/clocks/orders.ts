// Messages between the clock storm and its server processes.

export interface ClockOrders {
  readonly databaseUrl: string
  /** Offset of its machine's clock. */
  readonly aheadMs: number
  /** Its ms per real ms, for both the wall clock and the monotonic clock. */
  readonly rate: number
  readonly taskSpeed: number
}

export type ClockSays =
  | { readonly is: 'ready' }
  | { readonly is: 'serving' }
  | { readonly is: 'failed'; readonly what: string }
