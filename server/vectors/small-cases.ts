import fc from 'fast-check'
import type { SmallCase } from './brute-force'
import { cardSeed, devicesArb, devicesOfCard, requestsArb } from './small-devices'
import type { VectorGuest, VectorGuestNode, VectorLimits, VectorNode } from './vector-file'

// Small hosts, instances and cards with few distinct numbers, so that fits and refusals are about equally likely.

const rarely = (oneIn: number) => fc.nat(oneIn - 1).map((roll) => roll === 0)

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values)

interface NodeSeed {
  readonly threads: number
  readonly cores: number
  readonly split: 'legacy' | 'dedicated' | 'split' | 'threads'
  readonly pinned: readonly boolean[]
  readonly memoryMib: number
  readonly usedMib: number
  readonly shared: number
  readonly pages: 'none' | 'small' | 'both'
  readonly used: number
  readonly socket: number | null
  readonly physnets: readonly string[]
  readonly tunneled: boolean
}

const nodeSeed: fc.Arbitrary<NodeSeed> = fc.record({
  threads: pick(1, 2, 2, 2, 3),
  cores: pick(1, 2, 3, 3),
  split: pick('legacy', 'legacy', 'dedicated', 'split', 'threads'),
  pinned: fc.array(rarely(4), { minLength: 9, maxLength: 9 }),
  memoryMib: pick(8, 16, 16),
  usedMib: pick(0, 0, 0, 2, 6),
  shared: pick(0, 0, 0, 1),
  pages: pick('none', 'small', 'both'),
  used: pick(0, 0, 1, 512),
  socket: pick(0, 0, 1, 1, null),
  physnets: pick([], ['p0'], ['p1'], ['p0', 'p1']),
  tunneled: fc.boolean(),
})

function nodeOfSeed(seed: NodeSeed, index: number): VectorNode {
  const cpu = (core: number, thread: number) => index * 100 + thread * 10 + core
  const siblings = range(seed.cores).map((core) => range(seed.threads).map((thread) => cpu(core, thread)))
  const all = siblings.flat().sort((a, b) => a - b)
  const firsts = siblings.map(([first]) => first!)
  const [cpuset, pcpuset] = {
    legacy: [all, all],
    dedicated: [[], all],
    split: [siblings[0]!, siblings.slice(1).flat()],
    threads: [firsts, all.filter((each) => !firsts.includes(each))],
  }[seed.split]
  const pages = { small: { sizeKib: 4, total: seed.memoryMib * 128, used: seed.used, reserved: 0 } }
  const large = { sizeKib: 2048, total: seed.memoryMib / 4, used: Math.min(1, seed.used), reserved: 0 }
  return {
    id: index * 2,
    socket: seed.socket,
    cpuset: cpuset!.toSorted((a, b) => a - b),
    pcpuset: pcpuset!.toSorted((a, b) => a - b),
    siblings,
    pinnedCpus: pcpuset!.filter((_, position) => seed.pinned[position]).sort((a, b) => a - b),
    cpuUsage: seed.shared,
    memoryMib: seed.memoryMib,
    memoryUsageMib: seed.usedMib,
    memPages: seed.pages === 'none' ? [] : seed.pages === 'small' ? [pages.small] : [pages.small, large],
    network: { physnets: seed.physnets, tunneled: seed.tunneled },
  }
}

const range = (length: number) => [...Array(length).keys()]

export const nodesArb = (max: number): fc.Arbitrary<readonly VectorNode[]> =>
  fc.array(nodeSeed, { minLength: 1, maxLength: max }).map((seeds) => seeds.map(nodeOfSeed))

const guestNodeSeed = fc.record({
  shared: pick(0, 1, 1, 2, 3),
  dedicated: pick(0, 1, 1, 2, 2, 3, 4),
  memoryMib: pick(2, 2, 2, 4, 4, 5, 8),
  pageSizeKib: fc.oneof({ weight: 5, arbitrary: pick(null) }, { weight: 2, arbitrary: pick(-1, -2, -3, 4, 2048, 16) }),
})

export const guestArb: fc.Arbitrary<VectorGuest> = fc
  .record({
    cells: fc.array(guestNodeSeed, { minLength: 1, maxLength: 3 }),
    cpuPolicy: pick<VectorGuestNode['cpuPolicy']>(null, 'shared', 'dedicated', 'dedicated', 'dedicated', 'mixed'),
    cpuThreadPolicy: pick<VectorGuestNode['cpuThreadPolicy']>(
      null,
      null,
      null,
      'prefer',
      'prefer',
      'isolate',
      'require',
    ),
    emulatorThreadsPolicy: pick<VectorGuest['emulatorThreadsPolicy']>(null, null, null, null, 'share', 'isolate'),
  })
  .map(({ cells, cpuPolicy, cpuThreadPolicy, emulatorThreadsPolicy }) => {
    let next = 0
    const take = (count: number) => range(count).map(() => next++)
    const guestNodes = cells.map((seed, id): VectorGuestNode => {
      const pins = cpuPolicy === 'dedicated' || cpuPolicy === 'mixed'
      return {
        id,
        cpuset: cpuPolicy === 'dedicated' ? [] : take(seed.shared),
        pcpuset: pins ? take(seed.dedicated) : [],
        memoryMib: seed.memoryMib,
        pageSizeKib: seed.pageSizeKib,
        cpuPolicy,
        cpuThreadPolicy,
      }
    })
    return { emulatorThreadsPolicy, cells: guestNodes }
  })

const limitsArb: fc.Arbitrary<VectorLimits | null> = fc.oneof(
  fc.constant(null),
  fc.constant(null),
  fc.record({
    cpuAllocationRatio: pick(1, 2, 4),
    ramAllocationRatio: pick(1, 1.5, 2),
    network: fc.record({ physnets: pick([], [], ['p0'], ['p0', 'p1'], ['p9']), tunneled: rarely(4) }),
  }),
)

export const smallCaseArb: fc.Arbitrary<SmallCase> = fc.record({
  cells: nodesArb(4),
  guest: guestArb,
  limits: limitsArb,
  devices: devicesArb,
  requests: fc.oneof(fc.constant([]), requestsArb),
})

/** NUMA nodes that nearly always hold their instances, so that devices and networks decide which of them are chosen. */
export const jointCaseArb: fc.Arbitrary<SmallCase> = fc
  .record({
    cells: fc.array(nodeSeed, { minLength: 2, maxLength: 4 }),
    guest: fc.array(pick(1, 1, 2, 4), { minLength: 1, maxLength: 3 }),
    limits: limitsArb,
    devices: fc.array(cardSeed, { minLength: 2, maxLength: 3 }),
    requests: requestsArb,
  })
  .map(({ cells, guest, limits, devices, requests }) => ({
    cells: cells.map((seed, index) =>
      nodeOfSeed({ ...seed, split: 'legacy', cores: 3, pinned: [], pages: 'none', usedMib: 0 }, index),
    ),
    guest: roomyGuest(guest),
    limits,
    devices: devices.map((seed) => ({ ...seed, vfs: Math.max(1, seed.vfs), taken: [] })).flatMap(devicesOfCard),
    requests: requests.slice(0, 2),
  }))

function roomyGuest(vcpus: readonly number[]): VectorGuest {
  const cells = vcpus.map((count, id): VectorGuestNode => {
    const pcpuset = range(count).map((vcpu) => id * 10 + vcpu)
    return { id, cpuset: [], pcpuset, memoryMib: 2, pageSizeKib: null, cpuPolicy: 'dedicated', cpuThreadPolicy: null }
  })
  return { emulatorThreadsPolicy: null, cells }
}
