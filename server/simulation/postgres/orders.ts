// Messages from the simulation on PostgreSQL to its server processes.

export interface ServerOrders {
  readonly do: 'serve'
  readonly databaseUrl: string
  readonly owner: string
  /** The clock all processes of one run share. */
  readonly since: number
  readonly speed: number
  readonly simulatorSpeed: number
  /** Kills itself at the nth point before or after a driver operation or commit; null: only others kill it. */
  readonly dieAtPoint: number | null
}

export type Orders =
  | ServerOrders
  /** Cancels `dieAtPoint`. */
  | { readonly do: 'live' }
  /** Stops cleanly, as on SIGTERM. */
  | { readonly do: 'leave' }
