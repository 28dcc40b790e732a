import { describe, expect, it } from 'vitest'
import { settle } from './steady'

const rows = (text: string) => [...text].map((id) => ({ id, fresh: true }))
const key = (row: { id: string }) => row.id

function check(last: string | null, next: string, expected: { shown: string; gone?: string; arrived?: number }) {
  const before = last === null ? null : [...last].map((id) => ({ id, fresh: false }))
  const steady = settle(rows(next), before, key)
  expect(steady.rows.map(key).join('')).toBe(expected.shown)
  expect([...steady.removedKeys].sort().join('')).toBe(expected.gone ?? '')
  expect(steady.arrived).toBe(expected.arrived ?? 0)
  for (const row of steady.rows) if (!steady.removedKeys.has(row.id)) expect(row.fresh).toBe(true)
}

describe('rows under the pointer', () => {
  it('appear as given when none were shown', () => check(null, 'abc', { shown: 'abc' }))
  it('keep their positions when the order changes', () => check('abc', 'cab', { shown: 'abc' }))
  it('stay, marked as gone, when they leave the result', () => check('abc', 'ac', { shown: 'abc', gone: 'b' }))
  it('are cleared when none is left', () => check('abc', '', { shown: '' }))
  it('wait when they belong between others', () => check('abc', 'axbc', { shown: 'abc', arrived: 1 }))
  it('are appended when they belong after all others', () => check('ab', 'abcd', { shown: 'abcd' }))
  it('combine all of these', () => check('abc', 'xcaz', { shown: 'abcz', gone: 'b', arrived: 1 }))
})
