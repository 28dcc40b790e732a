import type http from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openPlacement, placementSettings } from '../api/placement/opened'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { type PlacementContents, readContents } from '../cloud/adopt/contents'
import { copyContents } from '../cloud/adopt/copy'
import { differencesBetween } from '../cloud/adopt/differences'
import { type CloudClient, openCloud } from '../cloud/client'
import { openTransport, type Transport } from '../cloud/http/transport'
import { emptyCloud } from '../cloud/testing/cloud-state'
import { type ReplayedCloud, replayCloud } from '../cloud/testing/replayed-cloud'
import { ProviderForest } from '../fleet/candidates-forest'
import { connectDatabase } from '../store/database/database'

// A copy of a Placement has the same contents, and a second copy follows all changes.

function placementOn({ url }: { readonly url: string }) {
  const database = connectDatabase({ url })
  const server = openPlacement({
    ...{ database, forest: new ProviderForest(database), log: pino({ level: 'silent' }), now: () => Date.now() },
    ...{ newId: () => crypto.randomUUID(), chance: () => 0 },
    settings: placementSettings({ BERTH_PLACEMENT_AUTH: 'noauth2', BERTH_PLACEMENT_PROFILE: 'open' }),
  }).server()
  return { database, server, close: () => database.close() }
}

const original = onFreshDatabase(placementOn)
const copied = onFreshDatabase(placementOn)
let cloud: ReplayedCloud
let transport: Transport
let from: CloudClient
let to: CloudClient

async function addressOf(server: http.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  cloud = await replayCloud(emptyCloud(0, Date.UTC(2026, 10, 26)))
  transport = await openTransport(cloud.settings.tls)
  const at = async (server: http.Server) => {
    const endpoints = { ...cloud.settings.endpoints, placement: await addressOf(server) }
    return openCloud({ ...cloud.settings, endpoints }, { requestsPerSecond: 10_000 })
  }
  ;[from, to] = [await at(original.server), await at(copied.server)]
})
afterAll(async () => {
  await Promise.all([from.close(), to.close(), transport.close(), cloud.close()])
  for (const { server } of [original, copied]) server.closeAllConnections()
  for (const { server } of [original, copied]) await new Promise((resolve) => server.close(resolve))
})

/** Sends a request to the original, which may refuse it. */
async function ask(call: string, body: unknown, version = '1.39'): Promise<number> {
  const [method = '', path] = call.split(' ')
  const headers = {
    ...{ 'x-auth-token': 'nova', 'content-type': 'application/json' },
    'openstack-api-version': `placement ${version}`,
  }
  const url = `${from.settings.endpoints.placement}${path}`
  return (await fetch(url, { method, headers, ...(body !== null && { body: JSON.stringify(body) }) })).status
}

