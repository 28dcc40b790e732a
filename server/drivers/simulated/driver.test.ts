import { describe, expect, test } from 'vitest'
import type { HostId, InstanceId } from '../../engine/words/ids'
import type { UnitName } from '../../engine/words/units'
import type { BuildOrder, DriverOperation } from '../driver'
import { driverContract } from '../driver.contract'
import { HOST_BOOT_MS } from './faults'
import { A, B, MIB, makeTwoHosts, moving, newInstance, SECOND, type TwoHosts } from './two-hosts'

driverContract('simulated', async () => makeTwoHosts())

describe('an instance that dirties memory faster than the link copies it', () => {
  async function busyTransfer(fixture: TwoHosts, postCopy: 'yes' | 'no') {
    const image = { name: 'debian', properties: { berth_post_copy: postCopy } }
    const driverOperation = await moving(fixture, { image: { source: image, target: image } })
    await fixture.driver.setDirtyRate(driverOperation.instance, 8_000 * MIB)
    await fixture.driver.prepare(driverOperation)
    await fixture.driver.transfer(driverOperation)
    fixture.advance(3600 * SECOND)
    expect(await fixture.driver.transfer(driverOperation)).toMatchObject({ did: 'running', handedOver: false })
    return driverOperation
  }

  test('is handed over at once by post-copy, and then the transfer cannot be stopped', async () => {
    const fixture = makeTwoHosts()
    const driverOperation = await busyTransfer(fixture, 'yes')
    expect(await fixture.driver.forceTransfer(driverOperation)).toEqual({ did: 'done' })
    fixture.advance(100)
    expect(await fixture.driver.transfer(driverOperation)).toMatchObject({
      handedOver: true,
      progress: { postCopy: true },
    })
    expect((await fixture.driver.stopTransfer(driverOperation)).did).toBe('failed')
    expect((await fixture.driver.runAt(driverOperation, 'source')).did).toBe('failed')
    fixture.advance(60 * SECOND)
    expect(await fixture.driver.transfer(driverOperation)).toMatchObject({ did: 'done' })
  })

  test('is paused until the copy is complete when its image forbids post-copy', async () => {
    const fixture = makeTwoHosts()
    const driverOperation = await busyTransfer(fixture, 'no')
    await fixture.driver.forceTransfer(driverOperation)
    fixture.advance(100)
    expect(await fixture.driver.transfer(driverOperation)).toMatchObject({ did: 'running', handedOver: false })
    fixture.advance(60 * SECOND)
    expect(await fixture.driver.transfer(driverOperation)).toMatchObject({ did: 'done' })
    expect(await fixture.driver.locate(driverOperation)).toEqual({ source: 'left', target: 'running' })
  })

  test('dies with either host once post-copy has its memory on both', async () => {
    const fixture = makeTwoHosts()
    const driverOperation = await busyTransfer(fixture, 'yes')
    await fixture.driver.forceTransfer(driverOperation)
    fixture.advance(100)
    await fixture.driver.setFault(A, { do: 'kill' })
    expect(await fixture.driver.locate(driverOperation)).toEqual({ source: 'silent', target: 'stopped' })
  })
})

