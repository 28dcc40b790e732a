import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { connectDatabase } from '../store/database/database'
import { readHosts } from '../store/host/read'
import { fingerprintOf, type HypervisorAnswers, type ReportedDomain, readHypervisor } from './hypervisor'
import { previewLines, previewOf } from './hypervisor-report'
import { registerFleet } from './register'

const cpu = (id: number) => `<cpu id='${id}' socket_id='0' core_id='${id % 2}' siblings='${id % 2},${(id % 2) + 2}'/>`
const CAPABILITIES = `<capabilities><host><cpu><arch>x86_64</arch><model>Skylake</model><vendor>Intel</vendor></cpu>
  <topology><cells><cell id='0'><memory unit='KiB'>8388608</memory><pages unit='KiB' size='2048'>100</pages>
  <cpus>${[0, 1, 2, 3].map(cpu).join('')}</cpus></cell><cell id='8'><memory unit='KiB'>1048576</memory><cpus num='0'/></cell></cells>
  </topology></host></capabilities>`
const GPU = `<device><name>gpu</name><capability type='pci'><class>0x030200</class><domain>0</domain><bus>175</bus><slot>0</slot>
  <function>0</function><product id='0x20f1'/><vendor id='0x10de'/></capability></device>`
const domain = (name: string, state: string, cpuset: string): ReportedDomain => ({
  ...{ uuid: name, name, state, reason: 'booted' },
  xml: `<domain><memory>1048576</memory><vcpu>1</vcpu><cputune><vcpupin vcpu='0' cpuset='${cpuset}'/></cputune></domain>`,
})
const answers = (over: Partial<HypervisorAnswers> = {}): HypervisorAnswers => ({
  hostname: 'hv1.example.org',
  capabilities: CAPABILITIES,
  nodeDevices: [{ name: 'gpu', xml: GPU }],
  domains: [],
  pool: null,
  unreported: [],
  ...over,
})
const OPTIONS = { name: null, dedicated: new Set([1, 3]) }

