import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { hostId, smallHost } from '../../engine/testing/hosts'
import { pinned } from '../../engine/testing/instances'
import { putFlavors } from '../../store/catalog/policy'
import { commit } from '../../store/commit/commit'
import { noteSurvey } from '../../store/survey/survey'
import { buildOf, present, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

// The capacity that a claim can take, which is less than inventories count as free.

const api = onFreshDatabase(openTestApi)
const host = smallHost({ n: 1, vgpus: 4, layout: 'nested' })
beforeAll(async () => {
  await putHost(api.database, host)
  const other = smallHost({ n: 2, vgpus: 4, layout: 'nested' })
  const providers = other.providers.map((each) => (each.name === 'gpu0' ? { ...each, name: 'gpu1' } : each))
  await putHost(api.database, { ...other, providers })
  await api.settle()
})

const build = async (extraSpecs: Readonly<Record<string, string>>, name: string) => {
  await commit(api.database, buildOf(await present(api.database, host.id), { flavor: pinned(2, extraSpecs), name }))
  await api.settle()
}
const vgpus = async () =>
  (await api.as('viewer').capacity.get()).classes.find(({ resourceClass }) => resourceClass === 'VGPU')
const overview = async () =>
  (await api.as('viewer').overview.get()).capacity.find(({ resourceClass }) => resourceClass === 'VGPU')

test('what fits on hosts that never answered is counted apart, and their free capacity is available nowhere', async () => {
  await putFlavors(api.database, [pinned(2, {}, { name: 'small' })])
  const viewer = api.as('viewer')
  const facts = async () => {
    const [{ flavors }, { hosts }, { counts }, { classes }] = await Promise.all([
      ...([viewer.capacity.flavors(), viewer.capacity.fitCount({ flavor: 'small' })] as const),
      ...([viewer.explain.get({ flavor: 'small' }), viewer.capacity.get()] as const),
    ])
    const { free, closed } = classes.find(({ resourceClass }) => resourceClass === 'PCPU') ?? { free: 0, closed: -1 }
    const [small] = flavors
    const answering = hosts.filter(({ answers }) => answers).map(({ id }) => id)
    return {
      more: small?.more,
      unanswered: small?.unanswered,
      answering,
      ok: counts.ok,
      quiet: counts.unanswered,
      free,
      closed,
    }
  }
  const before = await facts()
  expect(before).toMatchObject({ more: 0, answering: [], ok: 2, quiet: 2, closed: before.free })
  await noteSurvey(api.database, [{ host: host.id, at: Date.now(), guests: [] }])
  const half = (before.unanswered ?? 0) / 2
  expect(half).toBeGreaterThan(0)
  expect(await facts()).toMatchObject({
    ...{ more: half, unanswered: half, answering: [host.id], ok: 2, quiet: 1 },
    ...{ free: before.free, closed: before.free / 2 },
  })
})

test('vGPUs of a GPU that is passed through whole are not free, and those of other GPUs are', async () => {
  expect(await vgpus()).toMatchObject({ total: 8, capacity: 8, held: 0, free: 8 })
  await build({ 'pci_passthrough:alias': 'gpu:1' }, 'whole')
  expect(await vgpus()).toMatchObject({ total: 8, capacity: 8, held: 4, free: 4 })
  expect(await overview()).toMatchObject({ used: 4, total: 8, largestFree: 0 })
  await noteSurvey(api.database, [{ host: hostId(2), at: Date.now(), guests: [] }])
  expect(await overview()).toMatchObject({ used: 4, total: 8, largestFree: 4 })
})
