import { beforeAll, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { METRICS_TOKEN, openTestApi } from '../testing/api'
import { metricsHandler } from './handler'

/** Shorter than a scraper's timeout, and longer than a scrape of a healthy database takes. */
const LIMIT_MS = 1_000

const api = onFreshDatabase(openTestApi)
beforeAll(async () => {
  handler = metricsHandler(api.services, LIMIT_MS)
})

let handler: (request: Request) => Promise<Response>
const scrape = (headers: Record<string, string> = { authorization: `Bearer ${METRICS_TOKEN}` }) =>
  handler(new Request('http://berth.test/metrics', { headers: { host: 'berth.test', ...headers } }))

/** Reads of these block until the test ends, as with a frozen database. */
async function whileLocked(tables: readonly string[], work: () => Promise<void>): Promise<void> {
  const client = await api.database.pool.connect()
  try {
    await client.query(`begin; lock table ${tables.join(', ')} in access exclusive mode`)
    await work()
  } finally {
    await client.query('rollback')
    client.release()
  }
}

describe('while the database does not answer', () => {
  test('a scrape returns what the process knows, reports the outage, and repeats no old values', async () => {
    const before = await (await scrape()).text()
    expect(before).toContain('berth_database_up 1')
    expect(before).toMatch(/^berth_claims{/m)
    await whileLocked(['migration'], async () => {
      const answer = await scrape()
      expect(answer.status).toBe(200)
      const text = await answer.text()
      expect(text).toContain('berth_database_up 0')
      expect(text).toContain('berth_nodejs_eventloop_lag_max_seconds')
      expect(text).not.toMatch(/^berth_(claims|findings|health_ok|relay_backlog)/m)
    })
    await expect.poll(async () => (await scrape()).text()).toContain('berth_database_up 1')
    expect(await (await scrape()).text()).toMatch(/^berth_claims{/m)
  })

  test('fifty scrapes hold no more connections than one', async () => {
    await whileLocked(['migration'], async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => scrape()))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(api.database.pool.waitingCount).toBe(0)
    })
  })

  test('a scrape with a session gets 503, because the session cannot be read', async () => {
    await whileLocked(['auth_session'], async () => {
      expect((await scrape({ cookie: api.cookie('viewer') })).status).toBe(503)
    })
    await expect.poll(async () => (await scrape({ cookie: api.cookie('viewer') })).status).toBe(200)
  })
})
