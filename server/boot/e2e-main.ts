import fs from 'node:fs'
import { removeCluster } from './postgres/cluster'

// The process the browser tests run against: the same as `npm start`, on a new database each time.

const directory = process.env.BERTH_POSTGRES_DIR
if (!directory) throw new Error('e2e-main removes BERTH_POSTGRES_DIR first, so it must be told which.')

if (!process.env.DATABASE_URL) await removeCluster(directory)
await import('./main')
// Some scenarios write rows without going through Berth, so they need the address of its tables: a socket on this
// machine.
fs.writeFileSync(`${directory}.url`, process.env.DATABASE_URL ?? '')
