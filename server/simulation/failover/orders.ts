// Messages between the failover simulation and its server processes.

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
