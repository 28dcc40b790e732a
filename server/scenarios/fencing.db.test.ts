import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FencingService } from '../api/fencing/service'
import { openTestApi } from '../api/testing/api'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { Secret } from '../cloud/settings/secret'
import { smallHost } from '../engine/testing/hosts'
import type { HostId } from '../engine/words/ids'
import { type Fencer, makeFencer } from '../fencing/fencer'
import type { FencingMethod } from '../fencing/method'
import { redfishMethod } from '../fencing/redfish'
import { type Controller, startController } from '../fencing/testing/controller'
import { putSetting } from '../store/catalog/policy'
import { readLatestFencing, readOpenFencings } from '../store/fencing/fencing'
import { noteSurvey } from '../store/survey/survey'
import { putHost } from '../store/testing/records'

// Fencing a host through its controller: requested by an operator, ordered at most once, and verified only by the
// machine's own report.

const fencing: FencingService = {
  methodOf: () =>
    method && {
      ...{ kind: method.kind, where: method.where, deadlineMs: method.deadlineMs, verifies: method.readPower !== null },
    },
  wake: () => void fencers.at(-1)?.round(),
}
const api = onFreshDatabase((fresh) => openTestApi(fresh, { fencing }))
const WHY = 'it burns'

let controller: Controller
let isOn: boolean
let method: FencingMethod | null
let fencers: Fencer[]
let named = 0

beforeEach(async () => {
  isOn = true
  fencers = []
  const turn = async (on: boolean) => {
    isOn = on
  }
  const machine = { isOn: () => isOn, powerOff: () => turn(false), powerOn: () => turn(true) }
  controller = await startController({ machines: { hv: machine }, username: 'root', password: 'calvin' })
  method = redfishMethod({
    ...{ address: controller.address, system: null, username: 'root', password: new Secret('calvin') },
    ...{ tls: { verify: true, caPath: null, certPath: null, keyPath: null }, deadlineMs: 8_000 },
  })
})
afterEach(async () => {
  for (const fencer of fencers) await fencer.stop()
  await controller.close()
  // The next test's server would take up what is still open, and power off its machine.
  expect(await readOpenFencings(api.database)).toEqual([])
})

function server(own: FencingMethod | null = method): Fencer {
  const fencer = makeFencer({
    ...{ database: api.database, commit: api.services.commit, now: api.services.now, pollMs: 50 },
    methodFor: () => own,
    onError: () => {},
  })
  fencers.push(fencer)
  return fencer
}

/** A server that dies at its order to power off: after `ordered`, and before it can record the answer. */
const dyingServer = (ordered?: () => Promise<unknown>) =>
  server(
    method && {
      ...method,
      orderOff: async () => {
        await ordered?.()
        throw new Error('killed')
      },
    },
  )

/** A host with this recorded status. */
async function downHost(status: 'down' | 'up' = 'down') {
  const host = smallHost({ n: ++named })
  await putHost(api.database, host)
  await api.settle()
  if (status === 'down') await api.as('operator').host.setStatus({ id: host.id, status, reason: WHY })
  await api.settle()
  return host.id
}
const fence = (id: HostId) => api.as('operator').host.fence({ id, reason: WHY })
const view = async (id: HostId) => {
  await api.settle()
  return (await api.as('support').run.evacuation({ host: id })).fencing
}
const ended = (id: HostId) =>
  expect.poll(async () => (await readLatestFencing(api.database, id))?.state, { timeout: 15_000 }).not.toBe('running')
/** A host that a server has fenced, or has failed to. */
async function fencedHost(status?: 'down' | 'up') {
  const id = await downHost(status)
  server()
  await fence(id)
  await ended(id)
  return id
}
const orders = () => controller.requests.filter((each) => each.startsWith('POST'))
const audited = async (id: string) => {
  const { rows } = await api.database.pool.query<{ action: string; who: string; reason: string }>(
    `select action, who, reason from audit_entry where hosts @> array[$1::uuid] and action <> 'hosts.put' order by id`,
    [id],
  )
  return rows
}

describe('a host that is down', () => {
  test('is powered off by its controller, verified, and recorded as fenced by the operator', async () => {
    const id = await fencedHost()
    const fencing = await view(id)
    expect(fencing).toMatchObject({
      state: 'verified',
      by: 'the_operator',
      reason: WHY,
      attempt: { state: 'verified' },
    })
    expect(fencing.attempt?.log.map(({ says }) => says)).toEqual([
      'power state On',
      'power-off ordered',
      'ForceOff answered 204',
      'power state Off',
      'verified: the machine says that it is off',
    ])
    expect((await audited(id)).map(({ action, who, reason }) => `${action} ${who} ${reason}`)).toEqual(
      ['host.status', 'fencing.asked', 'fencing.ordered', 'fencing.answered', 'host.status', 'fencing.ended'].map(
        (action) => `${action} the_operator ${WHY}`,
      ),
    )
    expect(orders()).toHaveLength(1)
  })

  test('that is off already is verified without an order', async () => {
    isOn = false
    const id = await fencedHost()
    expect((await view(id)).state).toBe('verified')
    expect(orders()).toEqual([])
  })

  test('that was attested can be verified later, and a survey with an answer contradicts both', async () => {
    const id = await downHost()
    await api.as('operator').host.setStatus({ id, status: 'fenced', reason: 'unplugged' })
    expect((await view(id)).state).toBe('attested')
    server()
    await fence(id)
    await ended(id)
    expect(await view(id)).toMatchObject({ state: 'verified', reason: 'unplugged' })
    await noteSurvey(api.database, [{ host: id, at: api.services.now() + 1_000, guests: [] }])
    expect((await view(id)).state).toBe('contradicted')
  })
})

