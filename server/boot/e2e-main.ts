import { removeCluster } from './postgres/cluster'

// The process the browser tests run against: the same one as `npm start`, on a database that is new each time.

const directory = process.env.BERTH_POSTGRES_DIR
if (!directory) throw new Error('e2e-main removes BERTH_POSTGRES_DIR first, so it must be told which.')

if (!process.env.DATABASE_URL) await removeCluster(directory)
await import('./main')
