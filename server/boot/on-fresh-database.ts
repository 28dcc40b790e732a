import pg from 'pg'
import { beforeAll, beforeEach } from 'vitest'
import { type FreshDatabase, freshDatabase } from './test-database'

/**
 * What the tests of a file use: opened on its own database before the first test (or, with `each`, before every one),
 * closed after the last. It is empty until then, so use and destructure it only inside tests and hooks.
 *
 * @example const database = onFreshDatabase(connectDatabase)
 */
export function onFreshDatabase<Opened extends { close(): Promise<void> }>(
  open: (fresh: FreshDatabase) => Opened | Promise<Opened>,
  { each = false } = {},
): Opened {
  const opened = {} as Opened
  const before = each ? beforeEach : beforeAll
  before(async () => {
    const fresh = await freshDatabase()
    const { close } = Object.assign(opened, await open(fresh))
    return async () => {
      await close()
      await fresh.drop()
    }
  })
  return opened
}

/** For tests of the database itself, without the store. */
export async function openClient({ url }: FreshDatabase) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return { url, client, close: () => client.end() }
}
