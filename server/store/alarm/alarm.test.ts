import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { ALARMS } from '../../engine/alarm/alarms'
import { connectDatabase } from '../database/database'
import { listAlarms, noteAlarms } from './alarm'
import { takeDeliveries } from './delivery'

const database = onFreshDatabase(connectDatabase)
const BEGUN_AT = Date.UTC(2026, 10, 25, 12)

/** Findings of one kind at a check, or none; checks of a slow server are noted late. */
const checks = fc.array(
  fc.record({ count: fc.nat(3), afterMs: fc.integer({ min: 0, max: 40_000 }), isLate: fc.boolean() }),
  {
    minLength: 1,
    maxLength: 8,
  },
)

const alarm = (count: number) =>
  ALARMS['finding-critical']
    .subjects({ critical: [{ kind: 'unit-held-twice', count }] } as never)
    .map((subject) => ({ ...subject, kind: 'finding-critical' as const, severity: 'critical' as const }))

test('two servers that note the same alarms in different orders do not wait for each other', async () => {
  await database.pool.query('truncate alarm cascade')
  const [pattern] = alarm(1)
  if (!pattern) throw new Error('no alarm')
  const seen = Array.from({ length: 400 }, (_, n) => ({ ...pattern, id: `kind-${n}` }))
  const note = (alarms: typeof seen, at: number) =>
    noteAlarms(database, alarms, { at, newId: randomUUID, deliveries: () => [] })
  for (let round = 0; round < 5; round++) {
    const at = BEGUN_AT + round
    await Promise.all([note(seen, at), note(seen.toReversed(), at)])
  }
  expect((await listAlarms(database, 999)).length).toBe(seen.length)
})

test('alarms end, and say what is seen, after the clock was set back an hour', async () => {
  await database.pool.query('truncate alarm cascade')
  const note = (count: number, at: number) => {
    const options = { at, newId: randomUUID, deliveries: () => [{ channel: 'webhook', body: {} }] }
    return noteAlarms(database, count === 0 ? [] : alarm(count), options)
  }
  await note(3, BEGUN_AT)
  const back = BEGUN_AT - 3_600_000
  await note(1, back)
  expect(await listAlarms(database, 9)).toMatchObject([{ says: alarm(1)[0]?.says, endedAt: null }])
  expect(await takeDeliveries(database, { at: back, until: back + 60_000 })).toHaveLength(1)
  expect(await takeDeliveries(database, { at: back, until: back + 60_000 })).toEqual([])
  expect(await note(0, back + 61_000)).toEqual({ raised: 0, ended: 1 })
})

test('an open alarm says what the last check saw', async () => {
  await fc.assert(
    fc.asyncProperty(checks, async (all) => {
      await database.pool.query('truncate alarm cascade')
      let at = BEGUN_AT
      let last: string | undefined
      let seenAt = 0
      let wasOpen = false
      for (const { count, afterMs, isLate } of all) {
        at += afterMs
        const seen = count === 0 ? [] : alarm(count)
        const when = isLate && last ? at - afterMs - 1 : at
        await noteAlarms(database, seen, { at: when, newId: randomUUID, deliveries: () => [] })
        if (seen[0] && (when >= seenAt || !wasOpen)) {
          last = seen[0].says
          seenAt = when
        }
        const [open] = (await listAlarms(database, 9)).filter(({ endedAt }) => endedAt === null)
        if (open) expect(open.says).toBe(last)
        wasOpen = open !== undefined
      }
    }),
    {
      numRuns: 30,
      examples: [
        [
          [
            { count: 3, afterMs: 0, isLate: false },
            { count: 1, afterMs: 9, isLate: false },
          ],
        ],
      ],
    },
  )
})
