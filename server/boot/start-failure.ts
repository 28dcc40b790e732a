import { SettingsError } from './settings'

// Why a start failed, in words for the operator who has to correct it. Whatever else fails is a bug and keeps its stack.

interface SystemError {
  readonly code?: unknown
  readonly syscall?: unknown
  readonly address?: unknown
  readonly port?: unknown
  readonly message?: unknown
}

/** Of the database's refusals: no such user, wrong password, no such database, no right to connect, no free connection. */
const REFUSED: ReadonlySet<unknown> = new Set(['28000', '28P01', '3D000', '42501', '53300', '57P03'])

const LISTENING: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use. Stop the program that uses it, or set PORT or BERTH_PLACEMENT_PORT',
  EACCES: 'may not be used by this account. Set PORT or BERTH_PLACEMENT_PORT to 1024 or more',
  EADDRNOTAVAIL: 'is no address of this machine. Set HOST',
}

/** Null for a bug. */
export function startFailure(error: unknown): string | null {
  if (error instanceof SettingsError) return error.message
  const { code, syscall, address, port } = firstOf(error)
  const how = syscall === 'listen' ? LISTENING[String(code)] : undefined
  if (how) return `Berth does not start: port ${port} of ${address} ${how}.`
  const why = databaseFailure(error)
  return why && `Berth does not start. ${why}`
}

/** Why no connection to the database could be made; null for any other error. */
export function databaseFailure(error: unknown): string | null {
  const { code, syscall, message } = firstOf(error)
  if (syscall !== 'connect' && syscall !== 'getaddrinfo' && !REFUSED.has(code)) return null
  return `The database does not accept a connection (${message || code}). Check DATABASE_URL, and that PostgreSQL runs there.`
}

/** A name with several addresses has one error for each. */
function firstOf(error: unknown): SystemError {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  return (first ?? {}) as SystemError
}
