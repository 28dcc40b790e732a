import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import type { Change } from '../../engine/change'
import type { Host } from '../../engine/host'
import { smallHost } from '../../engine/testing/hosts'
import type { ProviderId } from '../../engine/words/ids'
import { connectDatabase } from '../database/database'
import { buildOf, changeOf, newMigrationId, present, putHost } from '../testing/records'
import { commit, commitBatch, commitMany } from './commit'
import { makeCommitQueue } from './queue'

const database = onFreshDatabase(connectDatabase)

const WRONG = changeOf([{ do: 'release', consumer: "'; drop table claim --" as never }])

test('an id that is not a uuid never reaches the tables', async () => {
  await expect(commit(database, WRONG)).rejects.toThrow(/uuid/)
})

test('an invalid change fails alone, whatever its batch', async () => {
  const host = await putHost(database, smallHost())
  const queue = makeCommitQueue({ commitBatch: (changes) => commitBatch(database, changes), lanes: 1 })
  const first = queue.commit(changeOf([]))
  await nextTurn()
  const batch = [queue.commit(changeOf([])), queue.commit(WRONG), queue.commit(buildOf(host))]
  expect(await first).toMatchObject({ ok: true })
  const [before, wrong, after] = await Promise.allSettled(batch)
  expect(before).toMatchObject({ status: 'fulfilled', value: { ok: true } })
  expect(wrong).toMatchObject({ status: 'rejected' })
  expect(after).toMatchObject({ status: 'fulfilled', value: { ok: true } })
  expect((await present(database, host.id)).holdings).toHaveLength(1)
})

test('a batch whose result is lost is not sent again', async () => {
  let calls = 0
  const lost = makeCommitQueue({
    commitBatch: async () => {
      calls++
      throw new Error('connection lost')
    },
    lanes: 1,
  })
  const answers = await Promise.allSettled([1, 2, 3].map(() => lost.commit(changeOf([]))))
  expect(answers.every(({ status }) => status === 'rejected')).toBe(true)
  expect(calls).toBe(1)
})

test('changes of one host commit in order, in batches', async () => {
  const batches: number[] = []
  const committed: number[] = []
  const queue = makeCommitQueue({
    commitBatch: async (changes) => {
      batches.push(changes.length)
      await nextTurn()
      committed.push(...changes.map(({ at }) => at))
      return changes.map(() => ({ ok: true, raised: {} }))
    },
    batch: 8,
  })
  const host = smallHost()
  const change = (at: number): Change => ({ ...buildOf(host), at })
  await Promise.all(Array.from({ length: 20 }, (_, at) => queue.commit(change(at))))
  expect(committed).toEqual(Array.from({ length: 20 }, (_, at) => at))
  expect(batches).toEqual([8, 8, 4])
})

test('callers that one batch answers send their next changes in one batch', async () => {
  const batches: number[] = []
  const queue = makeCommitQueue({
    commitBatch: async (changes) => {
      batches.push(changes.length)
      await nextTurn()
      return changes.map(() => ({ ok: true, raised: {} }))
    },
    lanes: 1,
  })
  const sendAgain = async (host: Host) => {
    for (let round = 0; round < 3; round++) await queue.commit(buildOf(host))
  }
  await Promise.all(Array.from({ length: 20 }, (_, n) => sendAgain(smallHost({ n }))))
  expect(batches).toEqual([20, 20, 20])
})

// The lane of a host follows from the first digits of its id.
const HOSTS = [0, 1, 2, 3].map((n) => `${n}`.padStart(7, '0').padEnd(36, '0') as ProviderId)
const MIGRATION = newMigrationId()

const queues = fc.record({ lanes: fc.integer({ min: 1, max: 4 }), batch: fc.integer({ min: 1, max: 4 }) })
const changes = fc.array(
  fc.record({
    named: fc.uniqueArray(fc.nat(HOSTS.length - 1), { minLength: 1, maxLength: 2 }),
    isOfMigration: fc.boolean(),
    /** Whether a batch ends before the next change is sent. */
    endsBatch: fc.boolean(),
  }),
  { maxLength: 24 },
)

test('changes commit in order on each host they name, in whatever order batches end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), changes, queues, async (scheduler, sent, options) => {
      const committed: number[] = []
      const queue = makeCommitQueue({
        ...options,
        commitBatch: async (batch) => {
          await scheduler.schedule(Promise.resolve())
          committed.push(...batch.map(({ at }) => at))
          return batch.map(() => ({ ok: true, raised: {} }))
        },
      })
      const answers: Promise<unknown>[] = []
      for (const [at, { named, isOfMigration, endsBatch }] of sent.entries()) {
        const providers = named.map((n) => ({ provider: HOSTS[n]!, generation: null }))
        const change = changeOf([], { providers })
        const event = { ...change.event, migration: isOfMigration ? MIGRATION : null }
        answers.push(queue.commit({ ...change, event, at }))
        if (endsBatch && scheduler.count() > 0) await scheduler.waitOne()
      }
      await scheduler.waitFor(Promise.all(answers))
      const inOrder = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)
      for (const n of HOSTS.keys()) {
        const ofHost = committed.filter((at) => sent[at]!.named.includes(n))
        expect(ofHost).toEqual(inOrder(ofHost))
      }
      expect(inOrder(committed)).toEqual([...sent.keys()])
    }),
  )
})

test('a batch returns a result for each change, and a conflict affects no other', async () => {
  const host = await putHost(database, smallHost({ n: 2 }))
  const other = await putHost(database, smallHost({ n: 3 }))
  const answers = await commitMany(database, [buildOf(host), buildOf(host), buildOf(other)])
  expect(answers.map(({ ok }) => ok)).toEqual([true, false, true])
  expect((await present(database, host.id)).holdings).toHaveLength(1)
  expect((await present(database, other.id)).holdings).toHaveLength(1)
})
