/**
 * Whether a row violates a constraint of its table. PostgreSQL checks all of them at every write, so a row that was
 * invalid before a constraint existed cannot be updated even in other columns: bulk writers must skip it.
 */
export const isCheckViolation = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '23514'
