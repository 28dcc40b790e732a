import { TRPCError } from '@trpc/server'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeCallSlots, makeStreamCounts } from './call-slots'

// The limits per user and per address, compared with a naive model of each.

const PEOPLE = ['ada', 'bob', 'cy']
const ADDRESSES = ['192.0.2.1', '192.0.2.2', 'ada'] // an address equal to a user's id still counts as an address
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ who: fc.constantFrom(...PEOPLE), from: fc.constantFrom(...ADDRESSES) }) },
  { weight: 1, arbitrary: fc.record({ leave: fc.nat(60), twice: fc.boolean() }) },
)

test('a stream is refused exactly when its user or its address is at its limit', () => {
  const limits = fc.record({ perPerson: fc.integer({ min: 1, max: 4 }), perAddress: fc.integer({ min: 1, max: 6 }) })
  fc.assert(
    fc.property(limits, fc.array(step, { maxLength: 60 }), (limit, steps) => {
      const counts = makeStreamCounts(limit)
      const open: { who: string; from: string; release: () => void }[] = []
      for (const each of steps) {
        if ('leave' in each) {
          const [gone] = open.splice(each.leave % Math.max(1, open.length), 1)
          gone?.release()
          if (each.twice) gone?.release()
          continue
        }
        const ofPerson = open.filter(({ who }) => who === each.who).length
        const ofAddress = open.filter(({ from }) => from === each.from).length
        const take = () => open.push({ ...each, release: counts.take(each.who, each.from) })
        if (ofPerson < limit.perPerson && ofAddress < limit.perAddress) take()
        else expect(take).toThrow(TRPCError)
        expect(counts.open()).toBe(open.length)
      }
    }),
  )
})

test('calls of one user run, queue, and are refused beyond the queue, without delaying other users', async () => {
  const size = fc.record({ running: fc.integer({ min: 1, max: 3 }), waiting: fc.integer({ min: 0, max: 3 }) })
  await fc.assert(
    fc.asyncProperty(size, fc.integer({ min: 0, max: 9 }), async (limits, calls) => {
      const slots = makeCallSlots(limits)
      let [running, most, done] = [0, 0, 0]
      let open = () => {}
      const gate = new Promise<void>((resolve) => {
        open = resolve
      })
      const call = () =>
        slots.withSlot('ada', async () => {
          most = Math.max(most, ++running)
          await gate
          running--
          done++
        })
      const all = Array.from({ length: calls }, () => call().catch((error: TRPCError) => error.code))
      expect(await slots.withSlot('bob', async () => 'at once')).toBe('at once')
      open()
      const refused = (await Promise.all(all)).filter((code) => code === 'TOO_MANY_REQUESTS')
      expect(refused).toHaveLength(Math.max(0, calls - limits.running - limits.waiting))
      expect(done).toBe(calls - refused.length)
      expect(most).toBe(Math.min(limits.running, calls))
    }),
    { numRuns: 40 },
  )
})
