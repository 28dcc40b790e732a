// Whose a consumer is, and with it all that it holds.

/** How the writer of a consumer over the Placement API identified itself. */
export const CLIENT_KINDS = ['token', 'keystone', 'noauth', 'unknown'] as const

/** A client of the Placement API. `unknown`: it wrote before owners were kept, or the row was written by hand. */
export interface Client {
  readonly kind: (typeof CLIENT_KINDS)[number]
  /** Of the API token, or the user. */
  readonly id: string
  readonly name: string
}

/** The owner of a consumer that is not Berth's: a write replaces all that it holds, so the last writer. */
export interface Owner extends Client {
  /** When it wrote last, in ms since the epoch; null when unknown. */
  readonly at: number | null
  /** Id of the request that wrote. */
  readonly request: string | null
}

const KINDS = { token: 'API token', keystone: 'Keystone user', noauth: 'client' } as const

/** `API token nova`. */
export const ownerName = ({ kind, name }: Client): string =>
  kind === 'unknown' ? 'a Placement client (owner not recorded)' : `${KINDS[kind]} ${name}`
