// What a run of several copies of the Placement API and its server processes say to each other.

export interface CopyOrders {
  readonly databaseUrl: string
}

export type CopySays =
  | { readonly is: 'ready' }
  | { readonly is: 'serving'; readonly port: number }
  /** A request ended in a fault. */
  | { readonly is: 'failed'; readonly what: string }
