import { beforeAll, expect, test } from 'vitest'
import type { TransferLimits } from '@/forms/transfer-limits'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { hostId, smallHost } from '../../engine/testing/hosts'
import { pinned } from '../../engine/testing/instances'
import type { InstanceId } from '../../engine/words/ids'
import { build, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'
import { readTransferEstimate } from './transfer-estimate'
import type { MemoryMeasurement } from './transfer-limits'

// e2e/libvirt checks the hosts' answers; this checks their use, who may request them, and what is stored.

const [HERE, THERE] = [hostId(1), hostId(2)]
const MIB = 1024 ** 2

let policy: TransferLimits | null = null
let measured: MemoryMeasurement | { readonly why: string } = { why: 'the host does not answer' }
const api = onFreshDatabase((fresh) =>
  openTestApi(fresh, {
    transfers: {
      limitsOf: async () => null,
      limit: async () => false,
      policyTo: async () => policy,
      measure: async () => measured,
    },
  }),
)

let instance: InstanceId
let small: InstanceId
beforeAll(async () => {
  for (const n of [1, 2]) await putHost(api.database, smallHost({ n }))
  instance = await build(api.database, HERE, { flavor: { ...pinned(2), memoryMib: 512 }, name: 'web-1' })
  await api.settle()
})

const planned = async () =>
  (await api.as('support').migrate.plan({ for: 'migrate', instance, operation: 'live-migrate', host: THERE })).transfer
const measure = (role: 'support' | 'operator') => api.as(role).migrate.measureMemory({ instance })

test('a migration between simulated hosts has no estimate and no measurement', async () => {
  expect(await planned()).toBeNull()
  await expect(measure('operator')).rejects.toThrow(/a simulated host/)
})

test('an estimate needs a bandwidth, and with a limit it covers the disk and one round', async () => {
  policy = { bandwidthMibPerS: null, maxDowntimeMs: null }
  expect(await planned()).toMatchObject({ durationMs: null, downtimeMs: null, bandwidthFrom: null })
  policy = { bandwidthMibPerS: 100, maxDowntimeMs: 250 }
  expect(await planned()).toMatchObject({
    ...{
      diskBytes: 1024 * MIB,
      durationMs: 15_360,
      downtimeMs: null,
      converges: null,
      memoryFrom: 'flavor',
      measuredAt: null,
    },
    ...{ bandwidthFrom: 'limit', downtimeFrom: 'limit', maxDowntimeMs: 250 },
  })
})

test('an operator measures the memory, which is audited, and a failed measurement stores nothing', async () => {
  await expect(measure('support')).rejects.toThrow(/needs operator/)
  await expect(measure('operator')).rejects.toThrow(/does not answer/)
  expect((await planned())?.measuredAt).toBeNull()
  measured = { dirtyBytesPerS: 50 * MIB, residentBytes: 200 * MIB }
  await measure('operator')
  await api.settle()
  const known = { memoryBytes: 200 * MIB, dirtyBytesPerS: 50 * MIB, measuredAt: expect.any(Number), converges: true }
  expect(await planned()).toMatchObject({ ...known, memoryFrom: 'measured', downtimeMs: 250 })
  const { rows } = await api.database.pool.query(
    "select who from audit_entry where action = 'instance.memory-measured'",
  )
  expect(rows).toEqual([{ who: 'the_operator' }])
})

test('a measurement of memory that is too small for QEMU to sample is not taken for a rate', async () => {
  small = await build(api.database, HERE, { flavor: { ...pinned(1), memoryMib: 64 }, name: 'small' })
  measured = { dirtyBytesPerS: 0, residentBytes: 200 * MIB }
  await api.as('operator').migrate.measureMemory({ instance: small })
  await api.settle()
  const { transfer } = await api
    .as('support')
    .migrate.plan({ for: 'migrate', instance: small, operation: 'live-migrate', host: THERE })
  expect(transfer).toMatchObject({ dirtyBytesPerS: null, memoryBytes: 64 * MIB, converges: null })
})

test('a started migration keeps its estimate', async () => {
  await api.database.pool.query("update instance set vm_state = 'active' where id = $1", [instance])
  const expected = await planned()
  const start = { instance, operation: 'live-migrate', host: THERE } as const
  const { migration } = await api.as('operator').migrate.start(start)
  await api.settle()
  const id = migration as never
  expect((await api.as('viewer').migration.byId({ id })).transferEstimate).toEqual(expected)
  await api.database.pool.query(
    "update event set data = jsonb_set(data, '{estimate,durationMs}', '\"soon\"') where migration_id = $1",
    [id],
  )
  expect((await api.as('viewer').migration.byId({ id })).transferEstimate).toBeNull()
})

test('an estimate without a chosen target is for the host chosen by the scheduler, and for no other', async () => {
  await api.database.pool.query("update instance set vm_state = 'active' where id = $1", [small])
  const { migration } = await api.as('operator').migrate.start({ instance: small, operation: 'live-migrate' })
  await api.settle()
  const kept = (await api.as('viewer').migration.byId({ id: migration as never })).transferEstimate
  expect(kept).toMatchObject({ target: THERE, memoryBytes: 64 * MIB, bandwidthFrom: 'limit' })
  expect(readTransferEstimate(kept, THERE)).toEqual(kept)
  expect(readTransferEstimate(kept, HERE)).toBeNull()
})
