// Faults are failures of the environment: the database, the network. Libraries' error codes distinguish them from bugs,
// because neither pg nor Prisma has one class for "not your fault".

// PostgreSQL classes: connection exception, insufficient resources, operator intervention, system error; rollbacks
// (deadlock, serialization), which a retry usually passes; and a server that was demoted to read-only.
const PG_CLASSES = /^(08...|53...|57...|58...|40...|25006)$/
const CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT', 'ENOTFOUND', 'EHOSTUNREACH'])
const PRISMA_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037'])
const MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/

export function isFault(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code, name } = at as Error & { code?: unknown }
    if (name === 'Fault' || MESSAGES.test(at.message)) return true
    if (typeof code !== 'string') continue
    if (CODES.has(code) || PRISMA_CODES.has(code) || PG_CLASSES.test(code)) return true
  }
  return false
}
