import { describe, expect, test } from 'vitest'
import { explain, isDecided, type Question, sameDemand } from './claim'
import type { Demand, Group, Image } from './demand'
import type { HostFrame } from './host'
import { liveInstanceOf } from './live'
import { groupId, hostId, instanceId, SKYLAKE, type SmallHost, smallHost } from './testing/hosts'
import {
  demandFor,
  flavor,
  holdingOf,
  IMAGE,
  kindsOf,
  pinned,
  planOn,
  refusalsOf,
  verdictOn,
  withInstance,
} from './testing/instances'

const SMALL = demandFor(pinned(2))

interface Case {
  readonly host?: SmallHost
  readonly frame?: Partial<HostFrame>
  readonly demand?: Demand
  readonly question?: Partial<Question>
}

const group = (policy: Group['policy'], set: Partial<Group> = {}): Group => ({
  id: groupId(1),
  generation: 3,
  policy,
  maxPerHost: 1,
  memberHosts: [hostId(1)],
  ...set,
})

describe('refusals', () => {
  const cases: Record<string, Case> = {
    'host-not-up': { frame: { status: 'down' } },
    'host-disabled': { frame: { scheduling: 'disabled' } },
    'host-quarantined': { frame: { scheduling: 'quarantined' } },
    'host-has-remains': { host: { leftovers: [instanceId(7)] }, question: { instance: instanceId(7) } },
    'host-is-source': { question: { excludedHost: hostId(1) } },
    'other-hypervisor': { question: { driver: 'libvirt' } },
    zone: { demand: demandFor(pinned(2), { zone: 'b' }), frame: { zone: 'a' } },
    'trait-missing': { demand: demandFor(pinned(2, { 'trait:CUSTOM_GOLD': 'required' })) },
    'trait-forbidden': {
      demand: demandFor(pinned(2, { 'trait:CUSTOM_OLD': 'forbidden' })),
      host: { traits: ['CUSTOM_OLD'] },
    },
    'aggregate-missing': { demand: demandFor(pinned(2), { memberOf: [['a', 'b']] }), host: { aggregates: ['c'] } },
    'aggregate-forbidden': { demand: demandFor(pinned(2), { notMemberOf: ['c'] }), host: { aggregates: ['c'] } },
    affinity: { question: { group: group('affinity', { memberHosts: [hostId(2)] }) } },
    'anti-affinity': { question: { group: group('anti-affinity') } },
    amount: { demand: demandFor(flavor(2, {}, { memoryMib: 20_000 })), host: { shared: 4 } },
    'no-inventory': { demand: demandFor(flavor(2)) },
    vgpus: { demand: demandFor(pinned(2, { 'resources:VGPU': '1' })) },
    vpmem: { demand: demandFor(pinned(2, { 'hw:pmem': '6GB' })) },
    devices: { demand: demandFor(pinned(2, { 'pci_passthrough:alias': 'vf:1' })) },
  }
  test.each(Object.entries(cases))('name the rule %s', (kind, { host, frame, demand = SMALL, question }) => {
    const on = smallHost({ ...host, frame })
    expect(kindsOf(refusalsOf(on, demand, question))).toContain(kind)
  })

  test('name all violated rules at once', () => {
    const host = smallHost({ frame: { status: 'fenced', scheduling: 'disabled', zone: 'a' } })
    const demand = demandFor(pinned(40, { 'trait:CUSTOM_X': 'required' }, { diskGib: 500 }), { zone: 'b' })
    const kinds = kindsOf(refusalsOf(host, demand, { group: group('anti-affinity') }))
    const expected = [
      'host-not-up',
      'host-disabled',
      'zone',
      'trait-missing',
      'anti-affinity',
      'amount',
      'dedicated-cpus',
    ]
    expect(kinds).toEqual(expect.arrayContaining(expected))
  })
})