describe('a host', () => {
  test('that goes silent answers nothing, and its instances keep running', async () => {
    const fixture = makeTwoHosts()
    const driverOperation = await moving(fixture)
    await fixture.driver.setFault(A, { do: 'go-silent' })
    expect(await fixture.driver.survey(A)).toBeNull()
    expect((await fixture.driver.prepare(driverOperation)).did).toBe('no-answer')
    await fixture.driver.setFault(A, { do: 'return' })
    expect((await fixture.driver.locate(driverOperation)).source).toBe('running')
  })

  test.each(['kill', 'fence'] as const)('%s: its instances are stopped when it returns', async (fault) => {
    const fixture = makeTwoHosts()
    const driverOperation = await moving(fixture)
    await fixture.driver.setFault(A, { do: fault })
    fixture.advance(SECOND)
    await fixture.driver.setFault(A, { do: 'return' })
    expect((await fixture.driver.status(A)).power).toBe('booting')
    expect(await fixture.driver.survey(A)).toBeNull()
    fixture.advance(HOST_BOOT_MS)
    expect((await fixture.driver.survey(A))?.map((domain) => domain.observedState)).toEqual(['stopped'])
    expect(await fixture.driver.runAt(driverOperation, 'source')).toEqual({ did: 'done' })
    fixture.advance(SECOND)
    expect((await fixture.driver.locate(driverOperation)).source).toBe('running')
  })

  test('that is permanently lost never returns', async () => {
    const fixture = makeTwoHosts()
    await fixture.driver.setFault(A, { do: 'vanish' })
    await fixture.driver.setFault(A, { do: 'return' })
    expect((await fixture.driver.status(A)).power).toBe('gone')
    expect(await fixture.driver.survey(A)).toBeNull()
  })

  test('that dies during a transfer fails it, and the instance keeps running at the source', async () => {
    const fixture = makeTwoHosts()
    const driverOperation = await moving(fixture)
    await fixture.driver.prepare(driverOperation)
    await fixture.driver.transfer(driverOperation)
    fixture.advance(SECOND)
    await fixture.driver.setFault(B, { do: 'kill' })
    fixture.advance(3600 * SECOND)
    expect((await fixture.driver.transfer(driverOperation)).did).toBe('failed')
    expect(await fixture.driver.locate(driverOperation)).toEqual({ source: 'running', target: 'silent' })
  })

  test('that dies after a transfer does not undo it', async () => {
    const fixture = makeTwoHosts()
    const driverOperation = await moving(fixture)
    await fixture.driver.prepare(driverOperation)
    await fixture.driver.transfer(driverOperation)
    fixture.advance(3600 * SECOND)
    await fixture.driver.setFault(A, { do: 'kill' })
    expect((await fixture.driver.locate(driverOperation)).target).toBe('running')
  })

  test('with a slow network makes the transfer take longer', async () => {
    const fixture = makeTwoHosts()
    const driverOperation = await moving(fixture)
    await fixture.driver.setFault(B, { do: 'bandwidth', bytesPerS: 10 * MIB })
    await fixture.driver.setDirtyRate(driverOperation.instance, 0)
    await fixture.driver.prepare(driverOperation)
    await fixture.driver.transfer(driverOperation)
    fixture.advance(400 * SECOND)
    expect(await fixture.driver.transfer(driverOperation)).toMatchObject({ progress: { bandwidthBytesPerS: 10 * MIB } })
    fixture.advance(20 * SECOND)
    expect(await fixture.driver.transfer(driverOperation)).toMatchObject({ did: 'done' })
  })
})

describe('the switch to a target while the source is silent', () => {
  async function silentSource(reach: DriverOperation['reach']) {
    const fixture = makeTwoHosts()
    const driverOperation = await moving(fixture, { operation: 'cold-migrate', reach })
    await fixture.driver.prepare(driverOperation)
    await fixture.driver.transfer(driverOperation)
    fixture.advance(3600 * SECOND)
    await fixture.driver.transfer(driverOperation)
    await fixture.driver.runAt(driverOperation, 'target')
    await fixture.driver.runAt(driverOperation, 'source')
    await fixture.driver.setFault(A, { do: 'go-silent' })
    return fixture.driver.runAt(driverOperation, 'target')
  }

  test('does not start an instance that may run at the source', async () => {
    expect((await silentSource({ source: true, target: true })).did).toBe('no-answer')
  })

  test('starts the instance when the caller knows that the source is off', async () => {
    expect(await silentSource({ source: false, target: true })).toEqual({ did: 'done' })
  })
})

describe('an evacuation', () => {
  test('completes with a dead source, and the stale domain is cleaned up when the host returns', async () => {
    const fixture = makeTwoHosts()
    const driverOperation = await moving(fixture, { operation: 'evacuate', reach: { source: false, target: true } })
    await fixture.driver.setFault(A, { do: 'fence' })
    expect(await fixture.driver.prepare(driverOperation)).toEqual({ did: 'done' })
    await fixture.driver.transfer(driverOperation)
    fixture.advance(60 * SECOND)
    expect(await fixture.driver.transfer(driverOperation)).toMatchObject({ did: 'done' })
    expect(await fixture.driver.runAt(driverOperation, 'target')).toEqual({ did: 'done' })
    expect((await fixture.driver.clean(driverOperation, 'source')).did).toBe('no-answer')
    await fixture.driver.setFault(A, { do: 'return' })
    expect((await fixture.driver.clean(driverOperation, 'source')).did).toBe('no-answer')
    fixture.advance(HOST_BOOT_MS)
    expect(await fixture.driver.clean(driverOperation, 'source')).toEqual({ did: 'done' })
    expect(await fixture.driver.survey(A)).toEqual([])
  })
})

