import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from '../boot/test-database'
import { openTestBooks, type TestBooks } from '../store/testing/books'
import { startDuty } from './duty'

let books: TestBooks
beforeAll(async () => {
  books = openTestBooks(await freshDatabase())
})
afterAll(() => books.drop())

const NEVER_MS = 3_600_000 // only the first round comes, at once

interface Promised {
  readonly done: Promise<void>
  keep(): void
}

function promised(): Promised {
  let keep = () => {}
  const done = new Promise<void>((resolve) => {
    keep = resolve
  })
  return { done, keep: () => keep() }
}

const owned = (owner: string) => ({
  ...{ database: books.database, owner, patienceMs: 10 },
  onError: (what: string, error: unknown) => {
    throw new Error(what, { cause: error })
  },
})

describe('a duty that is stopped', () => {
  test('waits for no round that goes on and on, and leaves its place to the next server', async () => {
    const [begun, other, end] = [promised(), promised(), promised()]
    const endless = async () => {
      begun.keep()
      await end.done
    }
    const duty = startDuty(owned('a'), { name: 'endless', everyMs: NEVER_MS, round: endless })
    await begun.done
    await duty.stop()
    const next = startDuty(owned('b'), { name: 'endless', everyMs: NEVER_MS, round: async () => other.keep() })
    await other.done
    await next.stop()
    end.keep()
  })

  test('tells nobody that a round failed because everything went down beneath it', async () => {
    const [begun, end] = [promised(), promised()]
    const told: string[] = []
    const failing = async () => {
      begun.keep()
      await end.done
      throw new Error('the database is closed')
    }
    const parts = { ...owned('a'), onError: (what: string) => void told.push(what) }
    const duty = startDuty(parts, { name: 'failing', everyMs: NEVER_MS, round: failing })
    await begun.done
    await duty.stop()
    end.keep()
    await new Promise((resolve) => setImmediate(resolve))
    expect(told).toEqual([])
  })
})
