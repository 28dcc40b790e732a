/**
 * Whether a row breaks a rule of its table. PostgreSQL asks all of them at every write, so a row that was bad before a
 * rule was there cannot be written even where it is right: whoever writes many rows at once has to step over it.
 */
export const isCheckViolation = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '23514'
