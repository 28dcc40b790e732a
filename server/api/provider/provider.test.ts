import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { createToken } from '../../store/placement/token'
import { TEST_ATTRIBUTION } from '../../store/testing/attribution'
import { putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

// A host that Nova registers through the Placement API, as the console shows it.

const TOKEN = 'token of nova'
const [ROOT, CHILD] = [randomUUID(), randomUUID()]
const [INSTANCE, MIGRATION, OLD] = [randomUUID(), randomUUID(), randomUUID()]

const HOST = smallHost({ n: 1 })

const api = onFreshDatabase(openTestApi)

beforeAll(async () => {
  await putHost(api.database, HOST)
  const row = { id: randomUUID(), name: 'nova', role: 'operator', project: '', token: TOKEN, expiresAt: null }
  await createToken(api.database, { ...row, ...TEST_ATTRIBUTION })
  await put('POST /resource_providers', { name: 'cmp-1', uuid: ROOT })
  await put('POST /resource_providers', { name: 'cmp-1-gpu', uuid: CHILD, parent_provider_uuid: ROOT })
  await put(`PUT /resource_providers/${ROOT}/inventories`, {
    resource_provider_generation: 0,
    inventories: { VCPU: { total: 8, allocation_ratio: 2 }, MEMORY_MB: { total: 4096, reserved: 512 } },
  })
  await put(`PUT /resource_providers/${CHILD}/inventories`, {
    resource_provider_generation: 0,
    inventories: { VGPU: { total: 2 } },
  })
  await put(`PUT /resource_providers/${CHILD}/traits`, {
    resource_provider_generation: 1,
    traits: ['HW_GPU_API_VULKAN'],
  })
  await claim(INSTANCE, 'INSTANCE', {
    [ROOT]: { resources: { VCPU: 2, MEMORY_MB: 1024 } },
    [CHILD]: { resources: { VGPU: 1 } },
  })
  await claim(MIGRATION, 'MIGRATION', { [ROOT]: { resources: { VCPU: 1 } } })
  await claim(OLD, null, { [ROOT]: { resources: { VCPU: 1 } } })
  await api.settle()
})

async function put(what: string, body: object | null = null, version = '1.39') {
  const [method, path] = what.split(' ')
  const headers = {
    ...{ 'x-auth-token': TOKEN, 'content-type': 'application/json' },
    'openstack-api-version': `placement ${version}`,
  }
  const init = body === null ? {} : { body: JSON.stringify(body) }
  const request = new Request(`http://berth.test/placement${path}`, { method, headers, ...init })
  const response = await api.services.placement.respond(request)
  expect([what, response.status, await response.text()]).toEqual([
    what,
    expect.toBeOneOf([200, 201, 204]),
    expect.anything(),
  ])
}

/** A consumer without a type is written in a version that has none. */
const claim = (consumer: string, type: string | null, allocations: object) =>
  put(
    `PUT /allocations/${consumer}`,
    { allocations, project_id: 'p', user_id: 'u', consumer_generation: null, ...(type && { consumer_type: type }) },
    type === null ? '1.37' : '1.39',
  )

test('the list of trees shows inventory, allocations and the owner of each', async () => {
  const trees = await api.as('viewer').provider.trees()
  expect(trees).toMatchObject([
    { id: ROOT, name: 'cmp-1', managedBy: 'nova', providers: 2, consumers: 3, traits: ['HW_GPU_API_VULKAN'] },
    { id: HOST.id, name: 'h1', managedBy: 'berth', consumers: 0 },
  ])
  expect(trees[0]?.classes).toEqual([
    { resourceClass: 'MEMORY_MB', total: 4096, reserved: 512, capacity: 3584, held: 1024, free: 2560 },
    { resourceClass: 'VCPU', total: 8, reserved: 0, capacity: 16, held: 4, free: 12 },
    { resourceClass: 'VGPU', total: 2, reserved: 0, capacity: 2, held: 1, free: 1 },
  ])
})

test('explain counts how often a shape fits by amounts, and says what it cannot know', async () => {
  const shape = { vcpus: 3, memoryMib: 512, diskGib: 0, extraSpecs: {} }
  const plain = await api.as('viewer').explain.trees({ shape })
  expect(plain).toEqual({
    counts: { trees: 1, taking: 1 },
    trees: [{ id: ROOT, name: 'cmp-1', more: 4, limit: 'VCPU' }],
    needsPlaces: false,
  })
  const huge = await api.as('viewer').explain.trees({ shape: { ...shape, vcpus: 13 } })
  expect(huge.counts).toEqual({ trees: 1, taking: 0 })
  const placed = await api.as('viewer').explain.trees({ shape: { ...shape, extraSpecs: { 'hw:numa_nodes': '1' } } })
  expect(placed.needsPlaces).toBe(true)
})

test('a tree shows its providers, its consumers with their types, and the author of each write', async () => {
  const tree = await api.as('viewer').provider.tree({ id: ROOT })
  expect(tree.providers.map(({ name, depth }) => [name, depth])).toEqual([
    ['cmp-1', 0],
    ['cmp-1-gpu', 1],
  ])
  const types = new Map(tree.consumers.map(({ id, type }) => [id, type]))
  expect([types.get(INSTANCE), types.get(MIGRATION), types.get(OLD)]).toEqual(['INSTANCE', 'MIGRATION', null])
  const instance = tree.consumers.find(({ id }) => id === INSTANCE)
  expect(instance?.amounts).toContainEqual({ provider: CHILD, resourceClass: 'VGPU', amount: 1 })
  expect(tree.events.map(({ kind }) => kind)).toContain('placement.provider-created')
  expect(new Set(tree.events.map(({ who }) => who))).toEqual(new Set(['token nova']))
})

test('a child provider opens its tree, and the tree of a Berth host has no count of what fits', async () => {
  expect(await api.as('viewer').provider.tree({ id: CHILD })).toMatchObject({ id: ROOT, managedBy: 'nova' })
  const host = await api.as('viewer').provider.tree({ id: HOST.id })
  expect(host).toMatchObject({ id: HOST.id, name: 'h1', managedBy: 'berth', fits: [] })
  expect(host.providers[0]?.inventories.length).toBeGreaterThan(0)
})

test('an unknown tree is refused as not found', async () => {
  await expect(api.as('viewer').provider.tree({ id: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('the ledger shows foreign consumers with type, project and author, without a missing claim', async () => {
  const { rows } = await api.as('viewer').ledger.list({ provider: ROOT })
  const row = rows.find(({ consumer }) => consumer.id === MIGRATION)
  expect(row).toMatchObject({
    consumer: { kind: 'other', type: 'MIGRATION', project: 'p' },
    ...{ provider: { root: ROOT, name: 'cmp-1' }, host: null, claim: null },
    wrote: { who: 'token nova' },
  })
  expect((await api.as('viewer').ledger.list({ provider: ROOT, odd: true })).total).toBe(0)
})

test('a swap marks both halves of a migration until it ends, and shapes count both', async () => {
  const [instance, migration] = [randomUUID(), randomUUID()]
  const amounts = { allocations: { [ROOT]: { resources: { VCPU: 3, MEMORY_MB: 64 } } }, project_id: 'p', user_id: 'u' }
  const nothing = { ...amounts, allocations: {} }
  await put(`PUT /allocations/${instance}`, { ...amounts, consumer_generation: null }, '1.36')
  const both = {
    [migration]: { ...amounts, consumer_generation: null },
    [instance]: { ...nothing, consumer_generation: 1 },
  }
  await put('POST /allocations', both, '1.36')
  const fleet = () => api.as('viewer').provider.foreign()
  const vcpus = (of: number) => [
    { resourceClass: 'MEMORY_MB', amount: 64 },
    { resourceClass: 'VCPU', amount: of },
  ]
  expect(await fleet()).toMatchObject({
    ...{ trees: 1, consumers: { instances: 1, migrations: 2, unknown: 1, others: 0 }, swapCount: 1 },
    swaps: [{ migration, instance, source: 'cmp-1', target: null, amounts: vcpus(3) }],
    shapes: expect.arrayContaining([{ amounts: vcpus(3), consumers: 1, migrations: 1 }]),
  })
  await put(`PUT /allocations/${instance}`, { ...amounts, consumer_generation: null }, '1.36')
  const halves = async () => {
    const { consumers } = await api.as('viewer').provider.tree({ id: ROOT })
    return [migration, instance].map((id) => consumers.find((each) => each.id === id)?.swap?.role)
  }
  expect(await halves()).toEqual(['migration', 'instance'])
  expect(await fleet()).toMatchObject({
    consumers: { instances: 2 },
    swaps: [{ target: 'cmp-1' }],
    shapes: expect.arrayContaining([{ amounts: vcpus(3), consumers: 2, migrations: 1 }]),
  })
  const row = (await api.as('viewer').ledger.list({ provider: ROOT })).rows.find(
    ({ consumer }) => consumer.id === migration,
  )
  expect(row?.consumer).toMatchObject({ type: null, swap: { role: 'migration', other: instance } })
  await put(`DELETE /allocations/${migration}`)
  expect(await halves()).toEqual([undefined, undefined])
  expect(await fleet()).toMatchObject({ swapCount: 0, consumers: { unknown: 2 } })
  await put(`DELETE /allocations/${instance}`)
})

test('capacity counts the trees of Nova separately', async () => {
  const { trees, classes } = await api.as('viewer').capacity.get()
  expect(trees.find(({ resourceClass }) => resourceClass === 'VCPU')).toMatchObject({ capacity: 16, held: 4, free: 12 })
  expect(classes.find(({ resourceClass }) => resourceClass === 'VGPU')).toBeUndefined()
})
