import { describe, expect, it } from 'vitest'
import { gpuAliases, parseNodes, parsePods } from './fleet-csv'

const NODES = 'sn,cpu_milli,memory_mib,gpu,model'
const PODS = 'name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos'
const nodes = (...rows: string[]) => parseNodes([NODES, ...rows].join('\n'), 'nodes.csv')
const pods = (...rows: string[]) => parsePods([PODS, ...rows].join('\n'), 'pods.csv')

describe('hosts of a fleet table', () => {
  it('splits a host of 64 CPUs into two NUMA nodes and spreads its GPUs over them', () => {
    const { value, issues } = nodes('n1,64000,262144,2,T4')
    expect(issues).toEqual([])
    const host = value?.[0]
    expect(host?.numaNodes.map((node) => [node.sharedCpus.length, node.memoryMib])).toEqual([
      [32, 131072],
      [32, 131072],
    ])
    const whole = host?.devices.filter((device) => device.kind === 'pci') ?? []
    expect(whole.map((device) => device.cell)).toEqual([0, 1])
    expect(host?.devices.filter((device) => device.kind === 'vgpu')).toHaveLength(4)
  })

  it('gives a host the same id every time', () => {
    const id = () => nodes('n1,1000,1024,0,').value?.[0]?.frame.id
    expect(id()).toBe(id())
  })

  it.each([
    ['an invalid number', 'n1,many,1024,0,', /nodes\.csv line 2/, /cpu_milli/],
    ['a host without memory', 'n1,1000,0,0,', /line 2/, /memory_mib/],
    ['an unknown GPU', 'n1,1000,1024,1,Z9', /line 2/, /Z9/],
    ['a GPU named like a member of every object', 'n1,1000,1024,1,constructor', /line 2/, /constructor/],
    ['no name', ',1000,1024,0,', /line 2/, /sn/],
    ['a name that no text of the database can have', 'a\u0000b,1000,1024,0,', /line 2/, /sn/],
    ['less than one CPU', 'n1,500,1024,0,', /line 2/, /cpu_milli/],
    ['CPUs in another unit', 'n1,64000000000,1024,0,', /line 2/, /cpu_milli/],
    ['memory in bytes', 'n1,1000,274877906944,0,', /line 2/, /memory_mib/],
    ['more GPUs than addresses', 'n1,1000,1024,31,T4', /line 2/, /gpu/],
  ])('skips a row with %s and keeps the others', (_name, row, where, what) => {
    const { value, issues } = nodes(row, 'good,1000,1024,0,')
    expect(value?.map((host) => host.frame.name)).toEqual(['good'])
    expect(issues[0]).toMatchObject({
      level: 'error',
      where: expect.stringMatching(where),
      what: expect.stringMatching(what),
    })
  })

  it('keeps the first of two equal names, and reports both lines', () => {
    const { value, issues } = nodes('n1,1000,1024,0,', 'n1,2000,1024,0,')
    expect(value).toHaveLength(1)
    expect(issues[0]).toMatchObject({ where: 'nodes.csv line 3', what: expect.stringContaining('nodes.csv line 2') })
  })

  it.each([
    ['an empty file', '', /no rows/],
    ['a file with only a header', NODES, /no rows/],
    ['unclosed quotes', `${NODES}\n"n1,1,1,0,`, /comma-separated/],
  ])('refuses %s', (_name, text, what) => {
    const { value, issues } = parseNodes(text, 'nodes.csv')
    expect(value).toEqual([])
    expect(issues[0]?.what).toMatch(what)
  })
})

describe('workloads of a fleet table', () => {
  it('rounds CPUs up, requests whole GPUs as PCI devices and a share as one vGPU', () => {
    const { value } = pods('a,500,1024,0,,', 'b,1500,1024,2,1000,', 'c,1000,1024,1,470,T4')
    expect(value?.map(({ flavor }) => [flavor.vcpus, flavor.extraSpecs])).toEqual([
      [1, {}],
      [2, { 'pci_passthrough:alias': 'gpu:2' }],
      [1, { 'resources:VGPU': '1', 'trait:CUSTOM_GPU_T4': 'required' }],
    ])
  })

  it('has one alias for each choice of models', () => {
    const { value } = pods('a,1000,1024,1,1000,T4|P100', 'b,1000,1024,1,1000,')
    expect(gpuAliases(value ?? [])).toMatchObject([
      { name: 'gpu', spec: [{ vendor_id: '10de' }] },
      { name: 'gpu-t4-p100', spec: [{ model: 't4' }, { model: 'p100' }] },
    ])
  })

  it.each([
    ['a share above a whole GPU', 'a,1000,1024,1,1500,', /gpu_milli/],
    ['an unknown model', 'a,1000,1024,1,1000,Z9', /Z9/],
    ['a model named like a member of every object', 'a,1000,1024,1,1000,constructor', /constructor/],
    ['a memory of zero', 'a,1000,0,0,,', /memory_mib/],
    ['memory in bytes', 'a,1000,274877906944,0,,', /memory_mib/],
    ['CPUs in another unit', 'a,64000000000,1024,0,,', /cpu_milli/],
    ['a name that no text of the database can have', 'a\u0000b,1000,1024,0,,', /name/],
  ])('skips %s', (_name, row, what) => {
    const { value, issues } = pods(row)
    expect(value).toEqual([])
    expect(issues[0]?.what).toMatch(what)
  })
})
