import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pciUnit, vgpuUnit } from '../../words/units'
import { testCard, testDevice } from '../test-host'
import { exclusive, withHoldings } from './devices'

// A card with two VFs, a vGPU cut from the first of them, and a plain device.
const vgpu = testDevice('v', null, { unit: vgpuUnit('a.1', 't', 0), kind: 'vgpu', parent: pciUnit('a.1') })
const devices = [...testCard('a', null, 2), vgpu, testDevice('plain', null)]

describe('exclusion between a card and its parts', () => {
  const check = (held: string, blocked: readonly string[]) =>
    it(`${held} blocks ${blocked.join(', ') || 'nothing'}`, () =>
      expect([...exclusive(devices, [pciUnit(held)])].sort()).toEqual(blocked))

  check('a.0', ['pci:a.1', 'pci:a.2', vgpu.unit])
  check('a.1', ['pci:a.0', vgpu.unit])
  check('a.2', ['pci:a.0'])
  check('plain', [])
})

describe('the free flag', () => {
  it('follows from all holdings: a card is free after its last part', () => {
    const free = (...held: string[]) =>
      withHoldings(devices, new Set(held.map(pciUnit))).flatMap((device) => (device.free ? [device.unit] : []))
    expect(free('a.1', 'a.2')).toEqual(['pci:plain'])
    expect(free('a.1')).toEqual(['pci:a.2', 'pci:plain'])
    expect(free()).toEqual(devices.map((device) => device.unit))
  })

  it('is never set for a device that the hypervisor no longer lists', () => {
    const shown = withHoldings(devices, new Set(), new Set([pciUnit('plain')]))
    expect(shown.find((device) => device.unit === 'pci:plain')?.free).toBe(false)
  })

  it('does not depend on its previous value', () => {
    fc.assert(
      fc.property(fc.subarray(devices), fc.subarray(devices), (before, now) => {
        const set = (some: typeof devices) => new Set(some.map((device) => device.unit))
        expect(withHoldings(withHoldings(devices, set(before)), set(now))).toEqual(withHoldings(devices, set(now)))
      }),
    )
  })
})
