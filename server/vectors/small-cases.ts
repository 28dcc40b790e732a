import fc from 'fast-check'
import type { SmallCase } from './brute-force'
import type { VectorCell, VectorDevice, VectorGuest, VectorGuestCell, VectorLimits, VectorRequest } from './vector-file'

// Small hosts, guests and cards, made so that fits and refusals are about as likely: numbers are few and collide.

const rarely = (oneIn: number) => fc.nat(oneIn - 1).map((roll) => roll === 0)

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values)

interface CellSeed {
  readonly threads: number
  readonly cores: number
  readonly split: 'legacy' | 'dedicated' | 'split' | 'threads'
  readonly pinned: readonly boolean[]
  readonly memoryMb: number
  readonly usedMb: number
  readonly shared: number
  readonly pages: 'none' | 'small' | 'both'
  readonly used: number
  readonly socket: number | null
  readonly physnets: readonly string[]
  readonly tunneled: boolean
}

const cellSeed: fc.Arbitrary<CellSeed> = fc.record({
  threads: pick(1, 2, 2, 2, 3),
  cores: pick(1, 2, 3, 3),
  split: pick('legacy', 'legacy', 'dedicated', 'split', 'threads'),
  pinned: fc.array(rarely(4), { minLength: 9, maxLength: 9 }),
  memoryMb: pick(8, 16, 16),
  usedMb: pick(0, 0, 0, 2, 6),
  shared: pick(0, 0, 0, 1),
  pages: pick('none', 'small', 'both'),
  used: pick(0, 0, 1, 512),
  socket: pick(0, 0, 1, 1, null),
  physnets: pick([], ['p0'], ['p1'], ['p0', 'p1']),
  tunneled: fc.boolean(),
})

function cellOfSeed(seed: CellSeed, index: number): VectorCell {
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
  const pages = { small: { sizeKb: 4, total: seed.memoryMb * 128, used: seed.used, reserved: 0 } }
  const large = { sizeKb: 2048, total: seed.memoryMb / 4, used: Math.min(1, seed.used), reserved: 0 }
  return {
    id: index * 2,
    socket: seed.socket,
    cpuset: cpuset!.toSorted((a, b) => a - b),
    pcpuset: pcpuset!.toSorted((a, b) => a - b),
    siblings,
    pinnedCpus: pcpuset!.filter((_, position) => seed.pinned[position]).sort((a, b) => a - b),
    cpuUsage: seed.shared,
    memoryMb: seed.memoryMb,
    memoryUsageMb: seed.usedMb,
    memPages: seed.pages === 'none' ? [] : seed.pages === 'small' ? [pages.small] : [pages.small, large],
    network: { physnets: seed.physnets, tunneled: seed.tunneled },
  }
}

const range = (length: number) => [...Array(length).keys()]

export const cellsArb = (max: number): fc.Arbitrary<readonly VectorCell[]> =>
  fc.array(cellSeed, { minLength: 1, maxLength: max }).map((seeds) => seeds.map(cellOfSeed))

const guestCellSeed = fc.record({
  shared: pick(0, 1, 1, 2, 3),
  dedicated: pick(0, 1, 1, 2, 2, 3, 4),
  memoryMb: pick(2, 2, 2, 4, 4, 5, 8),
  pageSizeKb: fc.oneof({ weight: 5, arbitrary: pick(null) }, { weight: 2, arbitrary: pick(-1, -2, -3, 4, 2048, 16) }),
})

