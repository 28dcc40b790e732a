import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase } from '../../store/database/database'
import { openTestPlacement, type TestPlacement } from '../testing/placement'

// Invalid bodies and paths, and which of several errors is reported.

const database = onFreshDatabase(connectDatabase)
let api: TestPlacement

beforeAll(() => {
  api = openTestPlacement(database)
})

async function ask(method: string, path: string, body?: string | Buffer<ArrayBuffer>) {
  const { status, json } = await api.ask(method, path, body)
  return { status, json, detail: String(json?.errors?.[0]?.detail).split('\n\n ')[1]?.trim() }
}

describe('a character that the database cannot store', () => {
  const UNKEPT = 'A text in the body has the character NUL or half a surrogate pair, which cannot be kept.'
  test.each(['a\\u0000b', '\\ud800', 'x\\\\\\u0000', '\\uDC00'])('is refused in a name: %s', async (name) => {
    const { status, detail } = await ask('POST', '/resource_providers', `{"name":"${name}"}`)
    expect([status, detail]).toEqual([400, UNKEPT])
  })
  test.each(['/traits/%00', '/resource_providers?name=%00', '/resource_providers/%00/usages'])(
    'is refused in %s',
    async (path) => {
      const { status, detail } = await ask('GET', path)
      expect([status, detail]).toEqual([400, 'The URL contains the character NUL, which no name and no id contains.'])
    },
  )
  test.each(['\\u00e9', '\\ud83d\\ude00', '\\\\u0000', '\\\\\\\\ud800'])(
    'is not confused with the escape %s',
    async (escaped) => {
      const uuid = randomUUID()
      const { status, json } = await ask(
        'POST',
        '/resource_providers',
        `{"name":"${escaped} ${uuid}","uuid":"${uuid}"}`,
      )
      expect([status, json.name]).toEqual([200, `${JSON.parse(`"${escaped}"`)} ${uuid}`])
    },
  )
})

test('a body that is not UTF-8 is refused as malformed JSON', async () => {
  const { status, detail } = await ask('POST', '/resource_classes', Buffer.from([0x22, 0xff, 0x22]))
  expect([status, detail]).toEqual([400, 'Malformed JSON: the body is not UTF-8'])
})

describe('an id that a body names in upper and in lower case', () => {
  const [one, other] = [`a${randomUUID().slice(1)}`, `A${randomUUID().slice(1)}`]
  const twice = (id: string, value: unknown) => ({ [id.toLowerCase()]: value, [id.toUpperCase()]: value })
  const claim = (allocations: unknown) => ({
    ...{ allocations, project_id: 'p', user_id: 'u', consumer_generation: null, consumer_type: 'VOLUME' },
  })
  const held = { resources: { VCPU: 1 } }
  const inventories = { resource_provider_generation: 0, inventories: { VCPU: { total: 9 } } }
  test.each<[string, string, unknown]>([
    ['provider of a claim', `PUT /allocations/${randomUUID()}`, claim(twice(one, held))],
    ['consumer', 'POST /allocations', twice(one, claim({ [other]: held }))],
    [
      'consumer of a reshape',
      'POST /reshaper',
      { inventories: { [other]: inventories }, allocations: twice(one, claim({ [other]: held })) },
    ],
    ['provider of a reshape', 'POST /reshaper', { inventories: twice(one, inventories), allocations: {} }],
  ])('is refused: %s', async (_, what, body) => {
    const [method = '', path = ''] = what.split(' ')
    const { status, detail } = await ask(method, path, JSON.stringify(body))
    expect([status, detail]).toEqual([400, expect.stringContaining('is named more than once')])
  })

  test('may be named once in either', async () => {
    const uuid = randomUUID()
    await ask('POST', '/resource_providers', JSON.stringify({ name: uuid, uuid }))
    await ask('PUT', `/resource_providers/${uuid}/inventories`, JSON.stringify(inventories))
    const body = JSON.stringify({ [one.toUpperCase()]: claim({ [uuid.toUpperCase()]: held }) })
    expect((await ask('POST', '/allocations', body)).status).toBe(204)
  })
})

