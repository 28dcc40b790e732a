import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readNotifications } from '../cloud/notifications/settings'
import { boot } from '../cloud/testing/cloud-state'
import { type MessageQueue, rabbitProgram, startMessageQueue } from '../cloud/testing/message-queue'
import { freePorts } from '../simulation/failover/machines'
import { watchedClouds } from './watched-clouds'

// A cloud that is polled so rarely that only its notifications can report a change in time.

const program = rabbitProgram()
const HOUR_MS = 3_600_000
const notifications = new Map()
/** Real time, because the duration of an audit is the minimum delay between two polls. */
const watch = { delayMs: HOUR_MS, notifications, monotonicMs: () => performance.now() }

describe.skipIf(program === null)(`a cloud that notifies${program ? '' : ' (needs rabbitmq-server of Debian)'}`, () => {
  const { admin, add, cloudOf, reached, watchedUntil } = watchedClouds(undefined, watch)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'notified-'))
  let queue: MessageQueue
  beforeAll(async () => {
    queue = await startMessageQueue(program ?? '', await freePorts(3))
    const file = path.join(folder, 'notifications.yaml')
    fs.writeFileSync(file, `clouds:\n  notified: { transport_url: "${queue.url}" }\n`)
    for (const [name, settings] of readNotifications(file, {})) notifications.set(name, settings)
    // Nova declares its exchange with its first notification.
    await queue.notify('instance.update')
  }, 300_000)
  afterAll(async () => {
    await queue.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })

  const seen = (id: string, count: number) =>
    watchedUntil(async () => {
      const view = await admin().byId({ id })
      return view.status?.counts?.instances === count ? view : null
    })
  /** Repeats the notification: a listener that reconnects has missed those sent meanwhile. */
  const notified = (id: string, count: number) =>
    watchedUntil(async () => {
      await queue.notify('instance.create.end')
      const view = await admin().byId({ id })
      return view.status?.counts?.instances === count ? view : null
    })
  /** The time of the last poll, once no more follow. */
  async function lookAtRest(id: string): Promise<number | undefined> {
    for (let last: number | undefined; ; ) {
      const at = (await admin().byId({ id })).status?.at
      if (at === last) return at
      last = at
      await new Promise((resolve) => setTimeout(resolve, 3_000))
    }
  }

  test('is polled at once on a notification, and at its usual interval while the queue is down', async () => {
    const cloud = await cloudOf(1)
    const id = await add('notified', cloud)
    expect((await reached(id)).status?.counts?.instances).toBe(1)
    const [host] = cloud.state.providers
    boot(cloud.state, host?.name ?? '')
    const view = await notified(id, 2)
    expect(view.status?.notifications).toEqual({ receivedAt: expect.any(Number), failure: null })

    // Events that change nothing shown do not cause a poll.
    const at = await lookAtRest(id)
    boot(cloud.state, host?.name ?? '')
    for (const event of ['instance.exists', 'compute.instance.exists', 'metrics.update']) await queue.notify(event)
    expect(await lookAtRest(id)).toBe(at)
    await queue.notify('instance.power_on.end')
    await seen(id, 3)

    await queue.stop()
    await queue.start()
    boot(cloud.state, host?.name ?? '')
    expect((await notified(id, 4)).status?.notifications?.failure).toBeNull()
  }, 300_000)
})
