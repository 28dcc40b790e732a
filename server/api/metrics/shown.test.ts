import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { putHost } from '../../store/testing/records'
import { METRICS_TOKEN, openTestApi } from '../testing/api'

// Checks that `/metrics` provides what the dashboard and the rules of deploy/ query.

const api = onFreshDatabase(openTestApi)

async function metrics(): Promise<ReadonlySet<string>> {
  await putHost(api.database, smallHost())
  await api.settle()
  const headers = { host: 'berth.test', authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await api.endpoints.metrics(new Request('http://berth.test/metrics', { headers }))).text()
  return new Set([...text.matchAll(/^# TYPE (\S+)/gm)].flatMap(([, name]) => name ?? []))
}

test.each(['deploy/prometheus/berth.rules.yml', 'deploy/grafana/berth.json'])(
  '%s uses only metrics that exist',
  async (file) => {
    const there = await metrics()
    const named = new Set(fs.readFileSync(file, 'utf8').match(/\bberth_[a-z0-9_]+/g))
    expect(named.size).toBeGreaterThan(4)
    expect([...named].filter((name) => !there.has(name))).toEqual([])
  },
)

test('every panel of the dashboard has a position of its own and a query', () => {
  const { panels } = JSON.parse(fs.readFileSync('deploy/grafana/berth.json', 'utf8'))
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }: { gridPos: Record<'x' | 'y' | 'w' | 'h', number> }) =>
    Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  for (const { targets } of panels) expect(targets.length).toBeGreaterThan(0)
})

const promtool = spawnSync('promtool', ['--version']).status === 0

// Few test machines have Prometheus; where it exists, it validates its own language.
test.runIf(promtool)('promtool accepts the rules', () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', 'deploy/prometheus/berth.rules.yml'])
  expect(status, `${stdout}${stderr}`).toBe(0)
})