describe('a host read from its daemon', () => {
  it('has the disk of the named pool in whole GiB, and none without a pool', () => {
    const diskOf = (pool: HypervisorAnswers['pool']) =>
      readHypervisor(answers({ pool }), OPTIONS)
        .value?.spec.providers.flatMap(({ inventories }) => inventories)
        .find(({ resourceClass }) => resourceClass === 'DISK_GB')?.total
    expect(diskOf({ capacityBytes: 100.9 * 1024 ** 3 })).toBe(100)
    expect(diskOf(null)).toBeUndefined()
  })

  it('uses the libvirt driver, is disabled, and has everything reported', () => {
    const { value, issues } = readHypervisor(answers(), OPTIONS)
    expect(issues.map(({ level }) => level)).toEqual(['note'])
    expect(value?.spec.frame).toMatchObject({ name: 'hv1.example.org', driver: 'libvirt', scheduling: 'disabled' })
    expect(value?.spec.numaNodes.map(({ id, dedicatedCpus }) => [id, dedicatedCpus])).toEqual([
      [0, [1, 3]],
      [8, []],
    ])
    expect(value?.spec.devices.map(({ unit, cell }) => [unit, cell])).toEqual([['pci:0000:af:00.0', null]])
  })

  it('is imported without what the daemon does not report, with a note', () => {
    const unreported = [{ what: 'devices', why: 'this function is not supported' }]
    const { value, issues } = readHypervisor(answers({ nodeDevices: null, unreported }), OPTIONS)
    expect(value?.spec.devices).toEqual([])
    expect(issues).toContainEqual(
      expect.objectContaining({ level: 'note', what: expect.stringContaining('its devices') }),
    )
  })

  it('lists units claimed by two active domains, but not by domains that are off', () => {
    const domains = [domain('a', 'running', '1'), domain('b', 'paused', '1'), domain('c', 'shut off', '1')]
    const { value } = readHypervisor(answers({ domains: [...domains, domain('d', 'running', '0-3')] }), OPTIONS)
    expect(value?.contested).toEqual([{ unit: 'CPU 1', domains: ['a', 'b'] }])
  })

  it('skips a domain with unreadable XML and keeps the others', () => {
    const broken = { ...domain('b', 'running', '1'), xml: '<domain>' }
    const { value, issues } = readHypervisor(answers({ domains: [broken, domain('a', 'running', '1')] }), OPTIONS)
    expect(value?.domains.map(({ name }) => name)).toEqual(['a'])
    expect(issues).toContainEqual(
      expect.objectContaining({ level: 'error', where: expect.stringMatching(/^domain b/) }),
    )
  })

  it('changes its fingerprint with its preview, but not with the states of domains', () => {
    const print = (over: Partial<HypervisorAnswers>) => {
      const { value } = readHypervisor(answers(over), { name: null, dedicated: new Set() })
      return value && fingerprintOf(value)
    }
    const states = fc.constantFrom('running', 'paused', 'shut off')
    const pins = fc.uniqueArray(fc.constantFrom('0', '1', '2', '3'), { maxLength: 3 })
    const property = fc.property(pins, pins, fc.array(states, { minLength: 3, maxLength: 3 }), (one, other, states) => {
      const first = print({ domains: one.map((cpus, at) => domain(`d${at}`, 'running', cpus)) })
      const second = print({ domains: other.map((cpus, at) => domain(`d${at}`, states[at] ?? 'running', cpus)) })
      expect(first === second).toBe(JSON.stringify(one) === JSON.stringify(other))
    })
    fc.assert(property)
    const changes = [
      { nodeDevices: [] },
      { hostname: 'hv2' },
      { capabilities: CAPABILITIES.replace('>8388608<', '>4194304<') },
      { capabilities: CAPABILITIES.replace('<host>', '<host><uuid>1</uuid>') },
    ]
    expect(new Set([...changes.map(print), print({})]).size).toBe(changes.length + 1)
  })

  it('is previewed node by node, with missing counts as unknown', () => {
    const { value, issues } = readHypervisor(answers({ domains: [domain('a', 'running', '1,3')] }), OPTIONS)
    const freePages = new Map([['0/2048', null]])
    expect(value && previewLines(previewOf(value, { issues, freePages }))).toEqual([
      'host           hv1.example.org: Intel Skylake, x86_64',
      'dedicated      CPUs 1,3',
      'NUMA nodes     2',
      '  node 0: CPUs 0-3, 2 per core; 8192 MiB; pages 100 × 2 MiB (free: unknown)',
      '  node 8: no CPUs; 1024 MiB; pages not reported',
      'devices        1',
      '  pci:0000:af:00.0 on an unknown node',
      'domains        1',
      '  a, running (booted): 1 vCPU pinned 0→1,3; 1024 MiB',
    ])
  })
})

describe('an imported host', () => {
  const database = onFreshDatabase(connectDatabase)

  it('is stored as described, and a second import changes nothing', async () => {
    const { value } = readHypervisor(answers(), OPTIONS)
    if (value === null) throw new Error('not read')
    const services = {
      ...{ database, adoptInstances: async () => {}, at: 0, progress: () => {} },
      actor: { who: 'import', request: null, reason: null },
    }
    const fleet = { hosts: [value.spec], workloads: [], aliases: [], flavors: [], order: 'fill' } as const
    const host = value.spec.frame.id
    expect((await registerFleet(fleet, services)).hosts).toEqual([{ host, did: 'made' }])
    expect((await registerFleet(fleet, services)).hosts).toEqual([{ host, did: 'unchanged' }])
    const [stored] = await readHosts(database, [host])
    expect(stored).toMatchObject({ driver: 'libvirt', scheduling: 'disabled', numaNodes: [{ id: 0 }, { id: 8 }] })
  })
})
