import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FindingKind } from '../../engine/audit/finding'
import { kindRow } from '../../engine/audit/kinds'
import type { Migration, WaitReason } from '../../engine/migration/state'
import { smallHost } from '../../engine/testing/hosts'
import type { HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import { namesFrom } from '../names/names'
import { type AttentionItem, attentionOf } from './attention'

// Every stuck, overdue or endless migration is listed exactly once.

const host = (n: number) => `h-${n}` as HostId
const waiting = fc.constantFrom<WaitReason | null>(
  null,
  { for: 'slot', place: 1 },
  { for: 'person' },
  { for: 'retry', why: 'busy' },
  { for: 'host', host: host(1), why: 'no answer' },
  { for: 'host', host: host(2), why: 'no answer' },
)
const one = fc.record({ waiting, overdue: fc.boolean(), notConverging: fc.boolean(), since: fc.nat(1_000) })

test('every migration that needs attention is counted in exactly one item', () => {
  fc.assert(
    fc.property(fc.array(one, { maxLength: 30 }), (drawn) => {
      const all = drawn.map(({ since, ...each }, n) => ({
        ...each,
        // A waiting migration is not running, so its last progress says nothing about now.
        notConverging: each.notConverging && each.waiting === null,
        migration: {
          ...{ id: `m-${n}` as MigrationId, instance: `i-${n}` as InstanceId, step: 'transfer', stepSince: since },
          waiting: each.waiting,
        } as Migration,
      }))
      const of = (key: 'overdue' | 'notConverging') => all.filter((each) => each[key]).map(({ migration }) => migration)
      const items = attentionOf({
        ...{ hosts: [], failed: [], findings: [], notes: new Map(), health: [] },
        active: all.map(({ migration }) => migration),
        slow: { overdue: of('overdue'), notConverging: of('notConverging') },
        names: namesFrom({ hosts: new Map(), instances: new Map(), migrations: new Map() }),
      })
      const stuck = (wait: WaitReason | null) => wait !== null && wait.for !== 'slot'
      const wanted = all.filter(
        ({ overdue, notConverging, ...each }) =>
          stuck(each.waiting) || notConverging || (overdue && each.waiting === null),
      )
      expect(items.reduce((sum, { count }) => sum + count, 0)).toBe(wanted.length)
      for (const kind of new Set(items.map((item) => item.kind)))
        expect(items.filter((item) => item.kind === kind).length).toBeLessThanOrEqual(3)
      for (const { kind, migration, count } of items) {
        if (migration === null) continue
        expect(count).toBe(1)
        const about = all.find((each) => each.migration.id === migration)!
        if (kind === 'not-converging') expect(about.notConverging).toBe(true)
        if (kind === 'overdue') expect(about.overdue && !about.notConverging).toBe(true)
      }
    }),
  )
})

test('hosts of one kind are listed by name while few, and counted when many', () => {
  const down = (n: number): AttentionItem[] =>
    attentionOf({
      ...{ active: [], failed: [], findings: [], notes: new Map(), health: [] },
      hosts: Array.from({ length: n }, (_, at) => ({ ...smallHost({ n: at + 1 }), status: 'down' as const })),
      slow: { overdue: [], notConverging: [] },
      names: namesFrom({ hosts: new Map(), instances: new Map(), migrations: new Map() }),
    })
  expect(down(3).map((item) => [item.kind, item.host?.name, item.count])).toEqual([
    ['host-down', 'h1', 0],
    ['host-down', 'h2', 0],
    ['host-down', 'h3', 0],
  ])
  expect(down(4)).toMatchObject([{ kind: 'host-down', host: null, count: 4 }])
})

test('a critical finding comes before a host that is down, and any other finding after it', () => {
  const found = (kind: FindingKind) => {
    return { kind, severity: kindRow(kind).severity, proven: 1, count: 1, since: 1, host: null, instance: null }
  }
  const items = attentionOf({
    ...{ active: [], failed: [], notes: new Map(), health: [] },
    findings: [found('orphan-claim'), found('unit-held-twice')],
    hosts: [{ ...smallHost({ n: 1 }), status: 'down' }],
    slow: { overdue: [], notConverging: [] },
    names: namesFrom({ hosts: new Map(), instances: new Map(), migrations: new Map() }),
  })
  expect(items.map((item) => item.finding ?? item.kind)).toEqual(['unit-held-twice', 'host-down', 'orphan-claim'])
})

test('a cloud that is not reached, and critical findings of one, are as urgent as those of the fleet', () => {
  const clouds = [
    { id: 'c', name: 'prod', critical: 2, error: null, reachedAt: 5 },
    { id: 'd', name: 'lab', critical: 0, error: 'HTTP 503', reachedAt: 4 },
    { id: 'e', name: 'calm', critical: 0, error: null, reachedAt: 5 },
  ]
  const items = attentionOf({
    ...{ active: [], failed: [], findings: [], notes: new Map(), health: [], clouds },
    hosts: [{ ...smallHost({ n: 1 }), status: 'down' }],
    slow: { overdue: [], notConverging: [] },
    names: namesFrom({ hosts: new Map(), instances: new Map(), migrations: new Map() }),
  })
  expect(items).toMatchObject([
    { kind: 'cloud-finding', severity: 'critical', cloud: { id: 'c', name: 'prod' }, count: 2 },
    { kind: 'host-down' },
    { kind: 'cloud-unreachable', cloud: { id: 'd', name: 'lab' }, since: 4, why: 'HTTP 503' },
  ])
})
