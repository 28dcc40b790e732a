import type { Holds, PlacementFixture } from './fixture'

// Bodies and parameters of the random requests, mostly valid ones. `minor` is the version whose format they use.

const HUGE = [2_147_483_647, 2_147_483_648, 1e12, Number.MAX_SAFE_INTEGER]
const NO_NUMBERS = [0, -1, '5', null, true, [], {}]
const NO_AMOUNTS = [...NO_NUMBERS, 1.5, ...HUGE]
const OWNERS = ['p', 'q', '', 'x'.repeat(255), 'x'.repeat(256), 'é', 'p p', 5, null]
const TYPES = ['INSTANCE', 'INSTANCE', 'MIGRATION', 'MIGRATION', 'OTHER_1', 'bad', '', 'X'.repeat(255), 'X'.repeat(256)]

export function inventory(world: PlacementFixture): Record<string, unknown> {
  // Sometimes less than is already allocated: a provider over its capacity.
  const total = 1 + world.number(world.is(0.15) ? 2 : 24)
  if (world.is(0.4)) return { total }
  const full = { total, reserved: world.one([0, 0, 1, 2]), min_unit: 1, max_unit: 16, step_size: 1 }
  if (world.is(0.1)) return { ...full, reserved: total + world.number(2) }
  if (world.is(0.15)) {
    const key = world.one(['total', 'reserved', 'min_unit', 'max_unit', 'step_size', 'allocation_ratio'])
    // Placement stores a ratio of more than six digits in single precision.
    return { ...full, [key]: world.one<unknown>(key === 'allocation_ratio' ? NO_NUMBERS : NO_AMOUNTS) }
  }
  return {
    ...full,
    allocation_ratio: world.one([1, 1, 2, 1.5, 0.5, 16]),
    step_size: world.one([1, 1, 2]),
    min_unit: world.one([1, 1, 2]),
  }
}

export function inventories(world: PlacementFixture, provider: string): Record<string, unknown> {
  const classes = world.several(() => [world.resourceClass(), inventory(world)] as const, 3)
  return { resource_provider_generation: world.generation(provider), inventories: Object.fromEntries(classes) }
}

function resources(world: PlacementFixture, provider: string): Record<string, unknown> {
  const amount = () => (world.is(0.03) ? world.one(NO_AMOUNTS) : world.one([1, 1, 1, 2, 2, 3, 4, 8]))
  const one = () => [world.classOf(provider), amount()] as const
  return Object.fromEntries([one(), ...world.several(one, 1)])
}

/** Requested allocations of a consumer: a list before 1.12, by provider since. */
export function holding(world: PlacementFixture, { minor, consumer }: { minor: number; consumer: string }) {
  const lines = world.is(0.1) ? [] : [world.provider(), ...world.several(world.provider, 1)]
  const same = Object.entries(world.holds(consumer))
  const held =
    same.length > 0 && world.is(0.3)
      ? same.map(([uuid, amounts]) => [uuid, { resources: varyAmounts(world, amounts) }] as const)
      : lines.map((uuid) => [uuid, { resources: resources(world, uuid) }] as const)
  const old = held.map(([uuid, { resources }]) => ({ resource_provider: { uuid }, resources }))
  const owners = { project_id: world.is(0.05) ? world.one(OWNERS) : 'p', user_id: world.one(['u', 'v']) }
  return {
    allocations: minor < 12 ? old : Object.fromEntries(held),
    ...(minor >= 8 && !world.is(0.03) && owners),
    ...(minor >= 28 && !world.is(0.03) && { consumer_generation: world.consumerGeneration(consumer) }),
    ...(minor >= 34 && world.is(0.2) && { mappings: mappings(world) }),
    ...(minor >= 38 && !world.is(0.03) && { consumer_type: world.one(TYPES) }),
  }
}

/** As much, one less, rarely one more: a provider over its capacity accepts some of these and refuses others. */
function varyAmounts(world: PlacementFixture, amounts: Readonly<Record<string, number>>): Record<string, number> {
  const changed = (amount: number) => Math.max(1, amount + world.one([0, 0, 0, -1, -1, 1]))
  return Object.fromEntries(Object.entries(amounts).map(([of, amount]) => [of, changed(amount)]))
}

function mappings(world: PlacementFixture): Record<string, unknown> {
  const groups = world.several(() => [world.one(['', '1', '_A', '-', 'a b', 'x'.repeat(65)]), [world.provider()]], 2)
  return Object.fromEntries(groups)
}

export function holdings(world: PlacementFixture, minor: number): Record<string, unknown> {
  const swap = world.is(0.25) ? swapped(world, minor) : null
  if (swap !== null) return swap
  const consumers = [world.consumer(), ...world.several(world.consumer, 1)]
  return Object.fromEntries(consumers.map((consumer) => [consumer, holding(world, { minor, consumer })]))
}

