import { afterEach, beforeEach, expect, test } from 'vitest'
import { Secret } from '../cloud/settings/secret'
import { type RedfishSettings, redfishMethod } from './redfish'
import { type Controller, type ControllerFault, startController } from './testing/controller'

// How valid and faulty answers of a controller are read.

const PASSWORD = 'calvin-and-hobbes'
const RESET = '/redfish/v1/Systems/hv1/Actions/ComputerSystem.Reset'

let controller: Controller
let isOn: boolean
beforeEach(async () => {
  isOn = true
  const turn = async (on: boolean) => {
    isOn = on
  }
  const machine = { isOn: () => isOn, powerOff: () => turn(false), powerOn: () => turn(true) }
  controller = await startController({ machines: { hv1: machine }, username: 'root', password: PASSWORD })
})
afterEach(() => controller.close())

const method = (set: Partial<RedfishSettings> = {}) =>
  redfishMethod({
    ...{ address: controller.address, system: null, username: 'root', password: new Secret(PASSWORD) },
    tls: { verify: true, caPath: null, certPath: null, keyPath: null },
    deadlineMs: 500,
    ...set,
  })
const read = (set?: Partial<RedfishSettings>) => method(set).readPower?.()

test('power is read, turned off with ForceOff, and read again', async () => {
  expect(await read()).toEqual({ power: 'on', detail: 'power state On' })
  expect(await method().orderOff()).toEqual({ accepted: true, detail: 'ForceOff answered 204' })
  expect(isOn).toBe(false)
  expect(await read({ system: 'hv1' })).toEqual({ power: 'off', detail: 'power state Off' })
  expect(controller.requests.filter((each) => each.startsWith('POST'))).toEqual([`POST ${RESET} ForceOff`])
})

test.each<[ControllerFault, object]>([
  ['denies', { power: 'unknown', denied: true }],
  ['fails', { power: 'unknown' }],
  ['silent', { power: 'unknown', detail: 'it does not say its power state' }],
  ['garbled', { power: 'unknown' }],
])('a controller that %s leaves the power unknown', async (fault, reading) => {
  controller.misbehave(fault)
  expect(await read()).toMatchObject(reading)
})

test.each<[ControllerFault, boolean | null]>([
  ['stays-on', true],
  ['hangs', null],
  ['denies', false],
  ['fails', null],
  ['no-force-off', false],
])('an order to a controller that %s has accepted: %s', async (fault, accepted) => {
  controller.misbehave(fault)
  expect(await method().orderOff()).toMatchObject({ accepted })
  expect(isOn).toBe(true)
})

test('credentials that a controller repeats are masked', async () => {
  controller.misbehave('denies')
  const { detail } = (await read()) ?? {}
  expect(detail).toContain('wrong credentials: Basic [secret]')
  expect(detail).not.toContain(Buffer.from(`root:${PASSWORD}`).toString('base64'))
})

test('an unreachable controller leaves the power unknown', async () => {
  await controller.close()
  expect(await read()).toMatchObject({ power: 'unknown', detail: expect.stringContaining('not reached') })
  expect(await method().orderOff()).toMatchObject({ accepted: null })
})

test('an untrusted certificate is refused', async () => {
  expect(await read({ tls: { verify: true, caPath: '/nowhere.pem', certPath: null, keyPath: null } })).toMatchObject({
    power: 'unknown',
    detail: 'not reached: ENOENT',
  })
})

test('one of several systems must be named', async () => {
  const machine = { isOn: () => true, powerOff: async () => {}, powerOn: async () => {} }
  const many = await startController({ machines: { a: machine, b: machine }, username: 'root', password: PASSWORD })
  const { address } = many
  expect(await read({ address })).toMatchObject({ detail: expect.stringContaining('has 2 systems') })
  expect(await read({ address, system: 'b' })).toMatchObject({ power: 'on' })
  expect(await read({ address, system: '../b' })).toMatchObject({ power: 'unknown' })
  await many.close()
})
