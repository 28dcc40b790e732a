import { beforeAll, beforeEach } from 'vitest'
import { type FreshDatabase, freshDatabase } from './test-database'

/**
 * What the tests of a file work on: opened on a database of its own before the first (or, with `each`, before every one),
 * closed after the last. It is empty until then, so a file may name it and take it apart only inside of tests and hooks.
 *
 * @example
 * const database = onFreshDatabase(connectDatabase)
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
