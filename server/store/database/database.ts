import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from '../../../generated/prisma/client'
import { tracedQuery } from '../../trace/trace'
import { JsonCall } from './json-call'

/** One pool for handwritten statements and for Prisma. Created in wiring and passed to its users. */
export interface Database {
  readonly url: string
  readonly pool: pg.Pool
  readonly prisma: PrismaClient
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly url: string
  readonly connections?: number
  readonly limits?: Limits
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onLost?: (error: Error) => void
}

interface Limits {
  /** A database that takes longer is a fault, not a wait. */
  readonly connectMs: number
  /** No statement of ours may hold locks longer. */
  readonly statementMs: number
  /** The database would have answered by then, so the connection is dead. */
  readonly answerMs: number
}

const DEFAULT_LIMITS: Limits = { connectMs: 10_000, statementMs: 60_000, answerMs: 65_000 }
const ALIVE_MS = 10_000 // for idle connections: a machine that lost power does not close them
const IDLE_MS = 600_000 // a new connection costs 20 ms of CPU and all its plans, and ten seconds pass between two peaks
const WORK_MEMORY = '16MB' // lists of a whole fleet are joined and sorted in memory; PostgreSQL's own 4 MB sends them to disk

export function connectDatabase({ url, connections = 10, limits = DEFAULT_LIMITS, onLost }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    Client: ErrorHandlingClient,
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    query_timeout: limits.answerMs,
    ...{ keepAlive: true, keepAliveInitialDelayMillis: ALIVE_MS, idleTimeoutMillis: IDLE_MS },
    options: `-c work_mem=${WORK_MEMORY}`,
  })
  pool.query = tracing(keepingConnections(pool))
  pool.on('error', onLost ?? (() => {}))
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) })
  let closing: Promise<void> | undefined
  // Prisma ends the pool only if it was used.
  const close = async () => {
    await prisma.$disconnect()
    if (!pool.ending) await pool.end()
  }
  return { url, pool, prisma, close: () => (closing ??= close()) }
}

/**
 * The pool handles errors of idle connections, and a statement those of its own. A connection checked out for a
 * transaction has no handler between two statements, and an unhandled error ends the process.
 */
class ErrorHandlingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on('error', () => {}) // the next statement on it rejects, and it does not go back to the pool
  }
}

// Errors after which a connection is unusable: its server is lost, demoted, out of resources, shutting down or broken,
// or its prepared statements are invalid, after a schema change (0A000) or behind a pooler that swaps servers.
const ENDS_CONNECTION = /^(08|0A000|25006|25P03|26000|42P05|53|57P|58|XX)/

/** True when the connection must not return to the pool. A refused statement leaves its connection usable. */
export const endsConnection = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || ENDS_CONNECTION.test(error.code ?? '')

/** node-postgres discards a connection after every error, and a new one costs 20 ms of CPU and all its plans. */
const keepingConnections = (pool: pg.Pool) =>
  (async (...args: Parameters<pg.PoolClient['query']>) => {
    const client = await pool.connect()
    let isBroken = false
    try {
      const sent: unknown = client.query(...args)
      return await (sent instanceof JsonCall ? sent.answer : sent)
    } catch (error) {
      isBroken = endsConnection(error)
      throw error
    } finally {
      client.release(isBroken)
    }
  }) as unknown as pg.Pool['query']

/** All callers await a promise; a statement is identified by its name, or by its first word. */
function tracing(query: pg.Pool['query']): pg.Pool['query'] {
  const ask = query as (...args: unknown[]) => Promise<unknown>
  return ((...args: unknown[]) =>
    tracedQuery(
      () => summaryOf(args[0]),
      () => ask(...args),
    )) as pg.Pool['query']
}

function summaryOf(query: unknown): string {
  const { name, text } = (typeof query === 'string' ? { text: query } : query) as { name?: string; text?: string }
  return name ?? /\w+/.exec(text ?? '')?.[0]?.toUpperCase() ?? 'SQL'
}
