import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeSessionWatch, type SessionEnd } from './session-watch'

// The timing of the watch, by a clock that the test advances.

const CHECK_INTERVAL_MS = 1_000
const LIMIT_MS = 2_000
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const flushMicrotasks = () => vi.advanceTimersByTimeAsync(0)

function opened(failures: unknown[] = []) {
  const live = new Map([
    ['s1', 'viewer'],
    ['s2', 'viewer'],
  ])
  const asked: (readonly string[])[] = []
  const state = { fails: false }
  const read = async (sessions: readonly string[]) => {
    asked.push(sessions)
    if (state.fails) throw new Error('no database')
    return new Map([...live].filter(([id]) => sessions.includes(id)))
  }
  const watch = makeSessionWatch({
    reader: { read, close: async () => {} },
    onFailure: (error) => void failures.push(error),
  })
  return { live, asked, state, watch }
}

test.each([0, 1, 500, 999, 1_000, 1_001, 7_777])(
  'a session that ends %i ms after its stream began is reported once, within two seconds',
  async (afterMs) => {
    const { live, watch } = opened()
    const ends: SessionEnd[] = []
    watch.watch({ session: 's1', role: 'viewer' }, (why) => ends.push(why))
    await vi.advanceTimersByTimeAsync(afterMs)
    expect(ends).toEqual([])
    live.delete('s1')
    await vi.advanceTimersByTimeAsync(LIMIT_MS)
    expect(ends).toEqual(['signed-out'])
    await vi.advanceTimersByTimeAsync(10 * CHECK_INTERVAL_MS)
    expect(ends).toHaveLength(1)
    await watch.stop()
  },
)

test('a thousand streams cause one query a second, and closed ones are left out of it', async () => {
  const { asked, watch } = opened()
  for (let n = 0; n < 1_000; n++) watch.watch({ session: 's1', role: 'viewer' }, () => {})
  const leave = watch.watch({ session: 's2', role: 'viewer' }, () => {})
  await vi.advanceTimersByTimeAsync(CHECK_INTERVAL_MS)
  leave()
  await vi.advanceTimersByTimeAsync(CHECK_INTERVAL_MS)
  expect(asked).toEqual([['s1', 's2'], ['s1']])
  await watch.stop()
})

test('an unavailable database ends no session, is reported, and is queried again', async () => {
  const failures: unknown[] = []
  const { live, state, watch } = opened(failures)
  const ends: SessionEnd[] = []
  watch.watch({ session: 's1', role: 'viewer' }, (why) => ends.push(why))
  state.fails = true
  live.set('s1', 'operator')
  await vi.advanceTimersByTimeAsync(3 * CHECK_INTERVAL_MS)
  await flushMicrotasks()
  expect([ends, failures.length]).toEqual([[], 3])
  state.fails = false
  await vi.advanceTimersByTimeAsync(CHECK_INTERVAL_MS)
  expect(ends).toEqual(['role-changed'])
  await watch.stop()
})
