import { describe, expect, it } from 'vitest'
import type { PlacedNode } from './guest-topology'
import { testNode } from './test-host'
import { claimNodes, cpusTaken, releaseNodes } from './usage'

const placed = (rest: Partial<PlacedNode> = {}): PlacedNode => ({
  guestCell: 0,
  hostCell: 0,
  memoryMib: 64,
  pageKib: null,
  sharedVcpus: [],
  pins: [
    [0, 0],
    [1, 1],
  ],
  reservedCpus: [],
  cpuPolicy: 'dedicated',
  threadPolicy: null,
  ...rest,
})

const pages = [
  { sizeKib: 4, total: 1000, used: 10, reserved: 0 },
  { sizeKib: 2048, total: 100, used: 0, reserved: 0 },
]

describe('claiming units', () => {
  it('pins CPUs, counts shared ones, and uses the smallest pages by default', () => {
    const nodes = [testNode(0, 3, { pages })]
    const taken = claimNodes(nodes, [placed({ sharedVcpus: [2, 3] })])
    expect(taken).toMatchObject({
      ok: true,
      nodes: [{ pinnedCpus: [0, 1], sharedUsed: 2, memoryUsedMib: 64, pages: [{ used: 10 + 16384 }, { used: 0 }] }],
    })
    expect(nodes[0]!.pinnedCpus).toEqual([])
  })

  it('returns frozen NUMA nodes', () => {
    const taken = claimNodes([testNode(0, 3, { pages })], [placed()])
    expect(taken.ok && Object.isFrozen(taken.nodes) && Object.isFrozen(taken.nodes[0])).toBe(true)
  })

  it('ignores NUMA nodes that the host does not have', () => {
    const nodes = [testNode(0, 3)]
    expect(claimNodes(nodes, [placed({ hostCell: 7 })])).toEqual({ ok: true, nodes })
  })

  const errors = [
    ['a CPU that is pinned', claimNodes, [1], 'cpu-already-pinned', [1]],
    ['releasing a CPU that is not pinned', releaseNodes, [0], 'cpu-not-pinned', [1]],
  ] as const
  for (const [name, change, pinnedCpus, kind, cpus] of errors) {
    it(`refuses ${name}`, () => {
      const result = change([testNode(0, 3, { pinnedCpus })], [placed()])
      expect(result).toEqual({ ok: false, error: { kind, hostCell: 0, cpus } })
    })
  }

  it('refuses a CPU that the NUMA node does not have', () => {
    const pins = [[0, 999]] as const
    expect(claimNodes([testNode(0, 3)], [placed({ pins })])).toMatchObject({ error: { kind: 'cpu-not-pinnable' } })
    expect(releaseNodes([testNode(0, 3)], [placed({ pins })])).toMatchObject({
      error: { kind: 'cpu-not-unpinnable' },
    })
  })
})

describe('the thread policy isolate', () => {
  const apart = placed({ threadPolicy: 'isolate', reservedCpus: [2] })

  it('holds the siblings too', () => {
    expect(cpusTaken([testNode(0, 3)], [apart])).toEqual([
      { cpu: 0, use: 'pin' },
      { cpu: 1, use: 'pin' },
      { cpu: 2, use: 'emulator' },
      { cpu: 10, use: 'sibling' },
      { cpu: 11, use: 'sibling' },
      { cpu: 12, use: 'sibling' },
    ])
  })

  it('leaves the siblings of a shared core to their holder, on claim and release', () => {
    const nodes = [testNode(0, 3, { pinnedCpus: [12] })]
    const shared = { ...apart, reservedSharesCore: true }
    const taken = claimNodes(nodes, [shared])
    expect(taken).toMatchObject({ ok: true, nodes: [{ pinnedCpus: [0, 1, 2, 10, 11, 12] }] })
    expect(taken.ok && releaseNodes(taken.nodes, [shared])).toEqual({ ok: true, nodes })
  })
})
