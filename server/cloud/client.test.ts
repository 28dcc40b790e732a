import { setImmediate as nextTurn } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { serverSchema } from './answers/nova'
import { providersSchema } from './answers/placement'
import { type ClientOptions, type CloudClient, openCloud } from './client'
import { CloudError } from './http/errors'
import { Secret } from './settings/secret'
import { boot, emptyCloud } from './testing/cloud-state'
import { type Fault, type ReplayedCloud, type ReplayOptions, replayCloud, TOKEN_PREFIX } from './testing/replayed-cloud'

const CATALOG = '/identity/v3/auth/catalog'
const AT = Date.UTC(2026, 10, 25, 12)

const open: { cloud: ReplayedCloud; client: CloudClient }[] = []

async function connect(options: ReplayOptions & ClientOptions = {}) {
  const state = emptyCloud(2, AT)
  for (let count = 0; count < 7; count++) boot(state, 'cmp1')
  const cloud = await replayCloud(state, { deadlineMs: 3_000, ...options })
  const client = await openCloud(cloud.settings, { requestsPerSecond: 1_000, retryAfterMs: 1, ...options })
  open.push({ cloud, client })
  return { cloud, client }
}

afterEach(async () => {
  for (const { cloud, client } of open.splice(0)) await Promise.all([client.close(), cloud.close()])
})

const servers = (client: CloudClient) =>
  client.list({
    ...{ service: 'compute', path: '/servers/detail', query: { all_tenants: '1' }, key: 'servers' },
    item: serverSchema,
    idOf: ({ id }) => id,
  })

const providers = (client: CloudClient) =>
  client.get({ service: 'placement', path: '/resource_providers', answer: providersSchema })

const markerOf = (request: string): string | null => /[?&]marker=([^&]+)/.exec(request)?.[1] ?? null

async function errorOf(work: Promise<unknown>): Promise<CloudError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof CloudError) return error
  throw new Error(`no CloudError: ${error}`)
}

