import { randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import type { AlarmFacts } from '../engine/alarm/alarms'
import { acknowledgeAlarms, countAlarms, listAlarms, listMutes, muteAlarms, unmuteAlarms } from '../store/alarm/alarm'
import { addTest, listDeliveries, takeDeliveries } from '../store/alarm/delivery'
import { connectDatabase } from '../store/database/database'
import { TEST_ATTRIBUTION } from '../store/testing/attribution'
import { type Channels, channelSettings, openChannels } from './channels'
import { type AlarmParts, deliverAlarms, sendDue, testEvent } from './deliver'

// Alarms from their facts to a real webhook receiver, which checks signatures with the Standard Webhooks library, and
// to a real SMTP server, both on this machine.

const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`
const NOTHING: AlarmFacts = {
  ...{ silent: [], down: [], overdue: [], notConverging: [], blocked: [], critical: [], clouds: [], checks: [] },
}
const silent = (...names: readonly string[]): AlarmFacts => ({
  ...NOTHING,
  silent: names.map((name) => ({ id: name, name })),
})

interface WebhookDelivery {
  readonly id: string
  readonly event: { readonly id: string; readonly type: string; readonly data: Record<string, unknown> }
}

const database = onFreshDatabase(connectDatabase)
let received: WebhookDelivery[] = []
let mails: string[] = []
let status = 204
let now = 1_790_000_000_000
let channels: Channels

const receiver = http.createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString()
    const headers = request.headers as Record<string, string>
    try {
      // The library compares timestamps with the machine's clock, and this test has its own clock.
      new Webhook(SECRET.replace('whsec_', '')).verify(text, { ...headers, ...atItsTime(headers) })
    } catch {
      response.writeHead(401).end()
      return
    }
    if (status < 300) received.push({ id: headers['webhook-id'] ?? '', event: JSON.parse(text) })
    response.writeHead(status).end()
  })
})
let realNow: () => number
const atItsTime = (headers: Record<string, string>) => {
  Date.now = () => Number(headers['webhook-timestamp']) * 1000
  queueMicrotask(() => (Date.now = realNow))
  return {}
}

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData: (stream, _session, done) => {
    let text = ''
    stream.on('data', (chunk) => (text += chunk))
    stream.on('end', () => {
      mails.push(text)
      done()
    })
  },
})

beforeAll(async () => {
  realNow = Date.now
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()))
  channels = openChannels(
    channelSettings({
      BERTH_ALARM_WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/alarms`,
      BERTH_ALARM_WEBHOOK_SECRET: SECRET,
      BERTH_ALARM_SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
      BERTH_ALARM_MAIL_FROM: 'berth@cloud.test',
      BERTH_ALARM_MAIL_TO: 'on-call@cloud.test, lead@cloud.test',
    }),
  )
})
beforeEach(async () => {
  await database.pool.query('delete from alarm_delivery; delete from alarm; delete from alarm_mute')
  received = []
  mails = []
  status = 204
  now += 10 * 60_000
})
afterAll(async () => {
  channels.close()
  receiver.closeAllConnections()
  receiver.close()
  await new Promise<void>((resolve) => smtp.close(() => resolve()))
})

const parts = (facts: AlarmFacts, more: Partial<AlarmParts> = {}): AlarmParts => ({
  ...{ database, channels, publicUrl: 'https://berth.test', now: () => now, newId: randomUUID },
  facts: async () => facts,
  onError: () => {},
  ...more,
})
const attribution = () => ({ ...TEST_ATTRIBUTION, at: now })
const types = () => received.map(({ event: { type, data } }) => `${type} ${data.name}`)

