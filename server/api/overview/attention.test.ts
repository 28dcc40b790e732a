import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Migration, Waiting } from '../../engine/migration/state'
import type { HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import { namesFrom } from '../names/names'
import { attentionOf } from './attention'

// Whatever stands still, lasts too long or cannot end is said once: never left out, never said twice.

const host = (n: number) => `h-${n}` as HostId
const waiting = fc.constantFrom<Waiting | null>(
  null,
  { for: 'slot', place: 1 },
  { for: 'person' },
  { for: 'retry', why: 'busy' },
  { for: 'host', host: host(1), why: 'no answer' },
  { for: 'host', host: host(2), why: 'no answer' },
)
const one = fc.record({ waiting, overdue: fc.boolean(), notConverging: fc.boolean(), since: fc.nat(1_000) })

test('every migration that somebody should look at is counted in exactly one item', () => {
  fc.assert(
    fc.property(fc.array(one, { maxLength: 30 }), (drawn) => {
      const all = drawn.map(({ since, ...each }, n) => ({
        ...each,
        // A migration that waits is not carried, so its last progress says nothing of now.
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
      const stuck = (wait: Waiting | null) => wait !== null && wait.for !== 'slot'
      const wanted = all.filter(
        ({ overdue, notConverging, ...each }) =>
          stuck(each.waiting) || notConverging || (overdue && each.waiting === null),
      )
      expect(items.reduce((sum, { count }) => sum + count, 0)).toBe(wanted.length)
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
