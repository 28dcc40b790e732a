import type { Holds, PlacementFixture } from './fixture'

// Bodies and parameters of the random requests, mostly valid ones. `minor` is the version whose format they use.

const HUGE = [2_147_483_647, 2_147_483_648, 1e12, Number.MAX_SAFE_INTEGER]
const NO_NUMBERS = [0, -1, '5', null, true, [], {}]
const NO_AMOUNTS = [...NO_NUMBERS, 1.5, ...HUGE]
const OWNERS = ['p', 'q', '', 'x'.repeat(255), 'x'.repeat(256), 'é', 'p p', 5, null]
const TYPES = ['INSTANCE', 'INSTANCE', 'MIGRATION', 'MIGRATION', 'OTHER_1', 'bad', '', 'X'.repeat(255), 'X'.repeat(256)]

export function inventory(fixture: PlacementFixture): Record<string, unknown> {
  // Sometimes less than is already allocated: a provider over its capacity.
  const total = 1 + fixture.number(fixture.is(0.15) ? 2 : 24)
  if (fixture.is(0.4)) return { total }
  const full = { total, reserved: fixture.one([0, 0, 1, 2]), min_unit: 1, max_unit: 16, step_size: 1 }
  if (fixture.is(0.1)) return { ...full, reserved: total + fixture.number(2) }
  if (fixture.is(0.15)) {
    const key = fixture.one(['total', 'reserved', 'min_unit', 'max_unit', 'step_size', 'allocation_ratio'])
    // Placement stores a ratio of more than six digits in single precision.
    return { ...full, [key]: fixture.one<unknown>(key === 'allocation_ratio' ? NO_NUMBERS : NO_AMOUNTS) }
  }
  return {
    ...full,
    allocation_ratio: fixture.one([1, 1, 2, 1.5, 0.5, 16]),
    step_size: fixture.one([1, 1, 2]),
    min_unit: fixture.one([1, 1, 2]),
  }
}

export function inventories(fixture: PlacementFixture, provider: string): Record<string, unknown> {
  const classes = fixture.several(() => [fixture.resourceClass(), inventory(fixture)] as const, 3)
  return { resource_provider_generation: fixture.generation(provider), inventories: Object.fromEntries(classes) }
}

function resources(fixture: PlacementFixture, provider: string): Record<string, unknown> {
  const amount = () => (fixture.is(0.03) ? fixture.one(NO_AMOUNTS) : fixture.one([1, 1, 1, 2, 2, 3, 4, 8]))
  const one = () => [fixture.classOf(provider), amount()] as const
  return Object.fromEntries([one(), ...fixture.several(one, 1)])
}

/** Requested allocations of a consumer: a list before 1.12, by provider since. */
export function holding(fixture: PlacementFixture, { minor, consumer }: { minor: number; consumer: string }) {
  const lines = fixture.is(0.1) ? [] : [fixture.provider(), ...fixture.several(fixture.provider, 1)]
  const same = Object.entries(fixture.holds(consumer))
  const held =
    same.length > 0 && fixture.is(0.3)
      ? same.map(([uuid, amounts]) => [uuid, { resources: varyAmounts(fixture, amounts) }] as const)
      : lines.map((uuid) => [uuid, { resources: resources(fixture, uuid) }] as const)
  const old = held.map(([uuid, { resources }]) => ({ resource_provider: { uuid }, resources }))
  const owners = { project_id: fixture.is(0.05) ? fixture.one(OWNERS) : 'p', user_id: fixture.one(['u', 'v']) }
  return {
    allocations: minor < 12 ? old : Object.fromEntries(held),
    ...(minor >= 8 && !fixture.is(0.03) && owners),
    ...(minor >= 28 && !fixture.is(0.03) && { consumer_generation: fixture.consumerGeneration(consumer) }),
    ...(minor >= 34 && fixture.is(0.2) && { mappings: mappings(fixture) }),
    ...(minor >= 38 && !fixture.is(0.03) && { consumer_type: fixture.one(TYPES) }),
  }
}

/** As much, one less, rarely one more: a provider over its capacity accepts some of these and refuses others. */
function varyAmounts(fixture: PlacementFixture, amounts: Readonly<Record<string, number>>): Record<string, number> {
  const changed = (amount: number) => Math.max(1, amount + fixture.one([0, 0, 0, -1, -1, 1]))
  return Object.fromEntries(Object.entries(amounts).map(([of, amount]) => [of, changed(amount)]))
}

function mappings(fixture: PlacementFixture): Record<string, unknown> {
  const groups = fixture.several(
    () => [fixture.one(['', '1', '_A', '-', 'a b', 'x'.repeat(65)]), [fixture.provider()]],
    2,
  )
  return Object.fromEntries(groups)
}

export function holdings(fixture: PlacementFixture, minor: number): Record<string, unknown> {
  const swap = fixture.is(0.25) ? swapped(fixture, minor) : null
  if (swap !== null) return swap
  const consumers = [fixture.consumer(), ...fixture.several(fixture.consumer, 1)]
  return Object.fromEntries(consumers.map((consumer) => [consumer, holding(fixture, { minor, consumer })]))
}

