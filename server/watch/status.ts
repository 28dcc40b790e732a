/** How a cloud is watched at present. Times are ms since the epoch by the clock of the database. */
export interface CloudStatus {
  /** When it was written. */
  readonly at: number
  /** The last poll that read everything it requested; null before the first. */
  readonly reachedAt: number | null
  /** Why the last poll failed; null when it did not. */
  readonly error: string | null
  /** The remedy. */
  readonly fix: string | null
  readonly requestsPerS: number
  /** How long the last poll and its audit took. */
  readonly pollMs: number
  readonly auditMs: number
  readonly counts: CloudCounts | null
  /** Null: the server has no setting for it. */
  readonly notifications: NotificationStatus | null
}

export interface NotificationStatus {
  /** Null: none since it began to listen. */
  readonly receivedAt: number | null
  /** Why none can be received; null while it listens. */
  readonly failure: string | null
}

export interface CloudCounts {
  readonly hosts: number
  readonly instances: number
  readonly migrating: number
  /** Open findings; after a restart or a clock step those known before, until an audit could find all of them again. */
  readonly critical: number
  readonly warning: number
  readonly info: number
}
