import pg from 'pg'
import { tracedQuery } from '../../trace/trace'
import { type Database, endsConnection } from './database'

/** Several statements on one connection, all or nothing. Decisions do not use this: they are one statement each. */
export const inTransaction = <T>(database: Database, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  tracedQuery(
    () => 'TRANSACTION',
    () => allOrNothing(database, work),
  )

async function allOrNothing<T>(database: Database, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await database.pool.connect()
  let isBroken = false
  try {
    await client.query('begin')
    const answer = await work(client)
    await client.query('commit')
    return answer
  } catch (error) {
    // The failure may lie in the work alone; only a connection that cannot roll back must not return to the pool.
    isBroken = error instanceof pg.DatabaseError && endsConnection(error)
    await client.query('rollback').catch(() => {
      isBroken = true
    })
    throw error
  } finally {
    client.release(isBroken)
  }
}
