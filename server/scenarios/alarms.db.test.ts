import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../boot/test-database'
import { listDeliveries } from '../store/alarm/delivery'
import { connectDatabase, type Database } from '../store/database/database'
import { type Berth, start } from '../wiring'

// A complete Berth with the demo fleet, in which one migration does not converge, and a real receiver of its alarms.

const SUBJECT = 'db-01'
const received: string[] = []
const receiver = http.createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => (text += chunk))
  request.on('end', () => {
    const { type, data } = JSON.parse(text)
    received.push(`${type} ${data.kind} ${data.name}`)
    response.writeHead(204).end()
  })
})

let fresh: FreshDatabase
let database: Database
let berth: Berth

beforeAll(async () => {
  fresh = await freshDatabase()
  database = connectDatabase({ url: fresh.url })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const settings = { BERTH_ALARM_WEBHOOK_URL: url, BERTH_ALARM_WEBHOOK_SECRET: 'x'.repeat(40) }
  for (const [name, value] of Object.entries({ BERTH_DEMO: '', BERTH_LOG: 'silent', ...settings }))
    vi.stubEnv(name, value)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await berth?.stop()
  await database?.close()
  await fresh?.drop()
  receiver.closeAllConnections()
  receiver.close()
})

const open = async () => {
  berth = await start({ databaseUrl: fresh.url, log: () => {}, taskSpeed: 5 })
}
const raised = () => received.filter((line) => line === `berth.alarm.raised migration-not-converging ${SUBJECT}`)

/** Waits until a round of the task that begins after now has ended. */
async function rounds(): Promise<void> {
  const now = await database.pool.query<{ at: Date }>('select now() as at')
  await expect
    .poll(async () => {
      const { rows } = await database.pool.query<{ done: boolean }>(
        "select began_at > $1 and ended_at > began_at as done from lease where name = 'alarms'",
        [now.rows[0]?.at],
      )
      return rows[0]?.done
    })
    .toBe(true)
}

test('the alarm of a migration that does not converge is sent once, even across a restart', async () => {
  await open()
  await expect.poll(raised).toHaveLength(1)
  await rounds()
  await berth.stop()
  await open()
  await rounds()
  await rounds()
  expect(raised()).toHaveLength(1)
  const deliveries = await listDeliveries(database, 100)
  expect(deliveries.filter(({ sentAt }) => sentAt === null)).toEqual([])
  expect(
    deliveries.filter(({ name, event }) => name === SUBJECT && event === 'raised').map(({ attempts }) => attempts),
  ).toContain(1)
})
