/** Matches the interval at which a cloud may be read, so that a shown age is the cloud's, not the screen's. */
export const CLOUD_REFETCH_MS = 10_000