describe('an alarm', () => {
  test('is sent once by webhook and once by mail, however often it is raised', async () => {
    for (let round = 0; round < 5; round++) {
      await deliverAlarms(parts(silent('h-07')))
      now += 10_000
    }
    expect(types()).toEqual(['berth.alarm.raised h-07'])
    const [{ event, id } = { event: null, id: '' }] = received
    expect(event).toMatchObject({
      ...{ specversion: '1.0', source: '/berth', subject: 'h-07', datacontenttype: 'application/json' },
      data: {
        kind: 'host-silent',
        severity: 'critical',
        runbook: 'docs/runbooks/host-silent.md',
        link: 'https://berth.test/alarms',
      },
    })
    expect(await listDeliveries(database, 10)).toHaveLength(2)
    expect((await listDeliveries(database, 10)).map((each) => each.id)).toContain(id)
    expect(mails).toHaveLength(1)
    expect(mails[0]).toContain('Subject: [raised] Host unreachable: h-07')
    expect(mails[0]).toMatch(/To: on-call@cloud.test, lead@cloud.test/)
    expect(mails[0]).toMatch(/Message-ID: <[0-9a-f-]{36}@berth>/)
  })

  test('ends after a minute without its cause, is sent as ended, and becomes a new one if it recurs', async () => {
    await deliverAlarms(parts(silent('h-07')))
    now += 30_000
    await deliverAlarms(parts(NOTHING))
    expect(types()).toHaveLength(1)
    now += 31_000
    await deliverAlarms(parts(NOTHING))
    await deliverAlarms(parts(silent('h-07')))
    expect(types()).toEqual(['berth.alarm.raised h-07', 'berth.alarm.ended h-07', 'berth.alarm.raised h-07'])
    expect((await listAlarms(database, 10)).map(({ endedAt }) => endedAt !== null)).toEqual([false, true])
    expect(mails).toHaveLength(3)
  })

  test('is raised once when many servers check at the same time', async () => {
    await Promise.all(Array.from({ length: 8 }, () => deliverAlarms(parts(silent('h-07', 'h-08')))))
    expect(types().sort()).toEqual(['berth.alarm.raised h-07', 'berth.alarm.raised h-08'])
    expect(mails).toHaveLength(2)
  })

  test('is sent once after a crash between its commit and its delivery', async () => {
    const crash = { ...channels, send: () => new Promise<void>(() => {}) }
    void deliverAlarms(parts(silent('h-07'), { channels: crash })) // it never finishes
    await expect
      .poll(async () => (await listDeliveries(database, 10)).filter(({ attempts }) => attempts === 1))
      .toHaveLength(2)
    await deliverAlarms(parts(silent('h-07')))
    expect(types()).toEqual([]) // the dead server still has the lease
    now += 61_000
    await deliverAlarms(parts(silent('h-07')))
    await deliverAlarms(parts(silent('h-07')))
    expect(types()).toEqual(['berth.alarm.raised h-07'])
    expect(mails).toHaveLength(1)
  })

  test('is sent again under the same id after a crash before the delivery was recorded', async () => {
    await deliverAlarms(parts(silent('h-07'), { channels: { ...channels, open: ['webhook'], send: async () => {} } }))
    await database.pool.query('update alarm_delivery set sent_at = null, next_at = $1', [new Date(now)])
    const [first] = await takeDeliveries(database, { at: now, until: now })
    await sendDue(parts(NOTHING))
    expect(received.map(({ id }) => id)).toEqual([first?.id])
  })
})

