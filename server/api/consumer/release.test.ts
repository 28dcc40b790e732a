import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { hostId, providerId, smallHost } from '../../engine/testing/hosts'
import { putSetting } from '../../store/catalog/policy'
import { build, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'
import { openTestPlacement, type TestPlacement } from '../testing/placement'

// Allocations of another client on a host of Berth: refused by the API, reported as a finding, and released only by an
// operator.

const api = onFreshDatabase(openTestApi)
let nova: TestPlacement
const child = providerId(100)

beforeAll(async () => {
  await putHost(api.database, smallHost({ n: 1, layout: 'nested', cells: 2, cores: 8 }))
  await api.settle()
  nova = openTestPlacement(api.database)
})

function put(consumer: string, amount: number, more: { type?: string | null; generation?: number } = {}) {
  const { type = 'INSTANCE', generation = null } = more
  const headers = {
    ...{ 'x-auth-token': 'nova', 'x-roles': 'admin' },
    'openstack-api-version': `placement 1.${type === null ? 37 : 39}`,
  }
  const allocations = amount === 0 ? {} : { [child]: { resources: { PCPU: amount } } }
  const owners = { project_id: 'p', user_id: 'u', consumer_generation: generation }
  const body = { allocations, ...owners, ...(type !== null && { consumer_type: type }) }
  return nova.askWith(headers)('PUT', `/allocations/${consumer}`, body)
}
const setting = (name: string, value: unknown) => putSetting(api.database, name, value)

/** Accepted while the setting allowed it. */
async function foreign(): Promise<string> {
  const consumer = randomUUID()
  await setting('foreign-instances', 'allow')
  expect((await put(consumer, 2)).status).toBe(204)
  await setting('foreign-instances', 'refuse')
  return consumer
}

async function findings() {
  await api.as('support').finding.audit()
  const { rows } = await api.as('viewer').finding.list({ host: hostId(1) })
  return rows.filter(({ kind }) => kind === 'foreign-allocation')
}
const left = async (consumer: string) =>
  (await api.database.pool.query('select 1 from consumer where id = $1', [consumer])).rowCount

/** What the page sends that shows the consumer. */
async function shownOf(id: string) {
  const { generation, owner } = await api.as('viewer').consumer.foreign({ id })
  return { id, generation, writtenAt: owner.at, reason: 'stale' }
}

describe('a host of Berth', () => {
  test.each(['INSTANCE', 'MIGRATION', null])('refuses a claim of another client of type %s', async (type) => {
    const { status, text } = await put(randomUUID(), 1, { type })
    expect(status).toBe(409)
    const [{ detail, code }] = JSON.parse(text).errors
    expect(code).toBe('placement.undefined_code')
    expect(detail).toMatch(/'PCPU' on resource provider '.*', which belongs to host h1.*Nothing was changed/)
  })

  test('accepts a consumer whose type is not an instance', async () => {
    const consumer = randomUUID()
    expect((await put(consumer, 1, { type: 'VOLUME' })).status).toBe(204)
    expect(await findings()).toEqual([])
    expect((await put(consumer, 0, { type: 'VOLUME', generation: 1 })).status).toBe(204)
  })

  test('lets an existing allocation shrink and go, but not grow', async () => {
    const consumer = await foreign()
    expect((await put(consumer, 3, { generation: 1 })).status).toBe(409)
    expect((await put(consumer, 1, { generation: 1 })).status).toBe(204)
    expect((await put(consumer, 0, { generation: 2 })).status).toBe(204)
    expect(await left(consumer)).toBe(0)
  })
})

describe('an allocation of another client on a host of Berth', () => {
  test('is a finding that names its owner and has no repair, and a release deletes and audits it', async () => {
    const consumer = await foreign()
    const [finding] = await findings()
    expect(finding).toMatchObject({ severity: 'info', heal: { ok: false }, foreign: consumer })
    expect(finding?.found).toMatch(/^2 PCPU, written by client nova at .* in request req-/)
    await expect(api.as('operator').heal.plan({ findings: [finding!.id] })).rejects.toThrow(
      'Berth repairs only what it owns',
    )

    const seen = await api.as('viewer').consumer.foreign({ id: consumer })
    expect(seen).toMatchObject({ owner: { name: 'client nova' }, generation: 1, asks: true, permit: { ok: false } })
    const release = { id: consumer, generation: seen.generation, writtenAt: seen.owner.at, reason: 'nova forgot it' }
    await expect(api.as('operator').consumer.release({ ...release, generation: 7 })).rejects.toThrow('Release')
    expect(await api.as('operator').consumer.release(release)).toEqual({ released: true, proposal: null })
    expect(await left(consumer)).toBe(0)
    expect(await findings()).toEqual([])
    const { rows } = await api.database.pool.query(
      `select who, reason, data from audit_entry where action = 'placement.released-for-owner'`,
    )
    expect(rows).toMatchObject([
      { who: 'the_operator', reason: 'nova forgot it', data: { consumer, owner: { kind: 'noauth', name: 'nova' } } },
    ])
  })

  test('needs two-person approval where the rule says so, and the request names the owner', async () => {
    const consumer = await foreign()
    await setting('second-person', ['heal'])
    const asked = await api.as('operator').consumer.release(await shownOf(consumer))
    expect(asked).toMatchObject({ released: false, proposal: expect.any(String) })
    expect(await left(consumer)).toBe(1)
    const [open] = await api.as('admin').proposal.list({ state: 'open' })
    expect(open).toMatchObject({ kind: 'release', consumer, host: { id: hostId(1) }, permit: { ok: true } })
    const verdict = { id: asked.proposal!, approve: true, reason: 'agreed' }
    await expect(api.as('operator').proposal.decide(verdict)).rejects.toThrow()
    expect(await api.as('admin').proposal.decide(verdict)).toEqual({ state: 'approved', refusal: null })
    expect(await left(consumer)).toBe(0)
    await setting('second-person', [])
  })

  test('is not released once its owner has written it again', async () => {
    const consumer = await foreign()
    const shown = await shownOf(consumer)
    expect((await put(consumer, 1, { generation: 1 })).status).toBe(204)
    const late = api.as('operator').consumer.release(shown)
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await left(consumer)).toBe(1)
    await put(consumer, 0, { generation: 2 })
  })

  test('is not released by a proposal made before its owner deleted it and created it again', async () => {
    const consumer = await foreign()
    await setting('second-person', ['heal'])
    const { proposal } = await api.as('operator').consumer.release(await shownOf(consumer))
    expect((await put(consumer, 0, { generation: 1 })).status).toBe(204)
    await setting('foreign-instances', 'allow')
    expect((await put(consumer, 3)).status).toBe(204)
    await setting('foreign-instances', 'refuse')
    const verdict = { id: proposal!, approve: true, reason: 'agreed' }
    expect(await api.as('admin').proposal.decide(verdict)).toMatchObject({ state: 'open', refusal: {} })
    expect(await left(consumer)).toBe(1)
    await setting('second-person', [])
    await put(consumer, 0, { generation: 1 })
  })

  test.each(['directly', 'after an approval'])(
    'is released %s only while it is as shown, whatever its owner did',
    async (how) => {
      const released = new Set<boolean>()
      const writes = fc.array(fc.nat(3), { maxLength: 4 })
      const check = async (amounts: readonly number[]) => {
        const consumer = await foreign()
        const shown = await shownOf(consumer)
        await setting('foreign-instances', 'allow')
        let now: number | null = 1
        for (const amount of amounts) {
          const { status } = await put(consumer, amount, now === null ? {} : { generation: now })
          if (status === 204) now = amount === 0 ? null : (now ?? 0) + 1
        }
        await setting('foreign-instances', 'refuse')
        await setting('second-person', how === 'directly' ? [] : ['heal'])
        const held = await left(consumer)
        const answer = await api
          .as('operator')
          .consumer.release(shown)
          .catch(() => null)
        if (answer?.proposal)
          await api.as('admin').proposal.decide({ id: answer.proposal, approve: true, reason: 'yes' })
        expect(await left(consumer)).toBe(amounts.length === 0 ? 0 : held)
        released.add(amounts.length === 0)
        await api.database.pool.query('delete from allocation where consumer_id = $1', [consumer])
        await api.database.pool.query('delete from consumer where id = $1', [consumer])
      }
      await fc.assert(fc.asyncProperty(writes, check), { numRuns: 12, examples: [[[]], [[0, 3]], [[1]]] })
      await setting('second-person', [])
      expect(released).toEqual(new Set([true, false]))
    },
    60_000,
  )

  test('cannot be released by this action when Berth owns it', async () => {
    const instance = await build(api.database, hostId(1))
    await expect(
      api.as('operator').consumer.release({ id: instance, generation: 1, writtenAt: null, reason: 'x' }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await left(instance)).toBe(1)
  })
})
