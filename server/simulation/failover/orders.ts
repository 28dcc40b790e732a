// What the failover storm and its server processes tell each other.

export interface ServerOrders {
  readonly databaseUrl: string
  readonly replicaUrl: string
  /** Simulated hypervisors are in a separate database, which does not fail over with the records. */
  readonly simulatorUrl: string
}

export interface ServingPorts {
  readonly api: number
  readonly placement: number
}
