// Messages between the failover storm and its server processes.

export interface ServerOrders {
  readonly databaseUrl: string
  readonly replicaUrl: string
  /** Simulated hypervisors are in a separate database, which does not fail over with the records. */
  readonly simulatorUrl: string
}

export type ServerMessage =
  | { readonly is: 'ready' }
  | { readonly is: 'serving'; readonly api: number; readonly placement: number }
  | { readonly is: 'failed'; readonly what: string }
