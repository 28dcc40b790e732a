import { expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import type { Driver } from '../drivers/driver'
import { unconnected } from '../drivers/registry'
import type { Write } from '../engine/change'
import { prove } from '../engine/proof/proposition'
import { instanceId, smallHost } from '../engine/testing/hosts'
import type { HostId } from '../engine/words/ids'
import { commit } from '../store/commit/commit'
import { connectDatabase } from '../store/database/database'
import { readLeftovers } from '../store/host/facts'
import { readLeftover } from '../store/host/leftover'
import { readHost } from '../store/host/read'
import { AT, changeOf, present, putHost } from '../store/testing/records'
import { cleanLeftovers } from './leftovers'
import type { ConductorContext, RecordEffects } from './run'

const database = onFreshDatabase(connectDatabase)

const commitOrThrow = async (...writes: readonly Write[]) =>
  expect(await commit(database, changeOf(writes))).toMatchObject({ ok: true })

function contextOf(driver: Partial<Driver>): ConductorContext {
  const records: Partial<RecordEffects> = {
    host: ({ host }) => readHost(database, host),
    instance: () => null,
    proof: ({ of }) => prove(of),
    commit: ({ change }) => commit(database, change),
    now: () => AT,
  }
  return {
    records: records as RecordEffects,
    driverOf: async () => ({ ...unconnected('simulated'), ...driver }),
    stopping: () => false,
    keepLease: () => () => {},
    onFault: () => {},
  }
}

const cleanOnce = (id: HostId, destroy: Driver['destroy']) =>
  cleanLeftovers(id, {
    context: contextOf({ destroy }),
    owner: 'server-1',
    leftoversOf: (host) => readLeftovers(database, host),
    recordsOf: (leftover) => readLeftover(database, leftover),
    lease: async () => ({ fence: 1 }),
  })

test('a host that was fenced and came back during its clean-up accepts no claims until the new leftovers are cleaned up (I11)', async () => {
  const { id } = await putHost(database, smallHost({ n: 1 }))
  const note = (n: number): Write => ({
    ...{ do: 'note-remains', host: id, instance: instanceId(n), migration: null, side: 'source' },
  })
  const returned: Write = { do: 'set-host', id, set: { status: 'up', scheduling: 'quarantined' } }
  await commitOrThrow(note(1), returned)
  const cleaned: string[] = []
  const destroy: Driver['destroy'] = async ({ instance }) => {
    cleaned.push(instance)
    if (cleaned.length === 1) {
      await commitOrThrow({ do: 'set-host', id, set: { status: 'fenced' } })
      await commitOrThrow(note(2))
      await commitOrThrow(returned)
    }
    return { did: 'done' }
  }
  const round = () => cleanOnce(id, destroy)
  await round()
  expect(await present(database, id)).toMatchObject({ scheduling: 'quarantined', leftovers: [instanceId(2)] })
  await round()
  expect(await present(database, id)).toMatchObject({ scheduling: 'enabled', leftovers: [] })
  expect(cleaned).toEqual([instanceId(1), instanceId(2)])
})

test('a leftover that its host refuses to remove keeps the host closed, and no other leftover there', async () => {
  const { id } = await putHost(database, smallHost({ n: 2 }))
  const notes = [3, 4].map(
    (n): Write => ({
      ...{ do: 'note-remains', host: id, instance: instanceId(n), migration: null, side: 'source' },
    }),
  )
  await commitOrThrow(...notes, { do: 'set-host', id, set: { status: 'up', scheduling: 'quarantined' } })
  const stubborn = new Set([instanceId(3)])
  const destroy: Driver['destroy'] = async ({ instance }) =>
    stubborn.has(instance) ? { did: 'failed', why: 'it has no tag of Berth' } : { did: 'done' }
  const round = () => cleanOnce(id, destroy)
  await round()
  expect(await present(database, id)).toMatchObject({ scheduling: 'quarantined', leftovers: [instanceId(3)] })
  stubborn.clear()
  await round()
  expect(await present(database, id)).toMatchObject({ scheduling: 'enabled', leftovers: [] })
})