describe('validation of a body', () => {
  const consumer = randomUUID()
  test.each<[string, string, string, string]>([
    [
      ...([
        'a name too many is told before one that is missing',
        `PUT /allocations/${consumer}`,
        '{"name":1}',
      ] as const),
      "JSON does not validate: Additional properties are not allowed ('name' was unexpected)",
    ],
    [
      ...(['of two places equally deep one of a wrong type', 'PUT /resource_providers/x/inventories/VCPU'] as const),
      ...(['{"total":0,"resource_provider_generation":"x"}'] as const),
      "JSON does not validate: 'x' is not of type 'integer'",
    ],
    [
      ...(['a value that has none of the types', 'POST /resource_providers'] as const),
      ...(['{"name":"a","parent_provider_uuid":0}'] as const),
      'JSON does not validate: 0 is not valid under any of the given schemas',
    ],
    [
      ...(['a text that is no uuid where one or null may be', 'POST /resource_providers'] as const),
      ...(['{"name":"a","parent_provider_uuid":"x"}'] as const),
      "JSON does not validate: 'x' is not a 'uuid'",
    ],
    [
      ...(['a number too large to be one', 'PUT /resource_providers/x/inventories/VCPU'] as const),
      ...(['{"total":1E400,"resource_provider_generation":0}'] as const),
      "JSON does not validate: inf is not of type 'integer'",
    ],
    [
      ...(['the one nearest to the top', 'POST /allocations', '{"x":1}'] as const),
      "JSON does not validate: 'x' does not match any of the regexes: '^[0-9a-fA-F-]{36}$'",
    ],
  ])('%s', async (_, what, body, message) => {
    const [method = '', path = ''] = what.split(' ')
    const uuid = randomUUID()
    await ask('POST', '/resource_providers', JSON.stringify({ name: uuid, uuid }))
    const { status, detail } = await ask(method, path.replace('/x/', `/${uuid}/`), body)
    expect([status, detail?.split(/\s+Failed validating/)[0]]).toEqual([400, message])
  })

  test('accepts amounts written as 1.0', async () => {
    const uuid = randomUUID()
    await ask('POST', '/resource_providers', JSON.stringify({ name: uuid, uuid }))
    const inventories = '{"resource_provider_generation":0,"inventories":{"VCPU":{"total":2.0}}}'
    expect((await ask('PUT', `/resource_providers/${uuid}/inventories`, inventories)).status).toBe(200)
    const held = `{"${uuid}":{"resources":{"VCPU":1.0}}}`
    const claim = `{"allocations":${held},"project_id":"p","user_id":"😀","consumer_generation":null,"consumer_type":"A"}`
    expect((await ask('PUT', `/allocations/${randomUUID()}`, claim)).status).toBe(204)
  })

  test('refuses an amount beyond any capacity as a capacity conflict', async () => {
    const uuid = randomUUID()
    await ask('POST', '/resource_providers', JSON.stringify({ name: uuid, uuid }))
    const inventories = '{"resource_provider_generation":0,"inventories":{"VCPU":{"total":2}}}'
    await ask('PUT', `/resource_providers/${uuid}/inventories`, inventories)
    const held = `{"${uuid}":{"resources":{"VCPU":12345678901234567890}}}`
    const claim = `{"allocations":${held},"project_id":"p","user_id":"u","consumer_generation":null,"consumer_type":"A"}`
    const { status, detail } = await ask('PUT', `/allocations/${randomUUID()}`, claim)
    expect([status, detail]).toEqual([409, expect.stringContaining('would violate inventory constraints')])
  })

  test('names the first of several unknown classes', async () => {
    const uuid = randomUUID()
    await ask('POST', '/resource_providers', JSON.stringify({ name: uuid, uuid }))
    for (const names of [
      ['CUSTOM_B', 'CUSTOM_A'],
      ['CUSTOM_A', 'CUSTOM_B'],
    ]) {
      const inventories = Object.fromEntries(names.map((name) => [name, { total: 1 }]))
      const body = JSON.stringify({ resource_provider_generation: 0, inventories })
      const { detail } = await ask('PUT', `/resource_providers/${uuid}/inventories`, body)
      expect(detail).toContain(`No such resource class ${names[0]}.`)
    }
  })
})

describe('a body made to occupy or break the server', () => {
  const LONG = 200_000
  const owned = { project_id: 'p', user_id: 'u', consumer_generation: null, consumer_type: 'A' }
  const claim = { allocations: { [randomUUID()]: { resources: { VCPU: 1 } } }, ...owned }
  const wrong = Array.from({ length: LONG }, () => `"${randomUUID()}":1`)
  test.each<[what: string, request: string, body: string]>([
    ['half a tag, many times', 'POST /resource_providers', JSON.stringify({ name: '<'.repeat(LONG) })],
    ['braces', 'POST /resource_providers', JSON.stringify({ name: 'a', uuid: `a${'{'.repeat(LONG)}x` })],
    ['deep lists', `PUT /allocations/${randomUUID()}`, '['.repeat(LONG) + ']'.repeat(LONG)],
    ['deep objects', 'POST /allocations', '{"a":'.repeat(LONG) + 1 + '}'.repeat(LONG)],
    ['many errors', 'POST /allocations', `{${wrong.join()}}`],
    ['a key with %', `PUT /allocations/${randomUUID()}`, JSON.stringify({ ...claim, mappings: { 'a%': 5 } })],
  ])('is refused at once: %s', async (_, request, body) => {
    const [method = '', path = ''] = request.split(' ')
    const begun = performance.now()
    expect((await ask(method, path, body)).status).toBe(400)
    expect(performance.now() - begun).toBeLessThan(5_000) // a quadratic check takes 20 s
  })
})
