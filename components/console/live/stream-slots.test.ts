import { expect, it } from 'vitest'
import { acquireStreamSlot, STREAMS } from './stream-slots'

/** As in browsers: a lock is held until its holder's promise settles. */
function makeLocks() {
  const held = new Set<string>()
  const request = async (name: string, _options: object, use: (lock: object | null) => unknown) => {
    if (held.has(name)) await use(null)
    else {
      held.add(name)
      await use({ name })
      held.delete(name)
    }
  }
  return { request } as unknown as LockManager
}

it('a limited number of tabs get a slot, and the next tab gets one that is released', async () => {
  const locks = makeLocks()
  const turns = await Promise.all(Array.from({ length: STREAMS }, () => acquireStreamSlot(locks)))
  expect(turns.every(Boolean)).toBe(true)
  expect(await acquireStreamSlot(locks)).toBeNull()
  turns[1]?.()
  await Promise.resolve()
  expect(await acquireStreamSlot(locks)).not.toBeNull()
  expect(await acquireStreamSlot(locks)).toBeNull()
})

it('every tab gets a slot where the browser has no locks', async () => {
  const refuses = { request: () => Promise.reject(new DOMException('no', 'SecurityError')) } as unknown as LockManager
  for (let n = 0; n < 2 * STREAMS; n++) expect(await acquireStreamSlot(refuses)).not.toBeNull()
})
