/** As often as a survey asks a host: no event reports that it stopped answering, or answers again. */
export const ASKED_EVERY_MS = 60_000
