import { expect, test } from 'vitest'
import { CloudError } from './errors'
import { answerOf } from './transport'

const DATE = 'Wed, 25 Nov 2026 12:00:00 GMT'
const asked = {
  call: { service: 'compute', method: 'GET', path: '/servers' },
  ...{ url: 'http://nova.example/v2.1/servers', headers: {}, deadlineMs: 1_000 },
} as const

test.each([
  ['a number of seconds', '7', 7_000],
  ['a date, by the clock of the cloud', 'Wed, 25 Nov 2026 12:00:07 GMT', 7_000],
  ['minutes', '300', 300_000],
  ['a far date', 'Thu, 26 Nov 2026 12:00:00 GMT', 600_000],
  ['a past date', 'Wed, 25 Nov 2026 11:59:00 GMT', null],
  ['neither', 'soon', null],
  ['nothing', undefined, null],
])('a busy service may be retried after %s', (_, header, retryAfterMs) => {
  const headers = { date: DATE, 'retry-after': header }
  let error: unknown
  try {
    answerOf(asked, { status: 429, headers, text: '{}' })
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(CloudError)
  expect(error).toMatchObject({ kind: 'busy', retryAfterMs })
})
