import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '@/server/api/event/router'
import type { QueryPath } from '@/server/api/router'
import { invalidatedBy, isInvalidatedBy } from './invalidation'

const event = (over: Partial<StreamEvent>) => ({
  at: 0,
  seq: '1',
  kind: 'migration.claimed',
  hosts: ['h-1', 'h-2'],
  instance: 'i-1',
  migration: 'm-1',
  ...over,
})

const key = (path: string, input?: Record<string, unknown>) => [path.split('.'), { input, type: 'query' }]

const plan = (instance: string) => key('migrate.plan', { for: 'migrate', instance, host: 'h-2' })

describe('invalidation by an event', () => {
  const claimed = invalidatedBy([event({})])
  const found = invalidatedBy([event({ kind: 'finding.opened', hosts: ['h-1'], migration: null })])
  const stepped = invalidatedBy([event({ kind: 'run.stepped', migration: null })])
  const measured = invalidatedBy([event({ kind: 'instance.memory-measured', hosts: ['h-1'], migration: null })])
  const progress = invalidatedBy([event({ kind: 'migration.progressed' })])

  it.each([
    ['a list of hosts', key('host.list', {}), claimed, true],
    ['the map of a host that it names', key('host.map', { id: 'h-2' }), claimed, true],
    ['the map of another host', key('host.map', { id: 'h-3' }), claimed, false],
    ['the migration that it names', key('migration.byId', { id: 'm-1' }), claimed, true],
    ['another instance', key('instance.byId', { id: 'i-9' }), claimed, false],
    ['events of its host', key('event.list', { host: 'h-1' }), claimed, true],
    ['events of another host', key('event.list', { host: 'h-3' }), claimed, false],
    ['the history times of its host', key('past.changes', { host: 'h-1' }), claimed, true],
    ['the history times of another host', key('past.changes', { host: 'h-3' }), claimed, false],
    ['the history times, after mere progress', key('past.changes', { host: 'h-1' }), progress, false],
    ['the past map of its host', key('past.map', { id: 'h-1', at: 1 }), claimed, false],
    ['the session', key('session.me'), claimed, false],
    ['a map, after mere progress', key('host.map', { id: 'h-1' }), progress, false],
    ['the migration, after mere progress', key('migration.byId', { id: 'm-1' }), progress, true],
    ['findings, after a claim', key('finding.list', {}), claimed, false],
    ['findings, after a new finding', key('finding.list', { kind: ['orphan-claim'] }), found, true],
    ['a repair plan, after a new audit', key('heal.byId', { id: 'p-1' }), found, true],
    ['advice about its migration', key('advice.migration', { id: 'm-1' }), claimed, true],
    ['advice about another migration', key('advice.migration', { id: 'm-9' }), claimed, false],
    ['drift of its host', key('finding.drift', { host: 'h-1' }), claimed, true],
    ['drift of another host', key('finding.drift', { host: 'h-3' }), claimed, false],
    ['a drain, after one of its steps', key('run.byId', { id: 'r-1' }), stepped, true],
    ['the layout of hosts, after a step of a drain', key('layout.list'), stepped, false],
    ['the plan of a migration, after its memory was measured', plan('i-1'), measured, true],
    ['the plan of a build', key('migrate.plan', { for: 'build', host: 'h-1' }), measured, false],
    ['the plan of another instance', plan('i-9'), measured, false],
    ['the plan of a migration, which has a time, after a claim', plan('i-1'), claimed, false],
    ['a query that the console does not know', key('nobody.knows'), claimed, false],
  ])('decides for %s', (_, asked, touched, expected) => {
    expect(isInvalidatedBy(asked, touched)).toBe(expected)
  })
})

// Checked by the compiler: the rules are total over these paths, so a query without a rule does not compile.
describe('QueryPath', () => {
  it('has exactly the queries of the router', () => {
    const known: QueryPath = 'host.list'
    // @ts-expect-error the router has no such query
    const unknown: QueryPath = 'nobody.knows'
    // @ts-expect-error a mutation invalidates nothing by itself
    const mutation: QueryPath = 'migrate.start'
    // @ts-expect-error every query needs its rule
    const rules: Record<QueryPath, boolean> = { 'host.list': true }
    expect([known, unknown, mutation, ...Object.keys(rules)]).toHaveLength(4)
  })
})
