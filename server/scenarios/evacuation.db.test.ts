import { describe, expect, test, vi } from 'vitest'
import { CLEANING_MS } from '../conductor/leftovers'
import { HOST_BOOT_MS } from '../drivers/simulated/faults'
import { shelved } from '../engine/lifecycle'
import { hostId, smallHost } from '../engine/testing/hosts'
import { pinned } from '../engine/testing/instances'
import { commit } from '../store/commit/commit'
import { readHosts } from '../store/host/read'
import { acquireLease } from '../store/migration/lease'
import { readInstanceView } from '../store/migration/view'
import { onEachScenario } from './on-each-scenario'

// A host dies: its instances are rebuilt elsewhere, and after its return it takes no claims until it is clean (I11).

const [H1, H2] = [hostId(1), hostId(2)]
const scenario = onEachScenario({ hosts: [smallHost({ n: 1 }), smallHost({ n: 2 })] })

const host = async (id: typeof H1) => (await readHosts(scenario.database, [id]))[0]!

async function evacuated() {
  const web = await scenario.running({ flavor: pinned(2), host: H1 })
  await scenario.fleet.setFault(H1, { do: 'fence' })
  await scenario.operators.setStatus(H1, 'fenced')
  const migration = (await scenario.operators.migrate(web, { operation: 'evacuate' }))!
  return { web, migration, ended: await scenario.untilEnded(migration) }
}

describe('an evacuation', () => {
  test('is refused while the host is only silent, because its instances may still run', async () => {
    const web = await scenario.running({ flavor: pinned(2), host: H1 })
    await scenario.fleet.setFault(H1, { do: 'go-silent' })
    await scenario.operators.setStatus(H1, 'down')
    expect(await scenario.operators.migrate(web, { operation: 'evacuate' })).toBeNull()
  })

  test('of a fenced host starts the instance elsewhere and records the leftover', async () => {
    const { web, ended } = await evacuated()
    expect(ended).toMatchObject({ outcome: 'completed', home: 'target', target: H2 })
    expect(await scenario.fleet.survey(H2)).toMatchObject([{ instance: web, observedState: 'running' }])
    expect(await scenario.heldFor(web)).toMatchObject([{ host: H2 }])
    expect((await host(H1)).leftovers).toEqual([web])
  })

  test('quarantines a returned host until its stale domains are cleaned up', async () => {
    const { web } = await evacuated()
    await scenario.fleet.setFault(H1, { do: 'return' })
    await scenario.pass(HOST_BOOT_MS)
    expect(await scenario.fleet.survey(H1)).toMatchObject([{ instance: web, observedState: 'stopped' }])
    await scenario.operators.setStatus(H1, 'up')
    expect((await host(H1)).scheduling).toBe('quarantined')
    expect(await scenario.operators.build({ flavor: pinned(2), host: H1 })).toBeNull()
    await scenario.until(async () => (await host(H1)).scheduling === 'enabled')
    expect(await scenario.fleet.survey(H1)).toEqual([])
    expect((await host(H1)).leftovers).toEqual([])
    await scenario.running({ flavor: pinned(2), host: H1 })
  })

  test('keeps a returned host closed while its clean-up fails', async () => {
    await evacuated()
    await scenario.fleet.setFault(H1, { do: 'return' })
    await scenario.fleet.setFault(H1, { do: 'plan', fault: { on: 'clean', nth: 1, goes: 'fail' } })
    await scenario.operators.setStatus(H1, 'up')
    await scenario.pass(0)
    expect(await host(H1)).toMatchObject({ scheduling: 'quarantined' })
    await scenario.until(async () => (await host(H1)).scheduling === 'enabled')
  })

  test('has a returned host cleaned by one server at a time, and by the next if that dies', async () => {
    const { web } = await evacuated()
    await scenario.fleet.setFault(H1, { do: 'return' })
    await scenario.pass(HOST_BOOT_MS)
    const other = { name: `leftovers of ${H1}`, owner: 'server-2', ttlMs: CLEANING_MS, now: scenario.now() }
    expect(await acquireLease(scenario.database, other)).not.toBeNull()
    await scenario.operators.setStatus(H1, 'up')
    await scenario.pass(CLEANING_MS - 1)
    expect(await scenario.fleet.survey(H1)).toMatchObject([{ instance: web, observedState: 'stopped' }])
    await scenario.until(async () => (await host(H1)).scheduling === 'enabled')
    expect(await scenario.fleet.survey(H1)).toEqual([])
  })

  test('an instance deleted while its host was dead is destroyed when the host returns', async () => {
    const web = await scenario.running({ flavor: pinned(2), host: H1 })
    await scenario.fleet.setFault(H1, { do: 'fence' })
    await scenario.operators.setStatus(H1, 'fenced')
    await scenario.operators.deleteInstance(web)
    await scenario.until(async () => (await scenario.heldFor(web)).length === 0)
    await scenario.fleet.setFault(H1, { do: 'return' })
    await scenario.operators.setStatus(H1, 'up')
    await scenario.until(async () => (await host(H1)).scheduling === 'enabled')
    expect(await scenario.fleet.survey(H1)).toEqual([])
  })

  test('to a host that then dies fails, and both hosts end up clean', async () => {
    const web = await scenario.running({ flavor: pinned(2), host: H1 })
    await scenario.fleet.setFault(H1, { do: 'fence' })
    await scenario.operators.setStatus(H1, 'fenced')
    const migration = (await scenario.operators.migrate(web, { operation: 'evacuate' }))!
    await scenario.untilStep(migration, 'transfer')
    await scenario.fleet.setFault(H2, { do: 'fence' })
    await scenario.operators.setStatus(H2, 'fenced')
    expect(await scenario.untilEnded(migration)).toMatchObject({ outcome: 'failed', home: 'source' })
    for (const id of [H1, H2]) {
      await scenario.fleet.setFault(id, { do: 'return' })
      await scenario.operators.setStatus(id, 'up')
    }
    await scenario.until(async () => (await host(H2)).scheduling === 'enabled')
    expect(await scenario.fleet.survey(H2)).toEqual([])
    expect(await scenario.fleet.survey(H1)).toMatchObject([{ instance: web, observedState: 'stopped' }])
  })
})

