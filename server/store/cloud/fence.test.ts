import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase } from '../database/database'
import { addCloud } from './cloud'
import { fenceHost, readFences, renewFence, unfenceHost } from './fence'

const database = onFreshDatabase(connectDatabase)
const attribution = { actor: { who: 'olga', request: null, reason: 'it is off' }, at: Date.UTC(2026, 10, 25, 12) }

const acts = fc.array(
  fc.record({ act: fc.constantFrom('attest' as const, 'read' as const, 'disprove' as const), since: fc.nat(9) }),
  {
    minLength: 3,
    maxLength: 12,
  },
)

test('a report disproves only the attestation that was compared with it', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (all) => {
      const cloud = randomUUID()
      await addCloud(database, { id: cloud, name: cloud, settings: {}, secret: Buffer.from('s') }, attribution)
      let present: number | null = null
      let read: number | null = null
      for (const { act, since } of all) {
        if (act === 'attest') {
          await fenceHost(database, { cloud, host: 'a', since }, attribution)
          present = since
        }
        if (act === 'read') read = (await readFences(database, cloud))[0]?.since ?? null
        if (act === 'disprove' && read !== null) {
          await unfenceHost(database, { cloud, host: 'a', since: read }, attribution)
          if (present === read) present = null
        }
        const [fence] = await readFences(database, cloud)
        expect(fence?.since ?? null).toBe(present)
      }
    }),
    { numRuns: 40 },
  )
})

test('an operator withdraws whatever attestation there is', async () => {
  const cloud = randomUUID()
  await addCloud(database, { id: cloud, name: cloud, settings: {}, secret: Buffer.from('s') }, attribution)
  await fenceHost(database, { cloud, host: 'a', since: 3 }, attribution)
  await renewFence(database, { cloud, host: 'a', since: 5 }, attribution)
  expect(await unfenceHost(database, { cloud, host: 'a', since: null }, attribution)).toBe(true)
  expect(await readFences(database, cloud)).toEqual([])
})
