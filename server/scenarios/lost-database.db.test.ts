import { expect, test } from 'vitest'
import { freshDatabase } from '../boot/test-database'
import { start } from '../wiring'

// Whatever stops a machine or a container sends the server and its database the signal to stop at the same time.

test('a server whose database stops first ends its requests and stops without a failure', async () => {
  process.env.BERTH_DEMO = 'no'
  process.env.BERTH_LOG = 'silent'
  const fresh = await freshDatabase()
  const berth = await start({ databaseUrl: fresh.url, log: () => {} })
  await fresh.drop()
  await expect(berth.quiesce()).resolves.toBeUndefined()
  await expect(berth.stop()).resolves.toBeUndefined()
})
