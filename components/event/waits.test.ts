import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { EventView } from '@/server/api/event/router'
import { mergeWaits } from './waits'

const event = fc.record({
  migration: fc.constantFrom('a', 'b', null),
  kind: fc.constantFrom('migration.waiting', 'migration.waiting', 'migration.progressed', 'host.status'),
  waiting: fc.constantFrom({ for: 'host', host: 'h-1' }, { for: 'host', host: 'h-2' }, { for: 'person' }),
})
const listOf = fc.array(event, { maxLength: 30 }).map((all) =>
  all.map(({ waiting, ...each }, n) => {
    const data = each.kind === 'migration.waiting' ? { waiting } : {}
    return { ...each, seq: String(100 - n), at: 1000 - n, data, hosts: [], instance: null } as unknown as EventView
  }),
)
const saysOf = ({ kind, data }: EventView) => JSON.stringify([kind, data.waiting])

it('every event is in exactly one row, and only waits merge several events', () => {
  fc.assert(
    fc.property(listOf, (events) => {
      const rows = mergeWaits(events)
      expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(events.length)
      for (const row of rows) if (row.count > 1) expect(row.kind).toBe('migration.waiting')
    }),
  )
})

it('the events of one wait form one row with its span, whatever other migrations do meanwhile', () => {
  fc.assert(
    fc.property(listOf, fc.constantFrom('a', 'b'), (events, migration) => {
      const own = events.filter((each) => each.migration === migration)
      const rows = mergeWaits(events).filter((each) => each.migration === migration)
      // Runs of equal events, found without an index for comparison.
      const runs = own.flatMap((each, n) => {
        const before = own[n - 1]
        const same = before && each.kind === 'migration.waiting' && saysOf(before) === saysOf(each)
        return same ? [] : [n]
      })
      expect(rows.map(({ at, since, count }) => [at, since, count])).toEqual(
        runs.map((from, n) => {
          const to = (runs[n + 1] ?? own.length) - 1
          return [own[from]!.at, own[to]!.at, to - from + 1]
        }),
      )
    }),
  )
})

it('a changed reason between two tries does not split a wait', () => {
  const at = (n: number, why: string) =>
    ({
      seq: String(n),
      at: n,
      migration: 'a',
      kind: 'migration.waiting',
      data: { waiting: { for: 'host', host: 'h', why } },
    }) as unknown as EventView
  expect(mergeWaits([at(3, 'no answer'), at(2, 'timed out'), at(1, 'no answer')])).toMatchObject([
    { at: 3, since: 1, count: 3 },
  ])
})
