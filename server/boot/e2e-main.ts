import fs from 'node:fs'
import { removeCluster } from './postgres/cluster'

// The process the browser tests run against: the same one as `npm start`, on a database that is new each time.

const directory = process.env.BERTH_POSTGRES_DIR
if (!directory) throw new Error('e2e-main removes BERTH_POSTGRES_DIR first, so it must be told which.')

if (!process.env.DATABASE_URL) await removeCluster(directory)
await import('./main')
// Some stories write rows behind Berth's back, so they are told where its tables are: on a socket of this machine.
fs.writeFileSync(`${directory}.url`, process.env.DATABASE_URL ?? '')
