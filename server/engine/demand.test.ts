import { describe, expect, test } from 'vitest'
import { type DemandOptions, demandOf, type Image } from './demand'
import { ALIASES, demandFor, flavor, IMAGE, pinned } from './testing/instances'

describe('amounts', () => {
  //  extra specs → amounts of a flavor with 4 vCPUs, 2048 MiB, 1 GiB
  const base = { MEMORY_MB: 2048, DISK_GB: 1 }
  const cases: readonly (readonly [Record<string, string>, Record<string, number>])[] = [
    [{}, { VCPU: 4, ...base }],
    [{ 'hw:cpu_policy': 'dedicated' }, { PCPU: 4, ...base }],
    [
      { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '1-3' },
      { VCPU: 1, PCPU: 3, ...base },
    ],
    [
      { 'hw:cpu_policy': 'dedicated', 'hw:emulator_threads_policy': 'isolate' },
      { PCPU: 5, ...base },
    ],
    [
      { 'hw:cpu_policy': 'dedicated', 'hw:emulator_threads_policy': 'share' },
      { PCPU: 4, ...base },
    ],
    [{ 'resources:PCPU': '4' }, { PCPU: 4, ...base }],
    [
      { 'resources:VCPU': '0', 'resources:CUSTOM_BAREMETAL': '1' },
      { CUSTOM_BAREMETAL: 1, ...base },
    ],
    [
      { 'resources:DISK_GB': '0', 'resources:MEMORY_MB': '100' },
      { VCPU: 4, MEMORY_MB: 100 },
    ],
    [
      { 'resources1:CUSTOM_FPGA': '1', 'resources2:CUSTOM_FPGA': '1' },
      { VCPU: 4, CUSTOM_FPGA: 2, ...base },
    ],
    [{ 'resources:VGPU': '1' }, { VCPU: 4, ...base }],
  ]
  test.each(cases)('%j → %j', (extraSpecs, amounts) => {
    expect(demandFor(flavor(4, extraSpecs)).amounts).toEqual(amounts)
  })

  // LP 1796737: the root disk of a volume-backed instance was counted in migrations.
  test('a volume-backed instance claims no local disk', () => {
    expect(demandFor(flavor(4), { volumeBacked: true }).amounts).toEqual({ VCPU: 4, MEMORY_MB: 2048 })
  })
})

describe('devices', () => {
  test('aliases become requests in the order of the flavor, followed by ports', () => {
    const port = { kind: 'pci' as const, requestId: 'port:1', alias: 'port', count: 1, spec: [{}], numaPolicy: null }
    const demand = demandFor(pinned(2, { 'pci_passthrough:alias': 'vf:2, pf:1' }), { portRequests: [port] })
    expect(demand.devices).toMatchObject([
      { requestId: 'flavor:vf:0', count: 2, numaPolicy: 'preferred' },
      { requestId: 'flavor:pf:1', count: 1, numaPolicy: 'preferred' },
      { requestId: 'port:1', count: 1, numaPolicy: null },
    ])
  })

  test('the policy of flavor or image overrides that of the alias', () => {
    const of = pinned(2, { 'pci_passthrough:alias': 'vf:1', 'hw:pci_numa_affinity_policy': 'required' })
    expect(demandFor(of).devices).toMatchObject([{ numaPolicy: 'required' }])
    const image: Image = { name: 'i', properties: { hw_pci_numa_affinity_policy: 'socket' } }
    const demand = demandFor(pinned(2, { 'pci_passthrough:alias': 'vf:1' }), {}, image)
    expect(demand.devices).toMatchObject([{ numaPolicy: 'socket' }])
  })

  test('vGPUs and namespaces are units, not amounts', () => {
    const of = pinned(2, { 'resources:VGPU': '2', 'resources:CUSTOM_T4': '1', 'hw:pmem': '6GB, 6GB,16GB' })
    const demand = demandFor(of, { vgpuClasses: ['CUSTOM_T4'] })
    expect(demand.devices).toEqual([
      { kind: 'vgpu', requestId: 'vgpu:0', count: 2, mdevType: null, resourceClass: null },
      { kind: 'vgpu', requestId: 'vgpu:1', count: 1, mdevType: null, resourceClass: 'CUSTOM_T4' },
      { kind: 'vpmem', requestId: 'hw:pmem:6GB', count: 2, resourceClass: 'CUSTOM_PMEM_NAMESPACE_6GB' },
      { kind: 'vpmem', requestId: 'hw:pmem:16GB', count: 1, resourceClass: 'CUSTOM_PMEM_NAMESPACE_16GB' },
    ])
    expect(Object.keys(demand.amounts).sort()).toEqual(['DISK_GB', 'MEMORY_MB', 'PCPU'])
  })
})

