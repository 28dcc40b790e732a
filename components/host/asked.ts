/** The survey interval: no event reports that a host stopped answering or answers again. */
export const ASKED_EVERY_MS = 60_000