const CLASSES = ['VCPU', 'MEMORY_MB', 'CUSTOM_LICENSE'] as const
const TRAITS = ['HW_CPU_X86_AVX2', 'CUSTOM_GOLD', 'CUSTOM_SILVER'] as const
const idOf = (kind: number, number: number) =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`
const PROVIDERS = 5
const generationOf = async (id: string) =>
  (await from.get({ service: 'placement', path: `/resource_providers/${id}`, answer: anything })).value.generation

const anything = z.looseObject({ generation: z.number() })

const provider = fc.nat(PROVIDERS - 1)
const inventory = fc.record({
  total: fc.integer({ min: 1, max: 64 }),
  allocation_ratio: fc.constantFrom(1, 1.5, 16.25),
  step_size: fc.constantFrom(1, 2),
})
const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ do: fc.constant('provider' as const), provider, name: fc.nat(6) },
      parent: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: provider }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ do: fc.constant('inventories' as const), provider },
      rows: fc.record({ VCPU: inventory, MEMORY_MB: inventory, CUSTOM_LICENSE: inventory }, { requiredKeys: ['VCPU'] }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('traits' as const), provider, traits: fc.subarray([...TRAITS]) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ do: fc.constant('aggregates' as const), provider },
      aggregates: fc.subarray([idOf(9, 1), idOf(9, 2)]),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      ...{ do: fc.constant('claim' as const), consumer: fc.nat(7) },
      type: fc.constantFrom(null, 'INSTANCE', 'MIGRATION'),
      held: fc.uniqueArray(
        fc.record({ provider, name: fc.constantFrom('VCPU', ...CLASSES), amount: fc.integer({ min: 1, max: 20 }) }),
        { selector: ({ provider: of }) => of, maxLength: 2 },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), provider }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

async function change(each: Step): Promise<void> {
  const id = 'provider' in each ? idOf(1, each.provider) : ''
  const path = `/resource_providers/${id}`
  const generation = async () => ({ resource_provider_generation: await generationOf(id).catch(() => 0) })
  switch (each.do) {
    case 'provider': {
      const parent = each.parent === null ? null : idOf(1, each.parent)
      const made = await ask('POST /resource_providers', {
        ...{ uuid: id, name: `node-${each.name}` },
        ...(parent !== null && { parent_provider_uuid: parent }),
      })
      if (made === 409) await ask(`PUT ${path}`, { name: `node-${each.name}`, parent_provider_uuid: parent })
      return
    }
    case 'inventories':
      return void (await ask(`PUT ${path}/inventories`, { ...(await generation()), inventories: each.rows }))
    case 'traits':
      return void (await ask(`PUT ${path}/traits`, { ...(await generation()), traits: each.traits }))
    case 'aggregates':
      return void (await ask(`PUT ${path}/aggregates`, { ...(await generation()), aggregates: each.aggregates }))
    case 'delete':
      return void (await ask(`DELETE ${path}`, null))
    case 'claim': {
      const consumer = idOf(2, each.consumer)
      await ask(`DELETE /allocations/${consumer}`, null)
      const allocations = Object.fromEntries(
        each.held.map(({ provider: of, name, amount }) => [idOf(1, of), { resources: { [name]: amount } }]),
      )
      const of = { project_id: `p${each.consumer}`, user_id: 'u', consumer_generation: null }
      const typed = each.type === null ? {} : { consumer_type: each.type }
      await ask(`PUT /allocations/${consumer}`, { allocations, ...of, ...typed }, each.type === null ? '1.28' : '1.38')
    }
  }
}

const row = (total: number) => ({ VCPU: { total, allocation_ratio: 1, step_size: 1 } }) as const
/** Steps that reach every required kind: random steps alone miss one every few dozen runs. */
const EACH_KIND: Step[] = [
  { do: 'provider', provider: 0, name: 0, parent: null },
  { do: 'provider', provider: 1, name: 1, parent: 0 },
  { do: 'inventories', provider: 0, rows: row(64) },
  { do: 'inventories', provider: 1, rows: row(64) },
  { do: 'claim', consumer: 0, type: 'INSTANCE', held: [{ provider: 0, name: 'VCPU', amount: 20 }] },
  { do: 'claim', consumer: 1, type: null, held: [{ provider: 1, name: 'VCPU', amount: 1 }] },
  { do: 'inventories', provider: 0, rows: row(1) },
]

/** The kinds that the runs reached, so that the test fails if the generator makes nothing. */
const reached = new Set<string>()
function note({ providers, consumers }: PlacementContents): void {
  const used = new Map<string, number>()
  for (const { type, allocations } of consumers.values()) {
    reached.add(type === 'unknown' ? 'untyped' : 'typed')
    for (const [id, amounts] of Object.entries(allocations))
      for (const [name, amount] of Object.entries(amounts))
        used.set(`${id} ${name}`, (used.get(`${id} ${name}`) ?? 0) + amount)
  }
  for (const { id, parent, inventories } of providers.values()) {
    if (parent !== null) reached.add('child')
    for (const [name, { total, reserved, allocation_ratio: ratio }] of Object.entries(inventories))
      if ((used.get(`${id} ${name}`) ?? 0) > (total - reserved) * ratio) reached.add('over-full')
  }
}

const differences = async () => differencesBetween(await readContents(from), await readContents(to))

describe('a copy of a Placement', () => {
  test('equals the original, whatever changed there since the previous copy', async () => {
    await ask('PUT /resource_classes/CUSTOM_LICENSE', null)
    for (const name of ['CUSTOM_GOLD', 'CUSTOM_SILVER']) await ask(`PUT /traits/${name}`, null)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 50 }), async (steps) => {
        for (const each of steps) await change(each)
        const contents = await readContents(from)
        note(contents)
        await copyContents({ client: to, transport }, contents)
        expect((await differences()).filter(({ about }) => about !== 'extra')).toEqual([])
        expect(await copyContents({ client: to, transport }, await readContents(from))).toBe(0)
      }),
      { numRuns: Number(process.env.ADOPT_RUNS ?? 25), examples: [[EACH_KIND]] },
    )
    expect([...reached].sort()).toEqual(['child', 'over-full', 'typed', 'untyped'])
  })
})
