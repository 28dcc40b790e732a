import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { METRICS_TOKEN, openTestApi } from '../testing/api'

const api = onFreshDatabase(openTestApi)

const attention = async () => (await api.as('viewer').overview.get()).attention.filter(({ kind }) => kind === 'health')
const metrics = async () => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  return (await api.endpoints.metrics(new Request('http://berth.test/metrics', { headers }))).text()
}

test('a failing health check appears under attention and in a gauge, until it passes', async () => {
  expect(await attention()).toEqual([])
  expect(await metrics()).toContain('berth_health_ok{check="relay"} 1')
  await api.database.pool.query('delete from relay')
  await api.database.pool.query(
    `insert into server_session (owner, started_at, seen_at, clock_offset_ms)
     values ('off', clock_timestamp(), clock_timestamp(), -7200000)`,
  )
  expect(await attention()).toMatchObject([{ check: 'relay' }, { check: 'clock' }])
  expect((await attention())[1]?.why).toContain('server off is 2 h behind')
  const text = await metrics()
  expect(text).toContain('berth_health_ok{check="relay"} 0')
  expect(text).toContain('berth_health_ok{check="audit"} 1')
  expect(text).toContain('berth_clock_offset_seconds -7200')
  await api.settle()
  expect(await attention()).toMatchObject([{ check: 'clock' }])
})
