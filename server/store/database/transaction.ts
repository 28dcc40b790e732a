import pg from 'pg'
import { tracedQuery } from '../../trace/trace'
import type { Database } from './database'

const READ_ONLY = '25006' // the server was demoted; another connection may reach the primary

/** Several statements on one connection, all or nothing. Decisions do not use this: they are one statement each. */
export const inTransaction = <T>(database: Database, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  tracedQuery(
    () => 'TRANSACTION',
    () => allOrNothing(database, work),
  )

async function allOrNothing<T>(database: Database, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await database.pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const answer = await work(client)
    await client.query('commit')
    return answer
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === READ_ONLY) broken = error
    // A connection that cannot even roll back must not go back to the pool.
    await client.query('rollback').catch((worse: Error) => {
      broken = worse
    })
    throw error
  } finally {
    client.release(broken)
  }
}