test('a faster simulation does the same work in less real time', async () => {
  const ends = await Promise.all(
    [1, 10].map(async (speed) => {
      const fixture = makeTwoHosts({ speed })
      const driverOperation = {
        ...(await moving(fixture)),
        instance: '00000000-0000-4000-8000-000000000010' as InstanceId,
      }
      await fixture.driver.build({ ...newInstance(A), instance: driverOperation.instance })
      await fixture.driver.prepare(driverOperation)
      let ms = 0
      while ((await fixture.driver.transfer(driverOperation)).did === 'running') {
        fixture.advance(10)
        ms += 10
      }
      return ms
    }),
  )
  expect(ends[0]! / ends[1]!).toBeCloseTo(10, 0)
})

describe('devices', () => {
  const VF: UnitName = 'pci:0000:3b:02.1'
  const OTHER: UnitName = 'pci:0000:3b:02.2'
  const hardware = [
    { unit: VF, kind: 'pci' },
    { unit: OTHER, kind: 'pci' },
  ] as const
  const withVf = (host: HostId): BuildOrder => {
    const order = newInstance(host)
    return { ...order, claim: { ...order.claim, units: [{ unit: VF, kind: 'pci', use: 'device' }] } }
  }
  test('are listed with the instance that holds them, and free once it is destroyed', async () => {
    const { driver } = makeTwoHosts({ hardware })
    const order = withVf(A)
    await driver.build(order)
    expect(await driver.devices?.(A)).toEqual([
      { unit: VF, driver: 'vfio-pci', attachedTo: order.instance },
      { unit: OTHER, driver: null, attachedTo: null },
    ])
    await driver.destroy({ ...order, fence: 2 })
    expect(await driver.devices?.(A)).toMatchObject([{ attachedTo: null }, { attachedTo: null }])
  })

  test('are unknown on a silent host and on one without a hardware list', async () => {
    const { driver } = makeTwoHosts({ hardware })
    await driver.setFault(A, { do: 'go-silent' })
    expect(await driver.devices?.(A)).toBeNull()
    expect(await makeTwoHosts().driver.devices?.(A)).toBeNull()
  })

  test('that were removed are not listed and cannot be used until they return', async () => {
    const { driver } = makeTwoHosts({ hardware })
    await driver.setFault(A, { do: 'take-device', unit: VF })
    expect((await driver.devices?.(A))?.map(({ unit }) => unit)).toEqual([OTHER])
    expect(await driver.build(withVf(A))).toEqual({ did: 'failed', why: `the host has no device ${VF}` })
    await driver.setFault(A, { do: 'put-device-back', unit: VF })
    expect(await driver.build(withVf(A))).toEqual({ did: 'done' })
  })

  test('kept attached by a fault stay so after the instance has left, and are refused to the next', async () => {
    const { driver } = makeTwoHosts({ hardware })
    const order = withVf(A)
    await driver.build(order)
    expect(await driver.attachedTo(A, VF)).toBe(order.instance)
    await driver.setFault(A, { do: 'keep-attached', unit: VF, instance: order.instance })
    await driver.destroy({ ...order, fence: 2 })
    expect(await driver.devices?.(A)).toContainEqual({ unit: VF, driver: 'vfio-pci', attachedTo: order.instance })
    expect(await driver.build(withVf(A))).toMatchObject({
      did: 'failed',
      why: expect.stringMatching(/is in use by the domain/),
    })
    await driver.setFault(A, { do: 'detach-device', unit: VF })
    expect(await driver.build(withVf(A))).toEqual({ did: 'done' })
  })

  test('are detached by a loss of power and by clearing the faults', async () => {
    const { driver, advance } = makeTwoHosts({ hardware })
    const order = withVf(A)
    await driver.build(order)
    await driver.setFault(A, { do: 'keep-attached', unit: VF, instance: order.instance })
    await driver.setFault(A, { do: 'kill' })
    advance(SECOND)
    await driver.setFault(A, { do: 'return' })
    advance(HOST_BOOT_MS)
    expect(await driver.attachedTo(A, VF)).toBeNull()
    await driver.setFault(A, { do: 'take-device', unit: OTHER })
    await driver.setFault(A, { do: 'clear-faults' })
    advance(HOST_BOOT_MS)
    expect(await driver.devices?.(A)).toHaveLength(2)
  })
})
