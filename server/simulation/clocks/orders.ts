// What the clock storm and its server processes say to each other.

export interface ClockOrders {
  readonly databaseUrl: string
  /** How wrong the clock of its machine is. */
  readonly aheadMs: number
  /** Its ms in one of ours, of the wall clock and of the monotonic one. */
  readonly rate: number
  readonly taskSpeed: number
}

export type ClockSays =
  | { readonly is: 'ready' }
  | { readonly is: 'serving' }
  | { readonly is: 'failed'; readonly what: string }
