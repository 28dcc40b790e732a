/** What becomes overdue does so by the clock alone: no event tells it. */
export const RECOUNT_MS = 15_000