test('a copy that a late request started on a returned host is removed when its instance is shelved again', async () => {
  const web = await scenario.running({ flavor: pinned(2), host: H1 })
  const view = (await readInstanceView(scenario.database, web))!
  await scenario.fleet.destroy({ instance: web, host: H1, fence: view.instance.generation })
  const actor = { who: 'scenario', request: null, reason: null }
  expect(await commit(scenario.database, shelved(view, { actor, at: scenario.now() }))).toMatchObject({ ok: true })
  const runAt = vi.spyOn(scenario.fleet, 'runAt').mockResolvedValueOnce({ did: 'no-answer', why: 'it is slow' })
  const migration = (await scenario.operators.migrate(web, { operation: 'unshelve', target: H2 }))!
  await scenario.untilStep(migration, 'switch')
  await scenario.until(async () => runAt.mock.calls.length > 0)
  const [operation, side] = runAt.mock.calls[0]!
  await scenario.fleet.setFault(H2, { do: 'fence' })
  await scenario.operators.setStatus(H2, 'fenced')
  expect(await scenario.untilEnded(migration)).toMatchObject({ outcome: 'failed' })
  await scenario.fleet.setFault(H2, { do: 'return' })
  await scenario.pass(HOST_BOOT_MS)
  expect(await scenario.fleet.runAt(operation, side)).toMatchObject({ did: 'done' })
  await scenario.operators.setStatus(H2, 'up')
  await scenario.until(async () => (await host(H2)).scheduling === 'enabled')
  expect(await scenario.fleet.survey(H2)).toEqual([])
})
