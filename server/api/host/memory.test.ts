import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { flavor } from '../../engine/testing/instances'
import { commit } from '../../store/commit/commit'
import { buildOf, present, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

// Two NUMA nodes of 8 GiB, each with 6 GiB in huge pages: every endpoint reports the same 4 GiB of ordinary memory, and
// follows its policy.

const api = onFreshDatabase(openTestApi)
const host = smallHost({ n: 1, shared: 4, hugePages: 3072 })
const SHAPE = { vcpus: 1, memoryMib: 1024, diskGib: 0, extraSpecs: {} }

beforeAll(async () => {
  await putHost(api.database, host)
  const instance = buildOf(await present(api.database, host.id), {
    flavor: flavor(1, {}, { memoryMib: 2048 }),
    name: 'web',
  })
  await commit(api.database, instance)
  await api.settle()
})

const room = async () => (await api.as('viewer').capacity.fitCount({ shape: SHAPE })).hosts[0]?.more ?? 0
const setMemory = async (policy: 'exact' | 'nova', reason = 'as agreed') => {
  await api.as('operator').host.setMemory({ id: host.id, policy, reason })
  await api.settle()
}

test('host, map and capacity show ordinary and huge pages apart', async () => {
  const detail = await api.as('viewer').host.byId({ id: host.id })
  expect(detail.memory).toEqual({
    policy: 'exact',
    ordinary: { hugeMib: 12_288, totalMib: 4096, reservedMib: 0, capacityMib: 4096, placedMib: 0, floatingMib: 2048 },
  })
  const { cells } = await api.as('support').host.map({ id: host.id })
  expect(cells[0]).toMatchObject({ memoryMib: 8192, ordinaryMib: 2048, ordinaryUsedMib: 0 })
  const { classes } = await api.as('viewer').capacity.get()
  const rows = classes.filter(({ resourceClass }) => resourceClass === 'MEMORY_MB')
  expect(rows).toMatchObject([
    { total: 16_384, held: 2048 },
    { pages: 'ordinary', total: 4096, held: 2048, free: 2048 },
    { pages: 'huge', total: 12_288, held: 0, free: 12_288 },
  ])
  expect(await room()).toBe(2)
})

test('an operator changes the memory policy with a reason, and the audit entry names the operator', async () => {
  await setMemory('nova')
  expect(await room()).toBe(14)
  expect((await api.as('viewer').host.byId({ id: host.id })).memory.policy).toBe('nova')
  const { rows } = await api.database.pool.query(
    `select who, reason, data -> 'memory' as memory, data -> 'was' ->> 'memory' as was from audit_entry where action = 'host.memory'`,
  )
  expect(rows).toEqual([{ who: expect.any(String), reason: 'as agreed', memory: 'nova', was: 'exact' }])
  await expect(setMemory('nova')).rejects.toThrow(/already/)
  await expect(api.as('viewer').host.setMemory({ id: host.id, policy: 'exact', reason: 'x' })).rejects.toThrow()
})

test('an import keeps the policy, and an overcommitted host keeps its claims but takes no more', async () => {
  const big = buildOf(await present(api.database, host.id), { flavor: flavor(1, {}, { memoryMib: 8192 }), name: 'big' })
  await commit(api.database, big)
  await putHost(api.database, host)
  expect((await present(api.database, host.id)).memory).toBe('nova')
  await setMemory('exact')
  expect(await room()).toBe(0)
  expect((await present(api.database, host.id)).holdings).toHaveLength(2)
})
