import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../../boot/on-fresh-database'
import { connectDatabase } from '../../../store/database/database'
import { NOAUTH_ENV, openTestPlacement } from '../../testing/placement'
import { placementSettings } from '../opened'
import { candidateSettings } from './settings'

const database = onFreshDatabase(connectDatabase)

beforeAll(async () => {
  for (const name of ['a', 'b', 'c']) {
    const root = await provider(name, null)
    for (const n of [1, 2]) await provider(`${name}${n}`, root)
  }
})

type Env = Readonly<Record<string, string>>

async function ask(method: string, path: string, { env = {}, body }: { env?: Env; body?: unknown } = {}) {
  const settings = placementSettings({ ...NOAUTH_ENV, ...env })
  const api = openTestPlacement(database, { chance: Math.random, settings })
  return (await api.ask(method, path, body)).json
}

async function provider(name: string, parent: string | null): Promise<string> {
  const uuid = randomUUID()
  await ask('POST', '/resource_providers', { body: { name, uuid, parent_provider_uuid: parent } })
  const inventories = parent === null ? {} : { VGPU: { total: 1 } }
  await ask('PUT', `/resource_providers/${uuid}/inventories`, {
    body: { resource_provider_generation: 0, inventories },
  })
  return uuid
}

/** Names of the providers that offer a single device. */
async function offered(env: Env, more = ''): Promise<string[]> {
  const { resource_providers: all } = await ask('GET', '/resource_providers')
  const names = new Map<string, string>(all.map((each: { uuid: string; name: string }) => [each.uuid, each.name]))
  const { allocation_requests: requests } = await ask('GET', `/allocation_candidates?resources=VGPU:1${more}`, { env })
  return requests.map((each: { allocations: object }) => names.get(Object.keys(each.allocations)[0] ?? ''))
}

describe('candidates', () => {
  test('are sorted by tree name, depth first', async () => {
    expect(await offered({})).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2'])
    expect(await offered({}, '&limit=3')).toEqual(['a1', 'a2', 'b1'])
  })

  test('alternate between trees, breadth first', async () => {
    const env = { BERTH_PLACEMENT_STRATEGY: 'breadth-first' }
    expect(await offered(env)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
    expect(await offered(env, '&limit=4')).toEqual(['a1', 'b1', 'c1', 'a2'])
  })

  test('never exceed the configured maximum, whatever the limit is', async () => {
    const env = { BERTH_PLACEMENT_MAX_CANDIDATES: '2' }
    expect(await offered(env)).toEqual(['a1', 'a2'])
    expect(await offered(env, '&limit=5')).toEqual(['a1', 'a2'])
    expect(await offered(env, '&limit=1')).toEqual(['a1'])
  })

  test('are spread over trees when randomized, and complete without a limit', async () => {
    const env = { BERTH_PLACEMENT_RANDOMIZE: 'yes' }
    expect((await offered(env)).sort()).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2'])
    const three = await offered(env, '&limit=3')
    expect(three.map((name) => name[0]).sort()).toEqual(['a', 'b', 'c'])
  })
})

test.each([
  ['BERTH_PLACEMENT_STRATEGY', 'wide', /one of depth-first, breadth-first; it is `wide`/],
  ['BERTH_PLACEMENT_RANDOMIZE', 'True', /`yes` or `no`; it is `True`/],
  ['BERTH_PLACEMENT_MAX_CANDIDATES', '0', /above 0, or -1 for all; it is `0`/],
  ['BERTH_PLACEMENT_MAX_CANDIDATES', '1e3', /above 0/],
])('%s refuses the value %s', (name, value, message) => {
  expect(() => candidateSettings({ [name]: value })).toThrow(message)
})
