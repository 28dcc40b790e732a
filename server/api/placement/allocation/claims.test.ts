import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../../boot/on-fresh-database'
import type { Host } from '../../../engine/host'
import { startBuild } from '../../../engine/lifecycle'
import { claimId, instanceId, smallHost } from '../../../engine/testing/hosts'
import { demandFor, IMAGE, pinned, planOn } from '../../../engine/testing/instances'
import { commit } from '../../../store/commit/commit'
import { connectDatabase } from '../../../store/database/database'
import { relayOnce } from '../../../store/event/relay'
import { readHosts } from '../../../store/host/read'
import { putHosts } from '../../../store/host/write'
import { openTestPlacement, type TestPlacement } from '../../testing/placement'

// Two writers of the same records: Berth's engine claims on a host, and a client of this API claims on its providers.

const database = onFreshDatabase(connectDatabase)
let api: TestPlacement
let other: TestPlacement
let serial = 1

beforeAll(async () => {
  api = openTestPlacement(database)
  other = openTestPlacement(database)
})

const ask: TestPlacement['ask'] = (...asked) => api.ask(...asked)

const claim = (provider: string, resources: Record<string, number>, generation: number | null = null) => ({
  ...{ allocations: { [provider]: { resources } }, project_id: 'p', user_id: 'u' },
  ...{ consumer_generation: generation, consumer_type: 'VOLUME' },
})
const put = (provider: string, resources: Record<string, number>) =>
  ask('PUT', `/allocations/${randomUUID()}`, claim(provider, resources))

/** A separate provider with this much of a class. */
async function provider(stock: Record<string, number>, parent: string | null = null): Promise<string> {
  const uuid = randomUUID()
  await ask('POST', '/resource_providers', { name: uuid, uuid, parent_provider_uuid: parent })
  const inventories = Object.fromEntries(Object.entries(stock).map(([of, total]) => [of, { total }]))
  const made = await ask('PUT', `/resource_providers/${uuid}/inventories`, {
    ...{ resource_provider_generation: 0, inventories },
  })
  expect(made.status).toBe(200)
  return uuid
}

async function host(n: number): Promise<Host> {
  const { providers, numaNodes, devices, holdings: _, leftovers: __, ...frame } = smallHost({ n, diskGib: 100 })
  const actor = { who: 'tester', request: null, reason: null }
  await putHosts(database, [{ frame, providers, numaNodes, devices }], { actor, at: Date.now() })
  const [read] = await readHosts(database, [frame.id])
  return read as Host
}

function buildOn(seen: Host) {
  const n = serial++
  const plan = planOn(seen, demandFor(pinned(1)))
  const instance = {
    id: instanceId(n),
    name: `g${n}`,
    project: 'p',
    flavor: pinned(1),
    image: IMAGE,
    zone: null,
    group: null,
  }
  const actor = { who: 'tester', request: null, reason: null }
  return startBuild(instance, { id: claimId(n), plan }, { actor, at: Date.now() })
}

const usages = async (id: string) => (await ask('GET', `/resource_providers/${id}/usages`)).json.usages
const detail = (answer: { json: { errors: { detail: string }[] } }) => answer.json.errors[0]?.detail
const code = (answer: { json: { errors: { code: string }[] } }) => answer.json.errors[0]?.code

describe('a host of Berth', () => {
  test('is claimed through both APIs, and each counts what the other took', async () => {
    const seen = await host(1)
    expect(await commit(database, buildOn(seen))).toMatchObject({ ok: true })
    expect((await usages(seen.id)).DISK_GB).toBe(1)
    expect((await put(seen.id, { DISK_GB: 100 })).status).toBe(409)
    expect((await put(seen.id, { DISK_GB: 99 })).status).toBe(204)
    const [now] = await readHosts(database, [seen.id])
    const disk = now?.providers[0]?.inventories.find(({ resourceClass }) => resourceClass === 'DISK_GB')
    expect(disk?.used).toBe(100)
  })

  test('refuses a claim that was decided before a client took an allocation', async () => {
    const seen = await host(2)
    const decided = buildOn(seen)
    expect((await put(seen.id, { DISK_GB: 1 })).status).toBe(204)
    expect(await commit(database, decided)).toMatchObject({ ok: false, conflict: { on: 'provider', id: seen.id } })
  })

  test('gets a new generation when a client changes one of its child providers', async () => {
    const seen = await host(3)
    const child = await provider({ FPGA: 2 }, seen.id)
    const [now] = await readHosts(database, [seen.id])
    expect(now?.providers.map(({ id }) => id)).toContain(child)
    const decided = buildOn(now as Host)
    expect((await put(child, { FPGA: 1 })).status).toBe(204)
    expect(await commit(database, decided)).toMatchObject({ ok: false, conflict: { on: 'provider' } })
  })

  test('protects the allocations of its instances from clients', async () => {
    const seen = await host(4)
    const change = buildOn(seen)
    await commit(database, change)
    const instance = change.event.instance as string
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PUT', claim(seen.id, { DISK_GB: 2 }, 1)],
    ] as const) {
      const answer = await ask(method, `/allocations/${instance}`, body)
      expect(answer.status).toBe(409)
      expect(detail(answer)).toContain('Berth manages')
    }
    expect((await ask('GET', `/allocations/${instance}`)).json).toMatchObject({ consumer_type: 'INSTANCE' })
    expect((await usages(seen.id)).DISK_GB).toBe(1)
  })

  test('keeps inventory that its instances use, and cannot be deleted', async () => {
    const seen = await host(5)
    await commit(database, buildOn(seen))
    const path = `/resource_providers/${seen.id}`
    const { json } = await ask('GET', `${path}/inventories`)
    const shrunk = { ...json, inventories: { ...json.inventories, PCPU: { total: 1, reserved: 1 } } }
    const answer = await ask('PUT', `${path}/inventories`, shrunk)
    expect([answer.status, code(answer)]).toEqual([409, 'placement.inventory.inuse'])
    expect((await ask('GET', `${path}/inventories`)).json).toEqual(json)
    expect((await ask('DELETE', path)).status).toBe(409)
  })
})

