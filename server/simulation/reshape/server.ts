import { rolloutRound } from '../../conductor/rollout'
import { commit } from '../../store/commit/commit'
import { connectDatabase, type Database } from '../../store/database/database'
import { serveOrders } from '../serve-orders'
import { BACKEND, type ReshapeOrders } from './orders'

// A server that only runs rollouts, in a process meant to be killed.

const CONNECTIONS = 2

serveOrders(async ({ databaseUrl, dieAtCommit }: ReshapeOrders, say) => {
  const url = new URL(databaseUrl)
  url.searchParams.set('application_name', BACKEND)
  const database = connectDatabase({ url: url.href, connections: CONNECTIONS })
  let commits = 0
  const point = () => {
    commits += 1
    if (commits === dieAtCommit) process.kill(process.pid, 'SIGKILL')
  }
  say({ is: 'serving' })
  // A cut connection fails a round, as in the periodic task; the next one follows.
  const fail = (error: unknown) => {
    say({ is: 'failed', what: String(error) })
    return false
  }
  while (!(await carried(database, point).catch(fail)));
  await database.close()
  process.exit(0)
})

/** Runs one round; returns false if there is more to do. */
async function carried(database: Database, point: () => void): Promise<boolean> {
  const rollout = await rolloutRound({
    database,
    now: Date.now,
    commit: async (change) => {
      point()
      const answer = await commit(database, change)
      point()
      return answer
    },
  })
  return rollout === null || rollout.state !== 'running'
}