describe('constraints on hosts', () => {
  test('combine the traits of flavor and image', () => {
    const image: Image = { name: 'i', properties: { 'trait:HW_CPU_X86_AVX2': 'required' } }
    const of = flavor(1, { 'trait:CUSTOM_GOLD': 'required', 'trait:CUSTOM_OLD': 'forbidden' })
    const { requiredTraits, forbiddenTraits } = demandFor(of, {}, image).constraints
    expect(requiredTraits).toEqual(['CUSTOM_GOLD', 'HW_CPU_X86_AVX2'])
    expect(forbiddenTraits).toEqual(['CUSTOM_OLD'])
  })

  test('exclude an isolated aggregate unless its traits are required', () => {
    const isolatedAggregates = [{ aggregate: 'windows', traits: ['CUSTOM_WINDOWS'] }]
    const options: DemandOptions = { isolatedAggregates, notMemberOf: ['broken'] }
    expect(demandFor(flavor(1), options).constraints.notMemberOf).toEqual(['broken', 'windows'])
    const licensed = flavor(1, { 'trait:CUSTOM_WINDOWS': 'required' })
    expect(demandFor(licensed, options).constraints.notMemberOf).toEqual(['broken'])
  })
})

describe('bad input', () => {
  const cases: readonly (readonly [Record<string, string>, string])[] = [
    [{ 'pci_passthrough:alias': 'nic' }, 'pci_passthrough:alias'],
    [{ 'pci_passthrough:alias': 'vf:0' }, 'pci_passthrough:alias'],
    [{ 'pci_passthrough:alias': 'vf:1:2' }, 'pci_passthrough:alias'],
    [{ 'pci_passthrough:alias': 'unheard-of:1' }, 'pci_passthrough:alias'],
    [{ 'resources:VCPU': 'many' }, 'resources:VCPU'],
    [{ 'resources:CUSTOM_X': '-1' }, 'resources:CUSTOM_X'],
    [{ 'resources:lower': '1' }, 'resources:lower'],
    [{ 'trait:CUSTOM_X': 'maybe' }, 'trait:CUSTOM_X'],
    [{ 'trait1:CUSTOM_X': 'required' }, 'trait1:CUSTOM_X'],
    [{ 'hw:cpu_policy': 'pinned' }, 'flavor'],
    [{ 'hw:numa_nodes': '3' }, 'flavor'],
    [{ 'hw:pci_numa_affinity_policy': 'sometimes' }, 'flavor'],
  ]
  test.each(cases)('is refused with its key: %j', (extraSpecs, what) => {
    const answer = demandOf(flavor(4, extraSpecs), IMAGE, { aliases: ALIASES })
    expect(answer.ok).toBe(false)
    if (answer.ok) return
    expect(answer.refusals).toHaveLength(1)
    expect(answer.refusals[0]).toMatchObject({ kind: 'bad-input' })
    expect('need' in answer.refusals[0]! && answer.refusals[0].need).toMatch(new RegExp(`^${what}: `))
  })

  test('is refused with all mistakes at once, numbers too', () => {
    const answer = demandOf(
      { name: 'x', vcpus: 0, memoryMib: 1.5, diskGib: -1, extraSpecs: { 'trait:A': 'perhaps' } },
      IMAGE,
    )
    expect(answer).toMatchObject({ ok: false, refusals: { length: 4 } })
  })
})
