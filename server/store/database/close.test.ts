import { expect, test } from 'vitest'
import { freshDatabase } from '../../boot/test-database'
import { connectDatabase, type Database } from './database'

// A connection that stays open keeps a command alive, and a place on the server taken.

const USES: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  'its pool': ({ pool }) => pool.query('select 1'),
  Prisma: ({ prisma }) => prisma.host.count(),
  'its pool and Prisma': ({ pool, prisma }) => Promise.all([pool.query('select 1'), prisma.host.count()]),
  nothing: async () => {},
}

test.each(Object.keys(USES))('a database that was used by %s has no connection once it is closed', async (user) => {
  const { url, drop } = await freshDatabase()
  const [watching, closed] = [connectDatabase({ url }), connectDatabase({ url })]
  try {
    await watching.pool.query('select 1')
    await USES[user]?.(closed)
    await Promise.all([closed.close(), closed.close()])
    expect(closed.pool.totalCount).toBe(0)
    const others = 'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
    await expect.poll(async () => (await watching.pool.query(others)).rowCount).toBe(0)
  } finally {
    await watching.close()
    await drop()
  }
})
