import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import type { Change } from '../../engine/books'
import type { Host } from '../../engine/host'
import { smallHost } from '../../engine/testing/hosts'
import { connectDatabase } from '../database/database'
import { buildOf, changeOf, present, putHost } from '../testing/books'
import { commit, commitBatch, commitMany } from './commit'
import { makeCommitQueue } from './queue'

const database = onFreshDatabase(connectDatabase)

const WRONG = changeOf([{ do: 'release', consumer: "'; drop table claim --" as never }])

test('an id that is no uuid never reaches the tables', async () => {
  await expect(commit(database, WRONG)).rejects.toThrow(/uuid/)
})

test('a change that is wrong fails alone, whatever it was sent with', async () => {
  const host = await putHost(database, smallHost())
  const queue = makeCommitQueue({ commitBatch: (changes) => commitBatch(database, changes), lanes: 1 })
  const first = queue.commit(changeOf([]))
  const batch = [queue.commit(changeOf([])), queue.commit(WRONG), queue.commit(buildOf(host))]
  expect(await first).toMatchObject({ ok: true })
  const [before, wrong, after] = await Promise.allSettled(batch)
  expect(before).toMatchObject({ status: 'fulfilled', value: { ok: true } })
  expect(wrong).toMatchObject({ status: 'rejected' })
  expect(after).toMatchObject({ status: 'fulfilled', value: { ok: true } })
  expect((await present(database, host.id)).holdings).toHaveLength(1)
})

test('an answer that is lost is not asked for again', async () => {
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
  expect(calls).toBe(2)
})

test('changes of one host land in the order they came, many at a time', async () => {
  const batches: number[] = []
  const landed: number[] = []
  const queue = makeCommitQueue({
    commitBatch: async (changes) => {
      batches.push(changes.length)
      await new Promise((resolve) => setImmediate(resolve))
      landed.push(...changes.map(({ at }) => at))
      return changes.map(() => ({ ok: true, raised: {} }))
    },
    batch: 8,
  })
  const host = smallHost()
  const change = (at: number): Change => ({ ...buildOf(host), at })
  await Promise.all(Array.from({ length: 20 }, (_, at) => queue.commit(change(at))))
  expect(landed).toEqual(Array.from({ length: 20 }, (_, at) => at))
  expect(batches).toEqual([1, 8, 8, 3])
})

test('a change that names two hosts follows the last one of either', async () => {
  const landed: number[] = []
  const ends: (() => void)[] = []
  const queue = makeCommitQueue({
    commitBatch: async (changes) => {
      await new Promise<void>((resolve) => ends.push(resolve))
      landed.push(...changes.map(({ at }) => at))
      return changes.map(() => ({ ok: true, raised: {} }))
    },
    lanes: 8,
  })
  const naming = (at: number, ...hosts: readonly Host[]): Change => ({
    ...changeOf([], { providers: hosts.map((host) => ({ provider: host.providers[0]!.id, generation: null })) }),
    at,
  })
  const [one, two, three] = [smallHost({ n: 1 }), smallHost({ n: 2 }), smallHost({ n: 3 })]
  const sent = [naming(1, one), naming(2, one, two), naming(3, two, three), naming(4, three)].map(queue.commit)
  await new Promise((resolve) => setImmediate(resolve))
  expect(ends).toHaveLength(1) // all the others wait behind the first
  while (landed.length < 4) {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all(sent)
  expect(landed).toEqual([1, 2, 3, 4])
})

test('a batch answers for each, in order, and one that conflicts takes no other with it', async () => {
  const host = await putHost(database, smallHost({ n: 2 }))
  const other = await putHost(database, smallHost({ n: 3 }))
  const answers = await commitMany(database, [buildOf(host), buildOf(host), buildOf(other)])
  expect(answers.map(({ ok }) => ok)).toEqual([true, false, true])
  expect((await present(database, host.id)).holdings).toHaveLength(1)
  expect((await present(database, other.id)).holdings).toHaveLength(1)
})
