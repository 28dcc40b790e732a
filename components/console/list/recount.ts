/** Migrations become overdue by the clock alone: no event reports it. */
export const RECOUNT_MS = 15_000