describe('claims', () => {
  test('distinguish no capacity from a concurrent update by their error code', async () => {
    const one = await provider({ VCPU: 2 })
    const consumer = randomUUID()
    expect((await ask('PUT', `/allocations/${consumer}`, claim(one, { VCPU: 1 }))).status).toBe(204)
    const raced = await ask('PUT', `/allocations/${consumer}`, claim(one, { VCPU: 1 }))
    expect([raced.status, code(raced)]).toEqual([409, 'placement.concurrent_update'])
    const full = await put(one, { VCPU: 2 })
    expect([full.status, code(full)]).toEqual([409, 'placement.undefined_code'])
  })

  test('of several consumers succeed together or not at all', async () => {
    const [one, two] = [await provider({ VCPU: 2 }), await provider({ VCPU: 2 })]
    const [a, b] = [randomUUID(), randomUUID()]
    const both = (amount: number) => ({ [a]: claim(one, { VCPU: 1 }), [b]: claim(two, { VCPU: amount }) })
    expect((await ask('POST', '/allocations', both(3))).status).toBe(409)
    expect(await usages(one)).toEqual({ VCPU: 0 })
    expect((await ask('POST', '/allocations', both(2))).status).toBe(204)
    expect([await usages(one), await usages(two)]).toEqual([{ VCPU: 1 }, { VCPU: 2 }])
  })

  test('can be swapped between consumers on a full provider', async () => {
    const full = await provider({ VCPU: 1 })
    const [instance, migration] = [randomUUID(), randomUUID()]
    await ask('PUT', `/allocations/${instance}`, claim(full, { VCPU: 1 }))
    const target = await provider({ VCPU: 1 })
    const moved = await ask('POST', '/allocations', {
      [migration]: claim(full, { VCPU: 1 }),
      [instance]: claim(target, { VCPU: 1 }, 1),
    })
    expect(moved.status).toBe(204)
    expect([await usages(full), await usages(target)]).toEqual([{ VCPU: 1 }, { VCPU: 1 }])
  })

  test('by many writers on one provider never exceed its capacity, and none is lost', async () => {
    const hot = await provider({ VCPU: 20 })
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, n) =>
        (n % 2 === 0 ? api : other).ask('PUT', `/allocations/${randomUUID()}`, claim(hot, { VCPU: 1 })),
      ),
    )
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(20)
    expect(answers.filter((answer) => answer.status === 409).map(code)).toEqual(
      Array.from({ length: 12 }, () => 'placement.undefined_code'),
    )
    expect(await usages(hot)).toEqual({ VCPU: 20 })
  })

  test('that touch the same providers in opposite order do not deadlock', async () => {
    const [one, two] = [await provider({ VCPU: 100 }), await provider({ VCPU: 100 })]
    const across = (first: string, second: string) =>
      ask('POST', '/allocations', {
        [randomUUID()]: claim(first, { VCPU: 1 }),
        [randomUUID()]: claim(second, { VCPU: 1 }),
      })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? across(one, two) : across(two, one))),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 204))
    expect([await usages(one), await usages(two)]).toEqual([{ VCPU: 20 }, { VCPU: 20 }])
  })
})

