import { beforeAll, expect, test, vi } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { hostId, smallHost } from '../../engine/testing/hosts'
import { flavor, PINNED, pinned } from '../../engine/testing/instances'
import { putFlavors } from '../../store/catalog/policy'
import { addCloud, changeCloud } from '../../store/cloud/cloud'
import { commit } from '../../store/commit/commit'
import { noteSurvey } from '../../store/survey/survey'
import { buildOf, present, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

// The fleet at a glance, and how much more of a shape fits.

const [BUSY, SILENT] = [hostId(1), hostId(2)]

const api = onFreshDatabase(openTestApi)
beforeAll(async () => {
  for (const n of [1, 2]) await putHost(api.database, smallHost({ n }))
  for (const host of [BUSY, SILENT]) {
    await commit(api.database, buildOf(await present(api.database, host), { flavor: pinned(2), name: `on-${host}` }))
  }
  await api.settle()
})

const overview = () => api.as('viewer').overview.get()
/** No conductor or audit runs here, and Berth reports that; these tests are about hosts. */
const attention = async () => (await overview()).attention.filter(({ kind }) => kind !== 'health')
const cellOf = async (id: string) => (await overview()).hosts.find((host) => host.id === id)

test('a host that did not answer the last survey needs attention until it answers', async () => {
  expect(await attention()).toMatchObject([
    { kind: 'host-never-answered', host: { id: BUSY }, count: 1 },
    { kind: 'host-never-answered', host: { id: SILENT }, count: 1 },
  ])
  await noteSurvey(api.database, [{ host: SILENT, at: Date.now() - 1, guests: [] }])
  const at = Date.now()
  await noteSurvey(api.database, [
    { host: BUSY, at, guests: [] },
    { host: SILENT, at, guests: null },
  ])
  expect(await cellOf(BUSY)).toMatchObject({ contact: 'answering' })
  expect(await cellOf(SILENT)).toMatchObject({ contact: 'silent' })
  expect(await attention()).toMatchObject([{ kind: 'host-silent', host: { id: SILENT }, count: 1 }])
  await noteSurvey(api.database, [{ host: SILENT, at: at + 1, guests: [] }])
  expect(await attention()).toEqual([])
})

test('critical findings of a cloud are news while it is watched', async () => {
  const attribution = { actor: { who: 'ada', request: null, reason: null }, at: Date.now() }
  const id = crypto.randomUUID()
  await addCloud(api.database, { id, name: 'prod', settings: {}, secret: Buffer.from('sealed') }, attribution)
  expect(await attention()).toEqual([])
  const counts = { ...{ hosts: 1, instances: 1, migrating: 0 }, ...{ critical: 3, warning: 1, info: 0 } }
  const status = { ...{ at: 1, reachedAt: 1, error: null, fix: null }, counts } as never
  const statuses = vi.spyOn(api.services.clouds, 'statuses').mockResolvedValue(new Map([[id, status]]))
  expect(await attention()).toMatchObject([
    { kind: 'cloud-finding', severity: 'critical', cloud: { id, name: 'prod' }, count: 3 },
  ])
  await changeCloud(api.database, { id, enabled: false }, attribution)
  expect(await attention()).toEqual([])
  statuses.mockRestore()
})

test('the largest free amount is that of one host, not of all together', async () => {
  const { capacity } = await overview()
  const pinnedCpus = capacity.find(({ resourceClass }) => resourceClass === 'PCPU')
  expect(pinnedCpus).toBeDefined()
  const { used, total, largestFree } = pinnedCpus!
  expect(used).toBe(4)
  expect(largestFree).toBe((total - used) / 2)
})

test('capacity for a typed shape equals capacity for the same flavor', async () => {
  const { vcpus, memoryMib, diskGib, extraSpecs } = flavor(1, PINNED)
  const room = await api.as('support').capacity.fitCount({ shape: { vcpus, memoryMib, diskGib, extraSpecs } })
  expect(room.flavor).toBeNull()
  expect(room.hosts.map(({ id }) => id).sort()).toEqual([BUSY, SILENT])
  const { more } = room.hosts[0]!
  expect(room.largest).toMatchObject({ axis: 'size', shape: { vcpus: expect.any(Number) } })
  expect(room.largest.shape!.vcpus).toBeLessThanOrEqual(more)
  expect(room.largest.host).not.toBeNull()
  await putFlavors(api.database, [{ ...flavor(1, PINNED), name: 'p1' }])
  const listed = await api.as('support').capacity.fitCount({ flavor: 'p1' })
  expect(listed).toMatchObject({ flavor: 'p1', hosts: room.hosts })
  const { flavors } = await api.as('viewer').capacity.flavors()
  expect(flavors).toMatchObject([{ flavor: 'p1', more: 2 * more, exact: true }])
})

test('the largest shape of each typical kind comes with the total, and its host only from support up', async () => {
  const rows = await api.as('support').capacity.largest()
  expect(rows.map(({ kind }) => kind)).toEqual(['shared', 'pinned', 'pinned-large-pages'])
  const pinned = rows.find(({ kind }) => kind === 'pinned')!
  expect(pinned.largest.shape!.vcpus).toBeLessThan(pinned.freeCpus)
  expect(pinned.largest.host).not.toBeNull()
  const seen = await api.as('viewer').capacity.largest()
  expect(seen.map(({ largest }) => largest.host)).toEqual([null, null, null])
})

test('a host that is being drained shows the run and its progress', async () => {
  expect(await cellOf(BUSY)).toMatchObject({ run: null })
  const operator = api.as('operator')
  const ask = { kind: 'drain', host: BUSY, fallback: 'cold', helpers: true, reason: 'disks' } as const
  const { run: id } = await operator.run.plan(ask)
  expect(await cellOf(BUSY)).toMatchObject({ run: null })
  await operator.run.start({ id, reason: 'disks' })
  await api.settle()
  expect(await cellOf(BUSY)).toMatchObject({ scheduling: 'disabled', run: { id, kind: 'drain', done: 0, total: 1 } })
})

test('a request that awaits a second person needs attention until it is decided', async () => {
  const reason = 'no answer'
  const { proposal: id } = await api.as('support').proposal.create({ host: BUSY, status: 'down', reason })
  expect(await attention()).toMatchObject([{ kind: 'approval', count: 1, since: expect.any(Number) }])
  await api.as('operator').proposal.decide({ id, approve: false, reason: 'it answers' })
  expect(await attention()).toEqual([])
})