test('a verification is void once the host is recorded as down again', async () => {
  const id = await fencedHost()
  expect((await view(id)).state).toBe('verified')
  isOn = true
  await api.as('operator').host.setStatus({ id, status: 'down', reason: 'somebody started it' })
  expect(await view(id)).toMatchObject({ state: 'none', attempt: null })
  await api.as('operator').host.setStatus({ id, status: 'fenced', reason: 'unplugged' })
  expect(await view(id)).toMatchObject({ state: 'attested', attempt: null })
})

test('a host marked as up during the reading is neither powered off nor recorded as fenced', async () => {
  const id = await downHost()
  const own = method
  method = own && {
    ...own,
    readPower: async () => {
      await api
        .as('operator')
        .host.setStatus({ id, status: 'up' })
        .catch(() => {})
      return { power: 'on', detail: 'power state On' }
    },
  }
  server()
  await fence(id)
  await ended(id)
  expect(orders()).toEqual([])
  expect((await view(id)).state).toBe('none')
})

describe('a server that dies', () => {
  test('after the power-off but before its record leaves the next server to read and order nothing', async () => {
    const id = await downHost()
    const first = dyingServer(method?.orderOff)
    await fence(id)
    await expect.poll(orders).toHaveLength(1)
    await first.stop()
    expect(await readLatestFencing(api.database, id)).toMatchObject({ state: 'running', orders: 1, accepted: null })
    await server().round()
    await ended(id)
    expect((await view(id)).state).toBe('verified')
    expect(orders()).toHaveLength(1)
  })

  test('before the power-off leaves an order that the next server repeats, because power is still on', async () => {
    const id = await downHost()
    const first = dyingServer()
    await fence(id)
    await expect.poll(async () => (await readLatestFencing(api.database, id))?.orders).toBe(1)
    await first.stop()
    expect(orders()).toEqual([])
    await server().round()
    await ended(id)
    expect((await view(id)).state).toBe('verified')
    expect(await readLatestFencing(api.database, id)).toMatchObject({ orders: 2 })
  })

  test('with a command that cannot read the power leaves it unverified, and the command is not repeated', async () => {
    let runs = 0
    method = {
      kind: 'command',
      where: '/off',
      deadlineMs: 8_000,
      readPower: null,
      orderOff: async () => Promise.reject(new Error(`${++runs}`)),
    }
    const id = await downHost()
    const first = server()
    await fence(id)
    await expect.poll(() => runs).toBe(1)
    await first.stop()
    await server().round()
    await ended(id)
    expect(await view(id)).toMatchObject({ state: 'none', attempt: { state: 'unverified' } })
    expect(runs).toBe(1)
  })

  test('does not cause a second order when two servers fence at once', async () => {
    const id = await downHost()
    await fence(id)
    await Promise.all([server().round(), server().round(), server().round()])
    await ended(id)
    expect(orders()).toHaveLength(1)
  })
})

describe('a fencing controller that', () => {
  test('accepts the order but stays on fails at the deadline, and the host is not recorded as fenced', async () => {
    controller.misbehave('stays-on')
    method = method && { ...method, deadlineMs: 600 }
    const id = await fencedHost()
    expect(await view(id)).toMatchObject({ state: 'none', attempt: { state: 'failed' } })
    expect(orders()).toHaveLength(1)
  })

  test('rejects the account gets one request', async () => {
    controller.misbehave('denies')
    const id = await fencedHost()
    const { attempt } = await view(id)
    expect(attempt).toMatchObject({ state: 'failed' })
    expect(attempt?.log.at(-1)?.says).toBe('it does not accept the account')
    expect(controller.requests.filter((each) => each.endsWith('401'))).toHaveLength(1)
  })

  test('is slow is awaited', async () => {
    controller.misbehave('slow')
    const id = await fencedHost()
    expect((await view(id)).state).toBe('verified')
  })
})

describe('a fencing request', () => {
  test('is refused without a method, and while another is running', async () => {
    const id = await downHost()
    await fence(id)
    await expect(fence(id)).rejects.toThrow(/being fenced already/)
    await server().round()
    await ended(id)
    method = null
    await expect(fence(await downHost())).rejects.toThrow(/No way to fence/)
  })

  test('needs the role operator and a reason', async () => {
    const id = await downHost()
    await expect(api.as('support').host.fence({ id, reason: WHY })).rejects.toThrow()
    await expect(api.as('operator').host.fence({ id, reason: ' ' })).rejects.toThrow()
    expect(await readLatestFencing(api.database, id)).toBeNull()
  })

  test('for a silent host recorded as up marks it as down first', async () => {
    const id = await fencedHost('up')
    expect((await audited(id)).map(({ action }) => action).slice(0, 2)).toEqual(['host.status', 'fencing.asked'])
    expect((await view(id)).state).toBe('verified')
  })

  test('ends without an order when the host is marked as up meanwhile', async () => {
    const id = await downHost()
    await fence(id)
    await api.as('operator').host.setStatus({ id, status: 'up' })
    await server().round()
    await ended(id)
    expect(orders()).toEqual([])
    expect(isOn).toBe(true)
  })

  test('waits for two-person approval where the rule says so, and names both users', async () => {
    await putSetting(api.database, 'second-person', ['fenced'])
    const id = await downHost()
    server()
    const { proposal } = await fence(id)
    expect(await readLatestFencing(api.database, id)).toBeNull()
    await api.as('admin').proposal.decide({ id: proposal ?? '', approve: true, reason: 'I agree' })
    await ended(id)
    const { attempt, state } = await view(id)
    expect({ state, by: attempt?.by }).toEqual({ state: 'verified', by: 'the_operator' })
    expect(await readLatestFencing(api.database, id)).toMatchObject({ approved: { approvedBy: 'the_admin' } })
    await putSetting(api.database, 'second-person', [])
  })
})
