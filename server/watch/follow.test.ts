import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS, factsOf } from '../engine/cloud/facts'
import { capture, newCloud } from '../engine/cloud/testing/nova-cloud'
import { endingOf } from './follow'

test('an action is judged by a poll that began after its response, whatever time the poll reports', () => {
  const cloud = newCloud({ hosts: 1, shared: false, witness: false })
  const [subject = ''] = cloud.hosts.keys()
  const input = { host: null, storage: 'auto', flavor: null, state: 'active', reason: 'a test' }
  const followed = { input, sentAt: cloud.now - 5_000, lastMigration: 0, lastWritten: null, answeredAt: 1_500 }
  const row = { verb: 'disable', subject, followed, state: 'accepted', askedAt: 1_000 } as const
  // The service was enabled when it was read, and the answer is dated after the call.
  const poll = { facts: factsOf(capture(cloud), DEFAULT_SETTINGS), deadlineMs: 60_000 }

  expect(endingOf(row, { ...poll, begunAt: 1_200, now: 9_000 })).toBeNull()
  expect(endingOf(row, { ...poll, begunAt: 1_600, now: 9_000 })).toMatchObject({ state: 'failed' })

  // The clock was set back by an hour: before the poll, or while it ran.
  const back = { ...row, askedAt: 3_601_000, followed: { ...followed, answeredAt: 3_601_500 } }
  expect(endingOf(back, { ...poll, begunAt: 2_000, now: 3_000 })).toMatchObject({ state: 'failed' })
  expect(endingOf(back, { ...poll, begunAt: 3_601_200, now: 3_000 })).toBeNull()
})

test.each([
  ['sending', 0, 2_400_000],
  ['unanswered', 600_000, 720_000],
] as const)('a call that may take ten minutes is not judged before it ended: %s', (state, answeredAt, ends) => {
  const cloud = newCloud({ hosts: 1, shared: false, witness: false })
  const [subject = ''] = cloud.hosts.keys()
  const input = { host: null, storage: 'auto', flavor: null, state: 'active', reason: 'a test' }
  const followed = { input, sentAt: cloud.now - 5_000, lastMigration: 0, lastWritten: null, answeredAt }
  const row = { verb: 'disable', subject, followed, state, askedAt: 0 } as const
  const facts = factsOf(capture(cloud), DEFAULT_SETTINGS)
  const endingAt = (now: number) => endingOf(row, { facts, begunAt: now - 1, now, deadlineMs: 600_000 })

  expect(endingAt(ends - 1_000)).toBeNull()
  expect(endingAt(ends + 1_000)).toMatchObject({ state: 'failed' })
})
