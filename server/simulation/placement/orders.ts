// Messages between a run of several Placement API copies and its server processes.

export interface CopyOrders {
  readonly databaseUrl: string
}

export type CopyMessage =
  | { readonly is: 'ready' }
  | { readonly is: 'serving'; readonly port: number }
  /** A request ended in a fault. */
  | { readonly is: 'failed'; readonly what: string }