describe('server groups', () => {
  test('with a soft policy warn and do not refuse', () => {
    for (const policy of ['soft-anti-affinity', 'soft-affinity'] as const) {
      const memberHosts = [hostId(policy === 'soft-affinity' ? 2 : 1)]
      const verdict = verdictOn(smallHost(), SMALL, { group: group(policy, { memberHosts }) })
      expect(verdict).toMatchObject({
        ok: true,
        plan: { group: { generation: null } },
        warnings: [{ kind: policy.slice(5) }],
      })
    }
  })

  test('with a soft policy warn from the first other member on, whatever the limit', () => {
    const verdict = verdictOn(smallHost(), SMALL, { group: group('soft-anti-affinity', { maxPerHost: 5 }) })
    expect(verdict).toMatchObject({ ok: true, warnings: [{ kind: 'anti-affinity' }] })
  })

  test('with anti-affinity allow as many members per host as their limit', () => {
    const two = group('anti-affinity', { maxPerHost: 2 })
    expect(verdictOn(smallHost(), SMALL, { group: two }).ok).toBe(true)
    expect(verdictOn(smallHost(), SMALL, { group: { ...two, memberHosts: [hostId(1), hostId(1)] } }).ok).toBe(false)
  })

  test('with affinity allow their first member anywhere', () => {
    expect(verdictOn(smallHost(), SMALL, { group: group('affinity', { memberHosts: [] }) }).ok).toBe(true)
  })

  // LP 1821755, 1735407 (docs/bugs.md, group 33): two members of a group migrated at the same time to one host.
  test('with a strict policy guard the plan by generation, and count migrating members on both sides', () => {
    const free = group('anti-affinity', { memberHosts: [hostId(2)] })
    expect(planOn(smallHost(), SMALL, { group: free }).group).toEqual({ id: groupId(1), generation: 3 })
    const onItsWay = { ...free, memberHosts: [hostId(2), hostId(1)] }
    expect(kindsOf(refusalsOf(smallHost(), SMALL, { group: onItsWay }))).toEqual(['anti-affinity'])
  })
})

describe('a plan', () => {
  test('can only come from a decision', () => {
    const plan = planOn(smallHost(), SMALL)
    expect(isDecided(plan)).toBe(true)
    expect(isDecided(JSON.parse(JSON.stringify(plan)))).toBe(false)
    // @ts-expect-error a body is not a plan: the brand cannot be written outside claim.ts
    const forged: typeof plan = { ...holdingOf(1, plan).body, host: plan.host, guards: [], group: null }
    expect(isDecided(forged)).toBe(false)
  })

  test('lists every CPU with its use', () => {
    const emulated = demandFor(pinned(2, { 'hw:emulator_threads_policy': 'isolate' }))
    const plan = planOn(smallHost(), emulated)
    expect(plan.units.map((each) => each.use).sort()).toEqual(['emulator', 'pin', 'pin'])
    expect(plan.amounts).toContainEqual(expect.objectContaining({ resourceClass: 'PCPU', amount: 3 }))
  })

  test('takes VFs along with their PF, and vGPUs along with their GPU', () => {
    const host = smallHost({ cells: 1, vfs: 2, vgpus: 2 })
    const plan = planOn(host, demandFor(pinned(2, { 'pci_passthrough:alias': 'pf:1,gpu:1' })))
    const devices = plan.units.filter((each) => each.kind !== 'cpu')
    expect(devices.map((each) => `${each.use} ${each.unit}`)).toEqual([
      'device pci:0000:10:00.0',
      'with-parent pci:0000:10:00.1',
      'with-parent pci:0000:10:00.2',
      'device pci:0000:d8:00.0',
      'with-parent vgpu:0000:d8:00.0:nvidia-35:0',
      'with-parent vgpu:0000:d8:00.0:nvidia-35:1',
    ])
  })

  test('uses the NUMA nodes that its networks need', () => {
    const bare = smallHost()
    const tunnelled = { physnets: ['storage'], tunneled: false }
    const numaNodes = bare.numaNodes.map((node) => (node.id === 1 ? { ...node, network: tunnelled } : node))
    const ports = demandFor(pinned(2), { network: { physnets: ['storage'], tunneled: false } })
    expect(planOn({ ...bare, numaNodes }, SMALL).cells[0]?.hostCell).toBe(0)
    expect(planOn({ ...bare, numaNodes }, ports).cells[0]?.hostCell).toBe(1)
  })

  test('in explain equals the plan of decide, host by host', () => {
    const hosts = [smallHost(), smallHost({ n: 2, frame: { status: 'down' } })]
    const question = { demand: SMALL, instance: null, group: null, live: null, excludedHost: null }
    expect(explain(question, hosts).map(({ verdict }) => verdict)).toEqual(hosts.map((host) => verdictOn(host, SMALL)))
  })
})

