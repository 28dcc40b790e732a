/**
 * Whether a row violates a constraint of its table. PostgreSQL checks all of them at every write, so a row that was
 * invalid before a constraint existed cannot be updated even in other columns: bulk writers must skip it.
 */
export const isCheckViolation = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '23514'

/** Whether a value does not fit its column, such as a text with NUL or a uuid that is none: class 22 of SQLSTATE. */
export const isDataException = (error: unknown): boolean =>
  String((error as { code?: unknown } | null)?.code ?? '').startsWith('22')
