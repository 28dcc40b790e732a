import { waveRound } from '../../conductor/layout-waves'
import { commit } from '../../store/commit/commit'
import { connectDatabase, type Database } from '../../store/database/database'
import { BACKEND, type ReshapeMessage, type ReshapeOrders } from './orders'

// A server that only runs rollouts, in a process meant to be killed.

const CONNECTIONS = 2

process.on('message', (orders: ReshapeOrders) => void serve(orders))
process.on('disconnect', () => process.exit(1))
say({ is: 'ready' })

async function serve({ databaseUrl, dieAtCommit }: ReshapeOrders): Promise<void> {
  const url = new URL(databaseUrl)
  url.searchParams.set('application_name', BACKEND)
  const database = connectDatabase({ url: url.href, connections: CONNECTIONS })
  let commits = 0
  const point = () => {
    commits += 1
    if (commits === dieAtCommit) process.kill(process.pid, 'SIGKILL')
  }
  say({ is: 'serving' })
  while (!(await carried(database, point)));
  await database.close()
  process.exit(0)
}

/** Runs one round; returns false if there is more to do. A cut connection fails the round, as in the periodic task. */
async function carried(database: Database, point: () => void): Promise<boolean> {
  try {
    const wave = await waveRound({
      database,
      now: Date.now,
      commit: async (change) => {
        point()
        const answer = await commit(database, change)
        point()
        return answer
      },
    })
    return wave === null || wave.state !== 'running'
  } catch (error) {
    say({ is: 'failed', what: String(error) })
    return false
  }
}

function say(what: ReshapeMessage): void {
  if (process.connected) process.send?.(what)
}