describe('candidates', () => {
  const candidates = (query: string, at = api) => at.ask('GET', `/allocation_candidates?${query}`)
  const count = async (query: string, at?: TestPlacement) =>
    (await candidates(query, at)).json.allocation_requests.length

  test('count what any server has just committed, before the relay numbers it', async () => {
    await ask('PUT', '/resource_classes/CUSTOM_LATE')
    const late = await provider({ CUSTOM_LATE: 1 })
    expect([await count('resources=CUSTOM_LATE:1'), await count('resources=CUSTOM_LATE:1', other)]).toEqual([1, 1])
    const consumer = randomUUID()
    await ask('PUT', `/allocations/${consumer}`, claim(late, { CUSTOM_LATE: 1 }))
    expect(await count('resources=CUSTOM_LATE:1', other)).toBe(0)
    await relayOnce(database)
    expect(await count('resources=CUSTOM_LATE:1', other)).toBe(0)
    await ask('DELETE', `/allocations/${consumer}`)
    await relayOnce(database)
    expect([await count('resources=CUSTOM_LATE:1'), await count('resources=CUSTOM_LATE:1', other)]).toEqual([1, 1])
  })

  test('count what the engine has just claimed', async () => {
    const seen = await host(6)
    const query = `resources=DISK_GB:100&in_tree=${seen.id}`
    expect(await count(query)).toBe(1)
    await commit(database, buildOn(seen))
    expect(await count(query)).toBe(0)
  })

  test('follow a provider that changes its tree, and one that is deleted', async () => {
    await ask('PUT', '/resource_classes/CUSTOM_SHAPE')
    const [top, child] = [await provider({ VCPU: 1 }), await provider({ CUSTOM_SHAPE: 1 })]
    const query = 'resources=CUSTOM_SHAPE:1,VCPU:1'
    expect(await count(query)).toBe(0)
    const moved = await ask('PUT', `/resource_providers/${child}`, { name: child, parent_provider_uuid: top })
    expect(moved.status).toBe(200)
    expect(await count(query)).toBe(1)
    expect((await ask('DELETE', `/resource_providers/${child}`)).status).toBe(204)
    expect(await count(query)).toBe(0)
  })

  test('respect the limit of the request', async () => {
    await ask('PUT', '/resource_classes/CUSTOM_MANY')
    await Promise.all(Array.from({ length: 5 }, () => provider({ CUSTOM_MANY: 1 })))
    expect([await count('resources=CUSTOM_MANY:1'), await count('resources=CUSTOM_MANY:1&limit=2')]).toEqual([5, 2])
  })
})

test('a reshape moves inventories and their allocations together or not at all', async () => {
  const root = await provider({ VGPU: 2, VCPU: 4 })
  const child = randomUUID()
  await ask('POST', '/resource_providers', { name: child, uuid: child, parent_provider_uuid: root })
  const consumer = randomUUID()
  await ask('PUT', `/allocations/${consumer}`, claim(root, { VGPU: 2, VCPU: 1 }))
  const shape = (vgpus: number) => ({
    inventories: {
      [root]: { resource_provider_generation: 2, inventories: { VCPU: { total: 4 } } },
      [child]: { resource_provider_generation: 0, inventories: { VGPU: { total: vgpus } } },
    },
    allocations: {
      [consumer]: {
        ...claim(root, { VCPU: 1 }, 1),
        allocations: { [root]: { resources: { VCPU: 1 } }, [child]: { resources: { VGPU: 2 } } },
      },
    },
  })
  const small = await ask('POST', '/reshaper', shape(1))
  expect(small.status).toBe(409)
  expect(await usages(root)).toEqual({ VGPU: 2, VCPU: 1 })
  const strange = shape(2)
  Object.assign(strange.inventories[child]?.inventories ?? {}, { CUSTOM_STRANGE: { total: 1 } })
  const unknown = await ask('POST', '/reshaper', strange)
  expect([unknown.status, detail(unknown)]).toEqual([400, expect.stringContaining('No such resource class')])
  const twice = shape(2)
  Object.assign(twice.inventories[root]?.inventories ?? {}, { CUSTOM_STRANGE: { total: 1 } })
  Object.assign(twice.inventories[child] ?? {}, { resource_provider_generation: 7 })
  const stale = await ask('POST', '/reshaper', twice)
  expect([stale.status, detail(stale)]).toEqual([409, expect.stringContaining(`conflict for provider ${child}`)])
  expect((await ask('POST', '/reshaper', shape(2))).status).toBe(204)
  expect([await usages(root), await usages(child)]).toEqual([{ VCPU: 1 }, { VGPU: 2 }])
})

test('every write records its author and the id of its request', async () => {
  const one = await provider({ VCPU: 1 })
  await put(one, { VCPU: 1 })
  const { rows } = await database.pool.query<{ who: string; action: string; request: string }>(
    `select who, action, request from audit_entry where data -> 'providers' ? $1 order by id`,
    [one],
  )
  expect(rows.map(({ action }) => action)).toEqual([
    'placement.provider-created',
    'placement.inventories',
    'placement.allocated',
  ])
  for (const { who, request } of rows) expect([who, request]).toEqual(['admin', expect.stringMatching(/^req-/)])
})
