import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ALARM_KINDS, ALARMS, type AlarmFacts, alarmsOf, OUTSIDE } from './alarms'
import { prometheusRules } from './rules'

const NOTHING: AlarmFacts = {
  ...{ silent: [], down: [], overdue: [], notConverging: [], blocked: [], critical: [], clouds: [], checks: [] },
}
const host = { id: 'h', name: 'h-07' }
const failing = (name: AlarmFacts['checks'][number]['name']) => ({ name, ok: false, why: `${name} fails.` })

test.each<[string, Partial<AlarmFacts>, readonly string[]]>([
  ['no problem', {}, []],
  ['a silent host', { silent: [host] }, ['critical host-silent h: Host h-07 does not answer.']],
  [
    'two silent hosts',
    { silent: [host, { id: 'i', name: 'h-08' }] },
    ['critical host-silent h', 'critical host-silent i'],
  ],
  [
    'a host recorded down',
    { down: [host] },
    ['critical host-down h: Host h-07 is recorded down: its instances may still run.'],
  ],
  ['a blocked migration', { blocked: [host] }, ['critical migration-blocked h: The migration of h-07 is blocked']],
  [
    'critical findings of a cloud, and none of another',
    {
      clouds: [
        { ...host, critical: 1 },
        { id: 'd', name: 'lab', critical: 0 },
      ],
    },
    ['critical cloud-finding-critical h: Cloud h-07 has 1 open critical finding.'],
  ],
  ['an overdue migration', { overdue: [host] }, ['warning migration-overdue h']],
  ['a migration that does not converge', { notConverging: [host] }, ['warning migration-not-converging h']],
  [
    'critical findings',
    { critical: [{ kind: 'unit-held-twice', count: 2 }] },
    ['critical finding-critical unit-held-twice: The audit has 2 open critical findings: held twice.'],
  ],
  ['passing checks', { checks: [{ name: 'tasks', ok: true, why: null }] }, []],
  ['a late task', { checks: [failing('tasks')] }, ['critical task-silent tasks: tasks fails.']],
  [
    'failing checks of relay and outbox',
    { checks: [failing('relay'), failing('outbox')] },
    ['critical events-stuck relay', 'critical events-stuck outbox'],
  ],
  ['a late audit', { checks: [failing('audit')] }, ['warning audit-late audit']],
  ['a late survey', { checks: [failing('survey')] }, ['warning survey-incomplete survey']],
  [
    'failing checks of leases and clocks',
    { checks: [failing('leases'), failing('clock')] },
    ['warning clock-wrong leases', 'warning clock-wrong clock'],
  ],
])('alarmsOf with %s', (_title, facts, expected) => {
  const raised = alarmsOf({ ...NOTHING, ...facts }).map(
    ({ severity, kind, id, says }) => `${severity} ${kind} ${id}: ${says}`,
  )
  expect(raised).toHaveLength(expected.length)
  expected.forEach((start, n) => {
    expect(raised[n]).toMatch(new RegExp(`^${start}`))
  })
})

describe('each alarm', () => {
  const all = [...ALARM_KINDS, ...Object.keys(OUTSIDE)]

  test.each(all)('%s has a runbook with steps', (kind) => {
    const text = fs.readFileSync(`docs/runbooks/${kind}.md`, 'utf8')
    expect(text).toContain(`Alarm \`${kind}\`.`)
    expect(text).toMatch(/^1\. /m)
  })

  test('has the only runbooks that exist', () => {
    expect(fs.readdirSync('docs/runbooks').sort()).toEqual(all.map((kind) => `${kind}.md`).sort())
  })

  test('has a rule in the Prometheus file', () => {
    expect(fs.readFileSync('deploy/prometheus/berth.rules.yml', 'utf8')).toBe(prometheusRules())
    expect(new Set(Object.values(ALARMS).map(({ title }) => title)).size).toBe(ALARM_KINDS.length)
  })
})
