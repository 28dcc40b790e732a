import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { pinned } from '../../engine/testing/guests'
import { smallHost } from '../../engine/testing/hosts'
import { commit } from '../../store/commit/commit'
import { buildOf, present, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

// What of the capacity a claim can take: not all that inventories count as free.

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

test('vGPUs of a GPU that is passed through whole are not free, and those of other GPUs are', async () => {
  expect(await vgpus()).toMatchObject({ total: 8, capacity: 8, held: 0, free: 8 })
  await build({ 'pci_passthrough:alias': 'gpu:1' }, 'whole')
  expect(await vgpus()).toMatchObject({ total: 8, capacity: 8, held: 4, free: 4 })
  expect(await overview()).toMatchObject({ used: 4, total: 8, largestFree: 4 })
})
