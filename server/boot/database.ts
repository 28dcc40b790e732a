import path from 'node:path'
import { startCluster } from './postgres/cluster'

const DATABASE = 'berth'
const DIRECTORY = path.join(import.meta.dirname, '../../.data/postgres')

/** The database Berth keeps its records in. */
export interface Database {
  readonly url: string
  /** True when a server was running already, so that somebody else needs it. */
  readonly shared: boolean
  /** For the log: where it is and how it came up. */
  readonly origin: string
  stop(): Promise<void>
}

/**
 * Opens the operator's own PostgreSQL when DATABASE_URL names one, and otherwise the embedded one, whose files are in
 * BERTH_POSTGRES_DIR (default `.data/postgres`).
 */
export async function openDatabase(): Promise<Database> {
  const own = process.env.DATABASE_URL
  if (own) return { url: own, shared: true, origin: 'DATABASE_URL', stop: async () => {} }
  const cluster = await startCluster({ directory: process.env.BERTH_POSTGRES_DIR || DIRECTORY })
  return {
    url: await cluster.ensureDatabase(DATABASE),
    shared: cluster.adopted,
    origin: cluster.adopted ? 'embedded PostgreSQL, running already' : 'embedded PostgreSQL, started',
    stop: cluster.stop,
  }
}
