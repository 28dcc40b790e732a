/** As often as a survey asks a host: no event tells that it fell silent, or answers again. */
export const ASKED_EVERY_MS = 60_000
