import path from 'node:path'
import { startCluster } from './postgres/cluster'

const DATABASE = 'berth'
const DIRECTORY = path.join(import.meta.dirname, '../../.data/postgres')

/** The database Berth keeps its records in. */
export interface Database {
  readonly url: string
  /** True when a server was already running, so that another process needs it. */
  readonly shared: boolean
  /** For the log: its address and how it was started. */
  readonly origin: string
  stop(): Promise<void>
}

/**
 * Opens the operator's PostgreSQL when DATABASE_URL names one, otherwise the embedded one with its files in
 * BERTH_POSTGRES_DIR (default `.data/postgres`). `starting` is called while PostgreSQL starts in its own processes.
 */
export async function openDatabase(starting?: () => void): Promise<Database> {
  const own = process.env.DATABASE_URL
  if (own) return { url: own, shared: true, origin: 'DATABASE_URL', stop: async () => {} }
  const cluster = await startCluster({ directory: process.env.BERTH_POSTGRES_DIR || DIRECTORY, starting })
  return {
    url: await cluster.ensureDatabase(DATABASE),
    shared: cluster.adopted,
    origin: cluster.adopted ? 'embedded PostgreSQL, running already' : 'embedded PostgreSQL, started',
    stop: cluster.stop,
  }
}
