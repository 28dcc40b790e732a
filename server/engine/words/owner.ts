// The owner of a consumer and its allocations.

/** How the client that wrote a consumer over the Placement API was identified. */
export const CLIENT_KINDS = ['token', 'keystone', 'noauth', 'unknown'] as const

/** A client of the Placement API. `unknown`: it wrote before owners were recorded, or the row was written manually. */
export interface Client {
  readonly kind: (typeof CLIENT_KINDS)[number]
  /** Id of the API token, or of the user. */
  readonly id: string
  readonly name: string
}

/** Owner of a consumer of another client: its last writer, because a write replaces all its allocations. */
export interface Owner extends Client {
  /** When it last wrote, in ms since the epoch; null when unknown. */
  readonly at: number | null
  /** Id of that request. */
  readonly request: string | null
}

/** A consumer of another type declares that it is no instance, and is accepted. */
export const MAY_BE_INSTANCES: readonly string[] = ['INSTANCE', 'MIGRATION', 'unknown']

const KINDS = { token: 'API token', keystone: 'Keystone user', noauth: 'client' } as const

/** `API token nova`. */
export const ownerName = ({ kind, name }: Client): string =>
  kind === 'unknown' ? 'a Placement client (owner not recorded)' : `${KINDS[kind]} ${name}`
