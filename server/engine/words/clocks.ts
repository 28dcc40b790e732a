/** Clocks of servers may differ by less, in ms. A time further ahead was written before the clock was set back. */
export const CLOCKS_DIFFER_MS = 10_000
