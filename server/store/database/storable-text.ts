/**
 * A text of a machine as PostgreSQL can store it, in one line: no NUL and other control characters, and no half of a
 * surrogate pair, as at the end of a text that was cut. Stored as it came, it would fail the whole statement.
 */
export const storableText = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
