import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { addServer, capture, FLAVORS, newCloud } from '../engine/cloud/testing/nova-cloud'
import { addCloud } from '../store/cloud/cloud'
import { startCloudDrain } from '../store/cloud/drain'
import { connectDatabase } from '../store/database/database'
import { CloudLimit, type Drainer, runDrains } from './drain'

const database = onFreshDatabase(connectDatabase)
const [SMALL] = FLAVORS

test.each([
  ['the time that the cloud asks for', 90_000],
  ['the next poll, if the cloud names no time', 0],
])('a drain whose call is limited sends the next one after %s', async (_, limitedMs) => {
  const cloud = newCloud({ hosts: 3, shared: false, witness: false })
  const [host] = cloud.hosts.values()
  if (host === undefined) throw new Error('no host')
  host.enabled = false
  for (let count = 0; count < 3; count++) addServer(cloud, host, SMALL)
  const attribution = { actor: { who: 'olga', request: null, reason: null }, at: Date.now() }
  const id = randomUUID()
  await addCloud(database, { id, name: `limited-${limitedMs}`, settings: {}, secret: Buffer.from('s') }, attribution)
  const drain = { id: randomUUID(), cloud: id, host: host.name, cold: false, most: 3 }
  await startCloudDrain(database, drain, attribution)

  let nowMs = 1_000
  const sentAt: number[] = []
  const drainer: Drainer = {
    ...{ database, attribution: () => attribution, limit: new CloudLimit(() => nowMs) },
    sendAction: async () => {
      sentAt.push(nowMs)
      return { did: 'applied', outcomes: [{ did: 'not-sent', says: 'Nova answers 429' }], limitedMs }
    },
  }
  for (; nowMs <= 201_000; nowMs += 2_000) expect(await runDrains(drainer, id, capture(cloud))).toBe(1)
  expect(sentAt.slice(0, 3)).toEqual([1_000, 1_000 + (limitedMs || 2_000), 1_000 + 2 * (limitedMs || 2_000)])
})