/** As at the start of a migration: another consumer takes over the allocations, and the first one claims elsewhere. */
function swapped(fixture: PlacementFixture, minor: number): Record<string, unknown> | null {
  const holders = fixture.holders()
  const others = fixture.consumers.filter((each) => !holders.includes(each))
  if (holders.length === 0 || others.length === 0) return null
  const [from, to] = [fixture.one(holders), fixture.one(others)]
  const held = fixture.holds(from)
  const target = fixture.provider()
  const moved = { [target]: Object.values(held)[0] ?? {} }
  return {
    [from]: owned(fixture, moved, { minor, generation: fixture.knownGeneration(from) }),
    [to]: owned(fixture, held, { minor, generation: null }),
  }
}

interface Form {
  readonly minor: number
  readonly generation: number | null
}

function owned(fixture: PlacementFixture, holds: Holds, { minor, generation }: Form): Record<string, unknown> {
  const allocations = Object.entries(holds).map(([uuid, amounts]) => [uuid, { resources: amounts }] as const)
  return {
    ...{ allocations: Object.fromEntries(allocations), project_id: 'p', user_id: fixture.one(['u', 'v']) },
    ...(minor >= 28 && { consumer_generation: generation }),
    ...(minor >= 38 && { consumer_type: 'INSTANCE' }),
  }
}

/** Changes only totals: a reshape that should be accepted. */
function gentle(fixture: PlacementFixture, minor: number): Record<string, unknown> | null {
  const stocked = fixture.stockedProviders()
  if (stocked.length === 0) return null
  const providers = [...new Set([fixture.one(stocked), fixture.one(stocked)])]
  const inventories = providers.map((provider) => {
    const classes = fixture.stockOf(provider).map((each) => [each, { total: 16 + fixture.number(16) }] as const)
    const generation = fixture.knownGeneration(provider) ?? 0
    return [provider, { resource_provider_generation: generation, inventories: Object.fromEntries(classes) }] as const
  })
  const consumers = fixture.holders().filter(() => fixture.is(0.5))
  const allocations = consumers.map((each) => {
    const generation = fixture.knownGeneration(each)
    return [each, owned(fixture, fixture.holds(each), { minor, generation })] as const
  })
  return { inventories: Object.fromEntries(inventories), allocations: Object.fromEntries(allocations) }
}

export function reshaped(fixture: PlacementFixture, minor: number): Record<string, unknown> {
  const winning = fixture.is(0.5) ? gentle(fixture, minor) : null
  if (winning !== null) return winning
  const providers = [fixture.provider(), ...fixture.several(fixture.provider, 1)]
  return {
    inventories: Object.fromEntries(providers.map((provider) => [provider, inventories(fixture, provider)])),
    allocations: fixture.is(0.3) ? {} : holdings(fixture, minor),
  }
}

/** Values of `required` and similar parameters; `in:` and repetition need 1.39, but also occur in earlier versions. */
function traits(fixture: PlacementFixture): string {
  const list = [fixture.trait(), ...fixture.several(fixture.trait, 1)].map(encodeURIComponent).join(',')
  return `${fixture.one(['', '', '', '!', 'in:', '!in:'])}${list}`
}

const amounts = (fixture: PlacementFixture) =>
  `${encodeURIComponent(fixture.resourceClass())}:${fixture.one([1, 1, 1, 2, 2, 4, 8])}`

export function filters(fixture: PlacementFixture, suffix = ''): string[] {
  const parts = [`resources${suffix}=${amounts(fixture)}${fixture.is(0.2) ? `,${amounts(fixture)}` : ''}`]
  if (fixture.is(0.25)) parts.push(`required${suffix}=${traits(fixture)}`)
  if (fixture.is(0.08)) parts.push(`required${suffix}=${traits(fixture)}`)
  for (const chance of [0.25, 0.08]) {
    if (!fixture.is(chance)) continue
    const list = [fixture.aggregate(), ...fixture.several(fixture.aggregate, 1)]
    parts.push(`member_of${suffix}=${fixture.one(['', 'in:', 'in:', '!', '!in:'])}${list.join(',')}`)
  }
  if (fixture.is(0.1)) parts.push(`in_tree${suffix}=${fixture.provider()}`)
  return parts
}

const NUMBERED = ['1', '2', '3']
const WORDED = ['_A', '-b', '3']

/** Request groups, isolated or not; since 1.33 their suffixes may be words. */
export function candidates(fixture: PlacementFixture, minor: number): string {
  const parts = fixture.is(0.7) ? filters(fixture) : []
  const names = minor >= 33 || fixture.is(0.1) ? fixture.one([NUMBERED, WORDED]) : NUMBERED
  const groups = fixture.is(0.5) ? names.slice(0, 1 + fixture.number(3)) : []
  for (const suffix of groups) {
    const [first, ...rest] = filters(fixture, suffix)
    parts.push(...(fixture.is(0.1) ? rest : [first as string, ...rest]))
  }
  if (groups.length > 0 ? !fixture.is(0.2) : fixture.is(0.1))
    parts.push(`group_policy=${fixture.one(['none', 'none', 'isolate', 'isolate', 'bad'])}`)
  if (fixture.is(0.1)) parts.push(`root_required=${traits(fixture)}`)
  if (fixture.is(0.15)) parts.push(`same_subtree=${names.slice(0, 1 + fixture.number(3)).join(',')}`)
  return parts.join('&')
}
