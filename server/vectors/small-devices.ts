import fc from 'fast-check'
import type { VectorDevice, VectorRequest } from './vector-file'

// Small cards, and requests similar enough to compete for them.

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values)
const rarely = (oneIn: number) => fc.nat(oneIn - 1).map((roll) => roll === 0)
const range = (length: number) => [...Array(length).keys()]

export interface CardSeed {
  readonly model: string
  readonly cell: number | null
  readonly vfs: number
  readonly whole: boolean
  readonly taken: readonly boolean[]
  readonly tag: 'none' | 'p0' | 'p1' | 'remote'
}

export const cardSeed: fc.Arbitrary<CardSeed> = fc.record({
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

/** A card with VFs is a PF with its functions; one without is a plain device. A held VF blocks its PF. */
export function devicesOfCard(seed: CardSeed, bus: number): readonly VectorDevice[] {
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

// Mostly the properties of an existing card, so that requests compete; sometimes with a further restriction.
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