describe('a failing receiver', () => {
  test('gets retries at growing intervals, and the log has the cause', async () => {
    status = 503
    const only = { ...channels, open: ['webhook'] as const }
    await deliverAlarms(parts(silent('h-07'), { channels: only }))
    await deliverAlarms(parts(silent('h-07'), { channels: only }))
    expect(await listDeliveries(database, 10)).toMatchObject([
      { attempts: 1, sentAt: null, error: 'The webhook answered 503.' },
    ])
    now += 10_000
    await sendDue(parts(NOTHING))
    now += 10_000
    await sendDue(parts(NOTHING))
    expect(await listDeliveries(database, 10)).toMatchObject([{ attempts: 2 }])
    status = 204
    now += 20_000
    await sendDue(parts(NOTHING))
    expect(await listDeliveries(database, 10)).toMatchObject([{ attempts: 3, sentAt: now, error: null }])
    expect(types()).toEqual(['berth.alarm.raised h-07'])
  })

  test('gets no retry after a day', async () => {
    status = 500
    await deliverAlarms(parts(silent('h-07'), { channels: { ...channels, open: ['webhook'] } }))
    now += 25 * 3_600_000
    await sendDue(parts(NOTHING))
    const [given] = await listDeliveries(database, 10)
    expect(given).toMatchObject({ attempts: 2, givenUpAt: now, sentAt: null })
    now += 3_600_000
    await sendDue(parts(NOTHING))
    expect(await listDeliveries(database, 10)).toMatchObject([{ attempts: 2 }])
  })
})

describe('operator actions', () => {
  test('a muted alarm is listed but not sent, until it is unmuted or the mute expires', async () => {
    const mute = {
      id: randomUUID(),
      kind: 'host-silent',
      subject: 'h-07',
      until: now + 3_600_000,
      reason: 'being moved',
    } as const
    await muteAlarms(database, { ...mute, ...attribution() })
    await deliverAlarms(parts(silent('h-07', 'h-08')))
    expect(types()).toEqual(['berth.alarm.raised h-08'])
    expect(await listAlarms(database, 10)).toHaveLength(2)
    expect(await unmuteAlarms(database, { id: mute.id, ...attribution() })).toBe(true)
    expect(await listMutes(database, now)).toEqual([])
    expect(await unmuteAlarms(database, { id: mute.id, ...attribution() })).toBe(false)
  })

  test('an acknowledged alarm is no longer counted, and is acknowledged only once', async () => {
    await deliverAlarms(parts(silent('h-07')))
    expect(await countAlarms(database)).toEqual({ critical: 1, warning: 0 })
    const ids = (await listAlarms(database, 10)).map(({ id }) => id)
    expect(await acknowledgeAlarms(database, { ids, ...attribution() })).toEqual(ids)
    expect(await acknowledgeAlarms(database, { ids, ...attribution() })).toEqual([])
    expect(await countAlarms(database)).toEqual({ critical: 0, warning: 0 })
  })

  test('a test alarm takes the whole path to webhook and mail', async () => {
    const made = parts(NOTHING)
    await addTest(database, { id: randomUUID(), channel: 'webhook', body: testEvent(made, 'alice'), ...attribution() })
    await addTest(database, { id: randomUUID(), channel: 'mail', body: testEvent(made, 'alice'), ...attribution() })
    await sendDue(made)
    expect(received.map(({ event }) => event.data.says)).toEqual(['alice tests that alarms arrive. Nothing is wrong.'])
    expect(mails[0]).toContain('[test] Test: Berth')
  })
})

test.each<[string, Record<string, string>, RegExp]>([
  [
    'an invalid webhook URL',
    { BERTH_ALARM_WEBHOOK_URL: 'ftp://x', BERTH_ALARM_WEBHOOK_SECRET: SECRET },
    /WEBHOOK_URL must be/,
  ],
  ['a webhook without a secret', { BERTH_ALARM_WEBHOOK_URL: 'https://x.test' }, /WEBHOOK_SECRET must have/],
  [
    'a secret that is too short',
    { BERTH_ALARM_WEBHOOK_URL: 'https://x.test', BERTH_ALARM_WEBHOOK_SECRET: 'c2hvcnQ=' },
    /24 bytes/,
  ],
  ['an invalid SMTP URL', { BERTH_ALARM_SMTP_URL: 'mail.test' }, /SMTP_URL must be/],
  ['mail without a recipient', { BERTH_ALARM_SMTP_URL: 'smtp://m.test', BERTH_ALARM_MAIL_FROM: 'a@b.test' }, /MAIL_TO/],
])('startup fails for this setting: %s', (_title, env, says) => {
  expect(() => channelSettings(env)).toThrow(says)
})
