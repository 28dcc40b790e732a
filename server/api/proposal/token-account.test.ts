import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import type { HostId } from '../../engine/words/ids'
import { putSetting } from '../../store/catalog/policy'
import { createToken } from '../../store/placement/token'
import { TEST_ATTRIBUTION } from '../../store/testing/attribution'
import { putHost } from '../../store/testing/records'
import type { Role } from '../permit/roles'
import { openTestApi } from '../testing/api'

// A token acts for an account: whoever has the token can sign in as that account too, so the account is no second
// person for what the token requested.

const api = onFreshDatabase(openTestApi)

let n = 0
let host: HostId
beforeEach(async () => {
  host = (await putHost(api.database, smallHost({ n: ++n }))).id
  await putSetting(api.database, 'second-person', ['lost'])
  await api.settle()
})

const accountOf = async (role: Role) => (await api.as(role).session.me()).user.id

/** The secret of a new token. */
async function tokenOf(account: string | null, role: Role = 'operator'): Promise<string> {
  const token = randomUUID()
  const named = { id: randomUUID(), name: `t-${token}`, role, project: '', expiresAt: null, token, account }
  await createToken(api.database, { ...named, ...TEST_ATTRIBUTION })
  return token
}

async function send(token: string, line: string, body: unknown) {
  const [method = '', path = ''] = line.split(' ')
  const headers = { host: 'berth.test', 'x-auth-token': token, 'content-type': 'application/json' }
  const request = new Request(`http://berth.test/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
  const response = await api.endpoints.rest(request)
  return { status: response.status, json: await response.json() }
}

const LOST = { status: 'lost', reason: 'burned' } as const
const requested = async (token: string): Promise<string> =>
  (await send(token, `PUT /hosts/${host}/status`, LOST)).json.proposal
const decide = (role: Role, id: string, approve = true) => api.as(role).proposal.decide({ id, approve, reason: 'x' })
const permitOf = async (role: Role, id: string) =>
  (await api.as(role).proposal.list({})).find((each) => each.id === id)?.permit

describe('a request of a token', () => {
  test('cannot be approved by the account that the token acts for, but by another one', async () => {
    const id = await requested(await tokenOf(await accountOf('operator')))
    await expect(decide('operator', id)).rejects.toThrow('You requested it')
    expect(await permitOf('operator', id)).toMatchObject({ ok: false })
    expect(await permitOf('admin', id)).toEqual({ ok: true })
    expect(await decide('admin', id)).toMatchObject({ state: 'approved' })
  })

  test('can be withdrawn by the account that the token acts for', async () => {
    const id = await requested(await tokenOf(await accountOf('operator')))
    expect(await decide('operator', id, false)).toMatchObject({ state: 'withdrawn' })
  })

  test('that acts for no account is approved by an admin only, because anybody may have the token', async () => {
    const id = await requested(await tokenOf(null))
    await expect(decide('operator', id)).rejects.toThrow('an admin has to approve')
    expect(await permitOf('operator', id)).toMatchObject({ ok: false })
    expect(await decide('admin', id)).toMatchObject({ state: 'approved' })
  })

  test.each(['by', 'by_id'])('keeps its account when %s has a bad value', async (column) => {
    const id = await requested(await tokenOf(await accountOf('operator')))
    await api.database.pool.query(`update proposal set ${column} = 'nobody' where id = $1`, [id])
    await expect(decide('operator', id)).rejects.toThrow('You requested it')
  })
})

describe('a token that a user creates', () => {
  const creation = { role: 'operator', days: null, reason: 'x' } as const

  test('acts for that user, or for the user that it names', async () => {
    const own = await api.as('admin').token.create({ ...creation, name: 'own' })
    const named = await api.as('admin').token.create({ ...creation, name: 'named', account: 'the_operator' })
    await expect(decide('admin', await requested(own.token))).rejects.toThrow('You requested it')
    await decide('operator', await requested(own.token))
    host = (await putHost(api.database, smallHost({ n: ++n }))).id
    await api.settle()
    const id = await requested(named.token)
    await expect(decide('operator', id)).rejects.toThrow('You requested it')
    await decide('admin', id)
    const listed = await api.as('admin').token.list()
    expect(listed.find(({ name }) => name === 'named')).toMatchObject({ account: 'the_operator' })
  })

  test('acts for the account of the token that creates it', async () => {
    const token = await tokenOf(await accountOf('admin'), 'admin')
    const made = await send(token, 'POST /tokens', { ...creation, name: 'of-a-token' })
    await expect(decide('admin', await requested(made.json.token))).rejects.toThrow('You requested it')
  })

  test('for an unknown user is not created', async () => {
    const asked = { ...creation, name: 'stray', account: 'nobody' }
    await expect(api.as('admin').token.create(asked)).rejects.toThrow(/nobody/)
    expect((await api.as('admin').token.list()).map(({ name }) => name)).not.toContain('stray')
  })
})

test('a token of a removed account acts for nobody', async () => {
  const token = await tokenOf(await accountOf('viewer'))
  await api.database.pool.query(`delete from auth_user where username = 'the_viewer'`)
  await expect(decide('operator', await requested(token))).rejects.toThrow('an admin has to approve')
})
