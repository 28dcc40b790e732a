// Messages between the clock storm and its server processes.

export interface ClockOrders {
  readonly databaseUrl: string
  /** Offset of the server's wall clock. */
  readonly aheadMs: number
  /** Milliseconds of the server's clocks per real millisecond: wall clock and monotonic clock. */
  readonly rate: number
  readonly taskSpeed: number
}

export type ClockMessage =
  | { readonly is: 'ready' }
  | { readonly is: 'serving' }
  | { readonly is: 'failed'; readonly what: string }