export const guestArb: fc.Arbitrary<VectorGuest> = fc
  .record({
    cells: fc.array(guestCellSeed, { minLength: 1, maxLength: 3 }),
    cpuPolicy: pick<VectorGuestCell['cpuPolicy']>(null, 'shared', 'dedicated', 'dedicated', 'dedicated', 'mixed'),
    cpuThreadPolicy: pick<VectorGuestCell['cpuThreadPolicy']>(
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
    const guestCells = cells.map((seed, id): VectorGuestCell => {
      const pins = cpuPolicy === 'dedicated' || cpuPolicy === 'mixed'
      return {
        id,
        cpuset: cpuPolicy === 'dedicated' ? [] : take(seed.shared),
        pcpuset: pins ? take(seed.dedicated) : [],
        memoryMb: seed.memoryMb,
        pageSizeKb: seed.pageSizeKb,
        cpuPolicy,
        cpuThreadPolicy,
      }
    })
    return { emulatorThreadsPolicy, cells: guestCells }
  })

export const limitsArb: fc.Arbitrary<VectorLimits | null> = fc.oneof(
  fc.constant(null),
  fc.constant(null),
  fc.record({
    cpuAllocationRatio: pick(1, 2, 4),
    ramAllocationRatio: pick(1, 1.5, 2),
    network: fc.record({ physnets: pick([], [], ['p0'], ['p0', 'p1'], ['p9']), tunneled: rarely(4) }),
  }),
)

interface CardSeed {
  readonly model: string
  readonly cell: number | null
  readonly vfs: number
  readonly whole: boolean
  readonly taken: readonly boolean[]
  readonly tag: 'none' | 'p0' | 'p1' | 'remote'
}

const cardSeed: fc.Arbitrary<CardSeed> = fc.record({
  model: pick('a', 'b'),
  cell: pick(null, 0, 0, 2, 2, 4),
  vfs: fc.integer({ min: 0, max: 2 }),
  whole: fc.boolean(),
  taken: fc.array(rarely(8), { minLength: 3, maxLength: 3 }),
  tag: pick('none', 'none', 'none', 'p0', 'p1', 'remote'),
})

const TAGS: Readonly<Record<CardSeed['tag'], Readonly<Record<string, string>>>> = {
  none: {},
  p0: { physical_network: 'p0' },
  p1: { physical_network: 'p1' },
  remote: { remote_managed: 'true' },
}

/** A card with VFs is a PF with its functions; one without is a plain device. A taken VF blocks its PF. */
function devicesOfCard(seed: CardSeed, bus: number): readonly VectorDevice[] {
  const address = (slot: number) => `0000:0${bus}:0${slot}.0`
  const common = { vendorId: seed.model, numaNode: seed.cell, tags: TAGS[seed.tag], rpUuid: `rp${bus}` }
  const vfFree = range(seed.vfs).map((index) => !seed.taken[index + 1])
  const wholeTaken = seed.taken[0] === true && seed.vfs > 0
  const card: VectorDevice = {
    ...common,
    address: address(0),
    productId: 'card',
    devType: seed.vfs > 0 ? 'type-PF' : 'type-PCI',
    parentAddress: null,
    free: !seed.taken[0] && vfFree.every((free) => free),
  }
  return [
    card,
    ...vfFree.map((free, index) => ({
      ...common,
      address: address(index + 1),
      productId: seed.whole ? 'card' : 'vf',
      devType: 'type-VF' as const,
      parentAddress: card.address,
      free: free && !wholeTaken,
    })),
  ]
}

export const devicesArb: fc.Arbitrary<readonly VectorDevice[]> = fc
  .array(cardSeed, { minLength: 1, maxLength: 3 })
  .map((seeds) => seeds.flatMap(devicesOfCard))

// Mostly what a card of ours really is, so that requests compete; now and then a word that narrows it down.
const specEntry = fc
  .tuple(
    pick({ vendor_id: 'a' }, { vendor_id: 'b' }, { vendor_id: 'A' }),
    fc.oneof(
      { weight: 3, arbitrary: pick({ dev_type: 'type-VF' }) },
      { weight: 3, arbitrary: pick({ product_id: 'card', dev_type: 'type-PF' }) },
      { weight: 2, arbitrary: pick({ product_id: 'card' }, { product_id: 'vf' }, {}) },
    ),
    fc.oneof(
      { weight: 6, arbitrary: pick({}) },
      {
        weight: 1,
        arbitrary: pick({ physical_network: 'P1' }, { remote_managed: 'true' }, { remote_managed: 'false' }),
      },
    ),
  )
  .map((parts) => Object.assign({}, ...parts) as Record<string, string>)

export const requestsArb: fc.Arbitrary<readonly VectorRequest[]> = fc
  .array(
    fc.record({
      count: pick(1, 1, 1, 2),
      spec: fc.array(specEntry, { minLength: 1, maxLength: 2 }),
      numaPolicy: pick<VectorRequest['numaPolicy']>(null, 'legacy', 'preferred', 'required', 'socket'),
      placementProviders: pick<readonly string[] | null>(
        null,
        null,
        null,
        ['rp0'],
        ['rp1'],
        ['rp0', 'rp1'],
        ['rp0', 'rp0'],
      ),
    }),
    { maxLength: 3 },
  )
  .map((requests) =>
    requests.map((request, index) => ({
      ...request,
      requestId: `request ${index}`,
      aliasName: 'alias',
    })),
  )

export const smallCaseArb: fc.Arbitrary<SmallCase> = fc.record({
  cells: cellsArb(4),
  guest: guestArb,
  limits: limitsArb,
  devices: devicesArb,
  requests: fc.oneof(fc.constant([]), requestsArb),
})

/** Cells that nearly always hold their guests, so that devices and networks decide which of them are chosen. */
export const jointCaseArb: fc.Arbitrary<SmallCase> = fc
  .record({
    cells: fc.array(cellSeed, { minLength: 2, maxLength: 4 }),
    guest: fc.array(pick(1, 1, 2, 4), { minLength: 1, maxLength: 3 }),
    limits: limitsArb,
    devices: fc.array(cardSeed, { minLength: 2, maxLength: 3 }),
    requests: requestsArb,
  })
  .map(({ cells, guest, limits, devices, requests }) => ({
    cells: cells.map((seed, index) =>
      cellOfSeed({ ...seed, split: 'legacy', cores: 3, pinned: [], pages: 'none', usedMb: 0 }, index),
    ),
    guest: roomyGuest(guest),
    limits,
    devices: devices.map((seed) => ({ ...seed, vfs: Math.max(1, seed.vfs), taken: [] })).flatMap(devicesOfCard),
    requests: requests.slice(0, 2),
  }))

function roomyGuest(vcpus: readonly number[]): VectorGuest {
  const cells = vcpus.map((count, id): VectorGuestCell => {
    const pcpuset = range(count).map((vcpu) => id * 10 + vcpu)
    return { id, cpuset: [], pcpuset, memoryMb: 2, pageSizeKb: null, cpuPolicy: 'dedicated', cpuThreadPolicy: null }
  })
  return { emulatorThreadsPolicy: null, cells }
}