describe('the client of a cloud', () => {
  it('signs in once, reads all pages and adopts the time of the cloud', async () => {
    const { cloud, client } = await connect()
    const { value, at } = await servers(client)
    expect(value.map(({ id }) => id)).toEqual(cloud.state.servers.map(({ id }) => id))
    expect(at).toBe(AT)
    await providers(client)
    expect(cloud.log.filter((line) => line.startsWith('POST'))).toEqual(['POST /identity/v3/auth/tokens'])
  })

  it.each<[title: string, lost: (rows: readonly string[], marker: number) => readonly (string | undefined)[]]>([
    ['the last row of a page', (rows, marker) => [rows[marker]]],
    ['the whole page', (rows, marker) => rows.slice(marker - 2, marker + 1)],
    ['every row read so far', (rows, marker) => rows.slice(0, marker + 1)],
  ])('lists all other rows when %s is deleted before the next page is read', async (_, lost) => {
    const onRequest = (request: string) => {
      const marker = markerOf(request)
      const ids = cloud.state.servers.map(({ id }) => id)
      if (marker !== ids[5]) return
      for (const server of [...cloud.state.servers])
        if (lost(ids, 5).includes(server.id)) Object.assign(server, { status: 'DELETED' })
    }
    const { cloud, client } = await connect({ onRequest })
    for (let count = 0; count < 4; count++) boot(cloud.state, 'cmp2')
    const { value } = await servers(client)
    const left = cloud.state.servers.filter(({ status }) => status !== 'DELETED').map(({ id }) => id)
    expect(left.length).toBeLessThan(11)
    expect(value.map(({ id }) => id)).toEqual(expect.arrayContaining(left))
  })

  it('fails if a page is refused however often it is read', async () => {
    const onRequest = (request: string) => {
      const marker = markerOf(request)
      for (const server of cloud.state.servers) if (server.id === marker) Object.assign(server, { status: 'DELETED' })
      if (marker !== null) boot(cloud.state, 'cmp1')
    }
    const { cloud, client } = await connect({ onRequest })
    expect(await errorOf(servers(client))).toMatchObject({ status: 400 })
    expect(cloud.log.length).toBeLessThan(200)
  })

  it('never steps its clock back for a delayed response', async () => {
    const clock = { ms: 0 }
    const { cloud, client } = await connect({ monotonicMs: () => clock.ms })
    const reading = async (after: { cloudMs: number; ourMs: number }) => {
      cloud.state.clockMs += after.cloudMs
      clock.ms += after.ourMs
      await providers(client)
      return (client.now() ?? 0) - AT
    }
    expect(await reading({ cloudMs: 0, ourMs: 0 })).toBe(0)
    expect(await reading({ cloudMs: 4_000, ourMs: 10_000 })).toBe(9_990)
    expect(await reading({ cloudMs: 8_000, ourMs: 1_000 })).toBe(12_000)
    expect(client.clockSteps).toBe(0)
    expect(await reading({ cloudMs: -3_600_000, ourMs: 1_000 })).toBe(12_000 - 3_600_000)
    expect(client.clockSteps).toBe(1)
  })

  it('keeps unknown fields of a row', async () => {
    const { cloud, client } = await connect()
    Object.assign(cloud.state.servers[0] ?? {}, { 'os-new:field': { deep: 1 } })
    expect((await servers(client)).value[0]).toMatchObject({ 'os-new:field': { deep: 1 } })
  })

  it.each<[string, Fault]>([
    ['a late response', 'late'],
    ['a lost connection', 'reset'],
    ['a truncated response', 'truncated'],
    ['a conflict', 409],
    ['an internal error of the service', 500],
    ['a busy service', 503],
    ['a refused token', 401],
  ])('retries after %s', async (_, fault) => {
    const { cloud, client } = await connect()
    await client.range('placement')
    cloud.fail([fault])
    expect((await providers(client)).value.resource_providers).toHaveLength(2)
    const tokens = cloud.log.filter((line) => line.startsWith('POST')).length
    expect(tokens).toBe(fault === 401 ? 2 : 1)
  })

  it('signs in a second time only once, even if the fresh token is refused too', async () => {
    const { cloud, client } = await connect()
    await client.range('placement')
    cloud.fail([401, 401, 401])
    expect(await errorOf(providers(client))).toMatchObject({ kind: 'not-authenticated', status: 401 })
    expect(cloud.log.filter((line) => line.startsWith('POST'))).toHaveLength(2)
  })

  it('stops after its retries with the error text of the service', async () => {
    const { cloud, client } = await connect({ retries: 2 })
    await client.range('compute')
    cloud.fail(Array(9).fill(500))
    const error = await errorOf(servers(client))
    expect(error).toMatchObject({ kind: 'failed', status: 500 })
    expect(error.message).toContain('Nova GET /servers/detail?all_tenants=1&limit=1000: answers 500: made to fail')
    expect(cloud.log.filter((line) => line.includes('/servers/detail'))).toHaveLength(3)
  })

  it('does not retry a read that the account is forbidden', async () => {
    const { cloud, client } = await connect({ answers: { '/placement/resource_providers': { status: 403 } } })
    expect(await errorOf(providers(client))).toMatchObject({ kind: 'forbidden', status: 403 })
    expect(cloud.log.filter((line) => line.includes('/resource_providers'))).toHaveLength(1)
  })

  it('follows a changed endpoint in the catalog while its token is valid', async () => {
    const endpoint = (url: string) => [{ interface: 'public', region_id: 'RegionOne', url }]
    const catalog = [
      { type: 'compute', endpoints: endpoint('http://nova.example/v2.1') },
      { type: 'placement', endpoints: endpoint('http://moved.example') },
    ]
    const { cloud, client } = await connect({ answers: { [CATALOG]: { status: 200, body: { catalog } } } })
    expect(await client.endpoint('placement')).toContain('127.0.0.1')
    await client.readCatalog(0)
    expect(await client.endpoint('placement')).toBe('http://moved.example')
    await client.readCatalog(60_000)
    expect(cloud.log.filter((line) => line.endsWith(CATALOG))).toHaveLength(1)
    expect(cloud.log.filter((line) => line.startsWith('POST'))).toHaveLength(1)
  })

  it.each([
    ['http://nova.example:8774/', 'http://nova.example:8774/v2.1'],
    ['http://nova.example/compute', 'http://nova.example/compute/v2.1'],
    ['http://nova.example/compute/v2.1/', 'http://nova.example/compute/v2.1'],
    ['http://nova.example/v2/0a1b2c', 'http://nova.example/v2'],
  ])('reads Nova of the catalog address %s at %s', async (url, address) => {
    const catalog = [{ type: 'compute', endpoints: [{ interface: 'public', region_id: 'RegionOne', url }] }]
    const { cloud, client } = await connect({ answers: { [CATALOG]: { status: 200, body: { catalog } } } })
    await client.readCatalog(0)
    expect(await client.endpoint('compute')).toBe(address)
    const overriding = { ...cloud.settings, endpoints: { compute: url, placement: null } }
    const overridden = await openCloud(overriding)
    open.push({ cloud, client: overridden })
    expect(await overridden.endpoint('compute')).toBe(address)
  })

  it('reads the microversions of a service again when it refuses one', async () => {
    const answers: Record<string, { status: number; body?: unknown }> = {}
    const { cloud, client } = await connect({ answers })
    const reading = async (max: string) => {
      answers['/placement/'] = { status: 200, body: { versions: [{ min_version: '1.0', max_version: max }] } }
      await providers(client)
      return client.microversion('placement')
    }
    expect(await reading('1.39')).toBe('1.39')
    cloud.fail([406])
    expect(await reading('1.36')).toBe('1.36')
    cloud.fail([406, null, 406])
    expect(await errorOf(providers(client))).toMatchObject({ kind: 'refused', status: 406 })
  })

  it('notices that a service was upgraded', async () => {
    const clock = { ms: 0 }
    const answers: Record<string, { status: number; body?: unknown }> = {}
    const { cloud, client } = await connect({ answers, monotonicMs: () => clock.ms })
    const versions = (max: string) => ({ versions: [{ min_version: '1.0', max_version: max }] })
    answers['/placement/'] = { status: 200, body: versions('1.36') }
    expect(await client.microversion('placement')).toBe('1.36')
    answers['/placement/'] = { status: 200, body: versions('1.39') }
    clock.ms += 60_000
    expect(await client.microversion('placement')).toBe('1.36')
    clock.ms += 600_000
    expect(await client.microversion('placement')).toBe('1.39')
    expect(cloud.log.filter((line) => line === 'GET /placement/')).toHaveLength(2)
  })

  it('keeps its catalog when the account may not read it again', async () => {
    const { client } = await connect({ answers: { [CATALOG]: { status: 403 } } })
    const before = await client.endpoint('placement')
    await client.readCatalog(0)
    expect(await client.endpoint('placement')).toBe(before)
  })

  it('reports an unreachable cloud', async () => {
    const { cloud, client } = await connect()
    await cloud.close()
    expect(await errorOf(client.token())).toMatchObject({ kind: 'unreachable' })
  })

  it('stays within its request budget per second', async () => {
    const { client } = await connect({ requestsPerSecond: 2 })
    const begun = performance.now()
    await Promise.all([providers(client), providers(client), providers(client)])
    // Token, root and three lists: the third and the fifth each wait for the next window.
    expect(performance.now() - begun).toBeGreaterThan(1_900)
  })

  it('rejects queued requests when it is closed', async () => {
    const { client } = await connect({ requestsPerSecond: 1 })
    const waiting = Promise.allSettled([providers(client), providers(client), servers(client)])
    await client.close()
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  })

  it.each<[string, Fault, number]>([
    ['of its requests', 'late', 1],
    ['of its retries', 500, 60_000],
  ])('says in the middle %s that it was closed', async (_, fault, retryAfterMs) => {
    const { cloud, client } = await connect({ retryAfterMs })
    await client.range('placement')
    cloud.fail([fault])
    const error = errorOf(providers(client))
    while (!cloud.log.some((line) => line.includes('/resource_providers'))) await nextTurn()
    await client.close()
    expect(await error).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('was closed') })
  })
})

describe('a secret of the client', () => {
  it('is in no error and in no printed client', async () => {
    const echoed = { status: 400, body: { badRequest: { message: `token ${TOKEN_PREFIX}-1 is not good` } } }
    const { cloud, client } = await connect({ answers: { '/placement/resource_providers': echoed } })
    const wrong = await openCloud({
      ...cloud.settings,
      credential: { ...cloud.settings.credential, password: new Secret('a-wrong-password') } as never,
    })
    const errors = [await errorOf(providers(client)), await errorOf(wrong.token())]
    await wrong.close()
    expect(errors.map(({ kind }) => kind)).toEqual(['refused', 'not-authenticated'])
    for (const shown of [...errors, client, wrong, cloud.settings]) {
      const texts = [String(shown), JSON.stringify(shown), inspect(shown, { depth: 12, showHidden: true })]
      for (const text of texts) expect(text).not.toMatch(/replayed-token-|replayed-password|a-wrong-password/)
    }
  })
})
