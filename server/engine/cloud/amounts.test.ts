import { describe, expect, test } from 'vitest'
import { agrees, flavorAmounts } from './amounts'
import { novaProgress } from './migration-status'
import type { CloudFlavor } from './snapshot'

const flavor = (extraSpecs: Readonly<Record<string, string>>, more: Partial<CloudFlavor> = {}): CloudFlavor => ({
  ...{ name: 'f', vcpus: 4, memoryMib: 2048, rootGib: 10, ephemeralGib: 0, swapMib: 0, extraSpecs },
  ...more,
})
const base = { MEMORY_MB: 2048, DISK_GB: 10 }

describe('the amounts of a flavor', () => {
  test.each([
    [{}, { VCPU: 4, ...base }],
    [{ 'hw:cpu_policy': 'dedicated' }, { PCPU: 4, ...base }],
    [
      { 'hw:cpu_policy': 'dedicated', 'hw:emulator_threads_policy': 'isolate' },
      { PCPU: 5, ...base },
    ],
    [
      { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '2-3' },
      { VCPU: 2, PCPU: 2, ...base },
    ],
    [
      { 'hw:mem_page_size': 'large', 'hw:numa_nodes': '2' },
      { VCPU: 4, ...base },
    ],
    [
      { 'resources:VGPU': '1', 'resources:CUSTOM_FPGA': '2' },
      { VCPU: 4, VGPU: 1, CUSTOM_FPGA: 2, ...base },
    ],
    [
      { 'resources:VCPU': '0', 'resources:MEMORY_MB': '0', 'resources:DISK_GB': '0', 'resources:CUSTOM_METAL': '1' },
      { CUSTOM_METAL: 1 },
    ],
    [
      { 'pci_passthrough:alias': 'nic:1', 'trait1:HW_CPU_X86_AVX': 'required' },
      { VCPU: 4, ...base },
    ],
  ])('with %j equal what Nova requests from Placement', (specs, amounts) => {
    expect(flavorAmounts(flavor(specs), false)).toEqual(amounts)
  })

  test('count ephemeral disk and swap in whole GiB, and the root disk unless it is a volume', () => {
    const one = flavor({}, { ephemeralGib: 5, swapMib: 513 })
    expect(flavorAmounts(one, false)?.DISK_GB).toBe(16)
    expect(flavorAmounts(one, true)?.DISK_GB).toBe(6)
    expect(flavorAmounts(flavor({}), true)).toEqual({ VCPU: 4, MEMORY_MB: 2048 })
  })

  test('are unknown where extra specs are hidden or contradictory', () => {
    expect(flavorAmounts(flavor({}, { extraSpecs: undefined }), false)).toBeNull()
    expect(flavorAmounts(flavor({ 'resources:VCPU': 'many' }), false)).toBeNull()
  })
})

describe('an allocation compared with its flavor', () => {
  const wanted = (specs: Readonly<Record<string, string>>) => flavorAmounts(flavor(specs), false) ?? {}
  test.each([
    ['equal amounts agree', {}, { VCPU: 4, ...base }, true],
    ['CPUs pinned by the image agree', {}, { PCPU: 4, ...base }, true],
    ['VCPU agrees where the cloud has no PCPU', { 'hw:cpu_policy': 'dedicated' }, { VCPU: 4, ...base }, true],
    [
      'additional classes of ports and devices agree',
      {},
      { VCPU: 4, ...base, NET_BW_EGR_KILOBIT_PER_SEC: 5, CUSTOM_PCI_1: 1 },
      true,
    ],
    ['too little memory differs', {}, { VCPU: 4, MEMORY_MB: 1024, DISK_GB: 10 }, false],
    ['PCPU differs for the policy shared', { 'hw:cpu_policy': 'shared' }, { PCPU: 4, ...base }, false],
    ['a mixture of VCPU and PCPU differs', {}, { VCPU: 2, PCPU: 2, ...base }, false],
    ['a missing device differs', { 'resources:VGPU': '1' }, { VCPU: 4, ...base }, false],
  ])('gets the right verdict: %s', (_name, specs, held, yes) => {
    expect(agrees(held, flavor(specs), wanted(specs))).toBe(yes)
  })
})

test('a status of Nova maps to a step and an outcome, and an unknown one is shown unchanged', () => {
  expect(novaProgress({ status: 'running (post-copy)' })).toEqual({
    step: 'transfer',
    outcome: null,
    status: 'running (post-copy)',
  })
  expect(novaProgress({ status: 'cancelled' })).toEqual({ step: 'ended', outcome: 'aborted', status: 'cancelled' })
  for (const status of ['new-in-2030', 'constructor', '']) {
    expect(novaProgress({ status })).toEqual({ step: null, outcome: null, status })
  }
})
