import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RecentMap } from './recent-map'

const MAX = 8
const set = fc.record({ key: fc.integer({ min: 0, max: 20 }).map(String), value: fc.integer() })

test('the values that were set last are there', () => {
  fc.assert(
    fc.property(fc.array(set, { maxLength: 60, size: 'max' }), (sets) => {
      const map = new RecentMap<number>(MAX)
      for (const { key, value } of sets) map.set(key, value)
      const last = new Map(sets.map(({ key, value }) => [key, value]))
      const newest = [...new Set(sets.map(({ key }) => key).toReversed())]
      for (const key of newest.slice(0, MAX / 2)) expect(map.get(key)).toBe(last.get(key))
    }),
  )
})

test('a value is the last one that was set, or none, and there are never more than the maximum', () => {
  const change = fc.oneof(
    { weight: 4, arbitrary: set },
    set.map(({ key }) => ({ key, value: null })),
  )
  fc.assert(
    fc.property(fc.array(change, { maxLength: 100, size: 'max' }), (changes) => {
      const map = new RecentMap<number>(MAX)
      const all = new Map<string, number>()
      for (const { key, value } of changes) {
        if (value === null) map.delete(key)
        else map.set(key, value)
        if (value === null) all.delete(key)
        else all.set(key, value)
        const kept = Array.from({ length: 21 }, (_, each) => String(each)).filter((each) => map.has(each))
        const wrong = kept.filter((each) => map.get(each) !== all.get(each))
        expect({ wrong, isOver: kept.length > MAX }).toEqual({ wrong: [], isOver: false })
      }
    }),
  )
})