/** As at the start of a migration: another consumer takes over the allocations, and the first one claims elsewhere. */
function swapped(world: PlacementFixture, minor: number): Record<string, unknown> | null {
  const holders = world.holders()
  const others = world.consumers.filter((each) => !holders.includes(each))
  if (holders.length === 0 || others.length === 0) return null
  const [from, to] = [world.one(holders), world.one(others)]
  const held = world.holds(from)
  const target = world.provider()
  const moved = { [target]: Object.values(held)[0] ?? {} }
  return {
    [from]: owned(world, moved, { minor, generation: world.knownGeneration(from) }),
    [to]: owned(world, held, { minor, generation: null }),
  }
}

interface Form {
  readonly minor: number
  readonly generation: number | null
}

function owned(world: PlacementFixture, holds: Holds, { minor, generation }: Form): Record<string, unknown> {
  const allocations = Object.entries(holds).map(([uuid, amounts]) => [uuid, { resources: amounts }] as const)
  return {
    ...{ allocations: Object.fromEntries(allocations), project_id: 'p', user_id: world.one(['u', 'v']) },
    ...(minor >= 28 && { consumer_generation: generation }),
    ...(minor >= 38 && { consumer_type: 'INSTANCE' }),
  }
}

/** Changes only totals: a reshape that should be accepted. */
function gentle(world: PlacementFixture, minor: number): Record<string, unknown> | null {
  const stocked = world.stockedProviders()
  if (stocked.length === 0) return null
  const providers = [...new Set([world.one(stocked), world.one(stocked)])]
  const inventories = providers.map((provider) => {
    const classes = world.stockOf(provider).map((each) => [each, { total: 16 + world.number(16) }] as const)
    const generation = world.knownGeneration(provider) ?? 0
    return [provider, { resource_provider_generation: generation, inventories: Object.fromEntries(classes) }] as const
  })
  const consumers = world.holders().filter(() => world.is(0.5))
  const allocations = consumers.map((each) => {
    const generation = world.knownGeneration(each)
    return [each, owned(world, world.holds(each), { minor, generation })] as const
  })
  return { inventories: Object.fromEntries(inventories), allocations: Object.fromEntries(allocations) }
}

export function reshaped(world: PlacementFixture, minor: number): Record<string, unknown> {
  const winning = world.is(0.5) ? gentle(world, minor) : null
  if (winning !== null) return winning
  const providers = [world.provider(), ...world.several(world.provider, 1)]
  return {
    inventories: Object.fromEntries(providers.map((provider) => [provider, inventories(world, provider)])),
    allocations: world.is(0.3) ? {} : holdings(world, minor),
  }
}

/** Values of `required` and similar parameters; `in:` and repetition need 1.39, but also occur in earlier versions. */
function traits(world: PlacementFixture): string {
  const list = [world.trait(), ...world.several(world.trait, 1)].map(encodeURIComponent).join(',')
  return `${world.one(['', '', '', '!', 'in:', '!in:'])}${list}`
}

const amounts = (world: PlacementFixture) =>
  `${encodeURIComponent(world.resourceClass())}:${world.one([1, 1, 1, 2, 2, 4, 8])}`

export function filters(world: PlacementFixture, suffix = ''): string[] {
  const parts = [`resources${suffix}=${amounts(world)}${world.is(0.2) ? `,${amounts(world)}` : ''}`]
  if (world.is(0.25)) parts.push(`required${suffix}=${traits(world)}`)
  if (world.is(0.08)) parts.push(`required${suffix}=${traits(world)}`)
  for (const chance of [0.25, 0.08]) {
    if (!world.is(chance)) continue
    const list = [world.aggregate(), ...world.several(world.aggregate, 1)]
    parts.push(`member_of${suffix}=${world.one(['', 'in:', 'in:', '!', '!in:'])}${list.join(',')}`)
  }
  if (world.is(0.1)) parts.push(`in_tree${suffix}=${world.provider()}`)
  return parts
}

const NUMBERED = ['1', '2', '3']
const WORDED = ['_A', '-b', '3']

/** Request groups, isolated or not; since 1.33 their suffixes may be words. */
export function candidates(world: PlacementFixture, minor: number): string {
  const parts = world.is(0.7) ? filters(world) : []
  const names = minor >= 33 || world.is(0.1) ? world.one([NUMBERED, WORDED]) : NUMBERED
  const groups = world.is(0.5) ? names.slice(0, 1 + world.number(3)) : []
  for (const suffix of groups) {
    const [first, ...rest] = filters(world, suffix)
    parts.push(...(world.is(0.1) ? rest : [first as string, ...rest]))
  }
  if (groups.length > 0 ? !world.is(0.2) : world.is(0.1))
    parts.push(`group_policy=${world.one(['none', 'none', 'isolate', 'isolate', 'bad'])}`)
  if (world.is(0.1)) parts.push(`root_required=${traits(world)}`)
  if (world.is(0.15)) parts.push(`same_subtree=${names.slice(0, 1 + world.number(3)).join(',')}`)
  return parts.join('&')
}
