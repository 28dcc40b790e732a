/** The survey interval: no event reports that a host stopped answering or answers again. */
export const HOST_REFETCH_MS = 60_000