describe('a live migration', () => {
  const vf = pinned(2, { 'pci_passthrough:alias': 'vf:1' })
  const large = pinned(2, { 'hw:mem_page_size': 'large' })
  const sourceOf = (of: typeof vf, small: SmallHost = {}) => withInstance(smallHost({ n: 9, ...small }), 1, of)
  const liveOf = (of: typeof vf, small: SmallHost = {}) => liveInstanceOf(sourceOf(of, small), instanceId(1))

  test('needs a CPU with all features of the source, or the same model', () => {
    const live = liveOf(vf, { vfs: 1, vfTags: { live_migratable: 'true' } })
    const on = (cpu: Partial<typeof SKYLAKE>) =>
      kindsOf(refusalsOf(smallHost({ frame: { cpu: { ...SKYLAKE, ...cpu } } }), SMALL, { live }))
    expect(on({})).toEqual([])
    expect(on({ model: 'Icelake', features: ['avx512f', 'avx2', 'aes'] })).toEqual([])
    expect(on({ model: 'Haswell', features: ['aes'] })).toEqual(['cpu-model'])
    expect(on({ model: 'EPYC', vendor: 'AMD', features: ['aes', 'avx2'] })).toEqual(['cpu-model'])
    expect(on({ arch: 'aarch64' })).toEqual(['cpu-model'])
  })

  test('without known CPU features needs the same model', () => {
    const live = { ...liveOf(large, { hugePages: 1024 })!, cpu: { ...SKYLAKE, features: [] } }
    const host = smallHost({ hugePages: 1024, frame: { cpu: { ...SKYLAKE, model: 'Icelake' } } })
    expect(kindsOf(refusalsOf(host, demandFor(large), { live }))).toEqual(['cpu-model'])
  })

  test('keeps its page size: `large` may not change to another size', () => {
    const live = liveOf(large, { hugePages: 1024 })
    expect(live?.pageKibs).toEqual([2048])
    const host = smallHost({ hugePages: 1024 })
    const gigantic = host.numaNodes.map((node) => ({
      ...node,
      pages: [node.pages[0]!, { sizeKib: 1_048_576, total: 4, used: 0, reserved: 0 }],
    }))
    expect(verdictOn(host, demandFor(large), { live }).ok).toBe(true)
    const refusals = refusalsOf({ ...host, numaNodes: gigantic }, demandFor(large), { live })
    expect(kindsOf(refusals)).toContain('page-size-change')
    expect(verdictOn({ ...host, numaNodes: gigantic }, demandFor(large)).ok).toBe(true)
  })

  test('needs devices that are live-migratable on both sides', () => {
    const tagged = { vfs: 1, vfTags: { live_migratable: 'true' } }
    const demand = demandFor(vf)
    expect(verdictOn(smallHost(tagged), demand, { live: liveOf(vf, tagged) }).ok).toBe(true)
    const toPlain = refusalsOf(smallHost({ vfs: 1 }), demand, { live: liveOf(vf, tagged) })
    expect(kindsOf(toPlain)).toContain('device-not-migratable')
    const fromPlain = refusalsOf(smallHost(tagged), demand, { live: liveOf(vf, { vfs: 1 }) })
    expect(kindsOf(fromPlain)).toEqual(['device-not-migratable'])
  })

  test.each(['true', 'True', 'yes', '1'])('accepts a device tagged live_migratable=%s', (value) => {
    const tagged = { vfs: 1, vfTags: { live_migratable: value } }
    expect(verdictOn(smallHost(tagged), demandFor(vf), { live: liveOf(vf, tagged) }).ok).toBe(true)
  })

  test('takes a vGPU only to a slot of the same type', () => {
    const vgpu = pinned(2, { 'resources:VGPU': '1' })
    const live = liveOf(vgpu, { vgpus: 1 })
    expect(live?.mdevTypes).toEqual(['nvidia-35'])
    const host = smallHost({ vgpus: 1 })
    const other = host.devices.map((each) => (each.mdevType ? { ...each, mdevType: 'nvidia-36' } : each))
    expect(verdictOn(host, demandFor(vgpu), { live }).ok).toBe(true)
    expect(kindsOf(refusalsOf({ ...host, devices: other }, demandFor(vgpu), { live }))).toContain(
      'device-not-migratable',
    )
  })

  // Its content is copied like memory (Nova since Ussuri).
  test('works with persistent memory', () => {
    const pmem = pinned(2, { 'hw:pmem': '6GB' })
    expect(verdictOn(smallHost({ pmems: 1 }), demandFor(pmem), { live: liveOf(pmem, { pmems: 1 }) }).ok).toBe(true)
  })
})

describe('sameDemand', () => {
  test('ignores the spelling', () => {
    expect(sameDemand(demandFor(pinned(4)), demandFor(flavor(4, { 'resources:PCPU': '4' })))).toBe(true)
    expect(sameDemand(demandFor(pinned(4)), demandFor(pinned(4, {}, { name: 'other' })))).toBe(true)
  })

  // LP 1763766 (docs/bugs.md, group 35): a rebuild with an image of another topology kept the old claim.
  test('differs for an image with another topology', () => {
    const image: Image = { name: 'two-nodes', properties: { hw_numa_nodes: '2' } }
    expect(sameDemand(demandFor(pinned(4), {}, IMAGE), demandFor(pinned(4), {}, image))).toBe(false)
    expect(sameDemand(demandFor(pinned(4), {}, IMAGE), demandFor(pinned(4), {}, { ...IMAGE, name: 'newer' }))).toBe(
      true,
    )
  })
})
