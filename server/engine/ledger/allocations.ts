import { capacityOf, type ForestProvider, type Stock } from '../resources/forest'
import { MAY_BE_INSTANCES } from '../words/owner'
import { swapsOf } from './swap'

// Decides consecutive claims of Placement's clients, or why one is refused. Amounts are written as differences, so that
// concurrent servers wait for a row and need not decide again.

/** An amount of one class from one provider. */
export interface AllocationLine {
  readonly provider: string
  readonly resourceClass: string
  readonly amount: number
}

/** The new allocations of a consumer. */
export interface ConsumerWrite {
  readonly id: string
  /** The generation that the client expects; null: no such consumer yet. Only read when `checked`. */
  readonly generation: number | null
  readonly checked: boolean
  readonly project: string
  readonly user: string
  /** Null keeps the present type. */
  readonly type: string | null
  readonly amounts: readonly AllocationLine[]
}

/** One client's request: all of its consumers or none. */
export interface AllocationClaim {
  /** released: the client releases without a generation, and only hosts of Berth are raised for it. */
  readonly kind: 'allocated' | 'released' | 'reshaped'
  readonly consumers: readonly ConsumerWrite[]
}

export interface ConsumerHolding {
  readonly generation: number
  readonly type: string
  readonly lines: readonly AllocationLine[]
  /** The consumer whose whole allocation it took over when it was created. */
  readonly swappedFrom: string | null
}

/** The records that claims are decided on; they may be a moment behind, because the database asserts each decision. */
export interface AllocationRecords {
  provider(id: string): ForestProvider | undefined
  hasClass(name: string): boolean
  /** Undefined when the consumer does not exist. */
  holding(consumer: string): ConsumerHolding | undefined
  /** An instance or a migration of Berth's own. */
  isDriven(consumer: string): boolean
  /** Roots of the trees that are hosts of Berth. */
  readonly hosts: ReadonlySet<string>
  /** Whether hosts of Berth take instances of other clients. */
  readonly foreignAllowed: boolean
}

export type AllocationRefusal =
  | { readonly kind: 'driven'; readonly consumer: string }
  | { readonly kind: 'consumer-generation'; readonly found: number | null; readonly given: number | null }
  | { readonly kind: 'no-provider'; readonly provider: string }
  | { readonly kind: 'no-class'; readonly class: string }
  | { readonly kind: 'no-inventory' | 'shape' | 'full'; readonly class: string; readonly provider: string }
  | {
      readonly kind: 'berth-host'
      readonly consumer: string
      readonly type: string
      readonly class: string
      readonly provider: string
      readonly host: string
    }

/** One inventory, with its changes and its constraints. */
export interface StockChange {
  readonly provider: string
  readonly resourceClass: string
  /** Change of the amount held. */
  delta: number
  /** Smallest and largest amount taken, and the greatest common divisor of all; null when everything is released. */
  least: number | null
  most: number | null
  grain: number | null
}

export interface ProviderChange {
  readonly id: string
  /** How often its generation is raised. */
  times: number
  readonly stocks: StockChange[]
}

export interface AllocationChange<Claim extends AllocationClaim = AllocationClaim> {
  readonly claims: readonly Claim[]
  /** By id: the order in which every write locks. */
  readonly providers: readonly ProviderChange[]
  /** Roots of hosts of Berth in whose trees something changes, by claim. */
  readonly hosts: ReadonlyMap<Claim, readonly string[]>
  /** Whether the decision allowed instances of other clients on hosts of Berth. */
  readonly foreignAllowed: boolean
  /** Previous allocations of the existing consumers. */
  readonly known: ReadonlyMap<string, ConsumerHolding>
  /** For new consumers: whose whole allocation each takes over. */
  readonly swaps: ReadonlyMap<string, string>
}

export interface AllocationVerdict<Claim extends AllocationClaim> {
  readonly change: AllocationChange<Claim>
  readonly refused: ReadonlyMap<Claim, AllocationRefusal>
}

/** Each claim is decided on the result of the previous ones. */
export function decideAllocations<Claim extends AllocationClaim>(
  records: AllocationRecords,
  claims: readonly Claim[],
): AllocationVerdict<Claim> {
  let providers: ProviderChanges = new Map()
  const known = new Map<string, ConsumerHolding>()
  const refused = new Map<Claim, AllocationRefusal>()
  const hosts = new Map<Claim, readonly string[]>()
  const swaps = new Map<string, string>()
  for (const claim of claims) {
    const early = consumerRefusal(records, claim) ?? nameRefusal(records, claim) ?? hostRefusal(records, claim)
    // Only of known classes: a request may name thousands of others, and `changesOf` expects a handful.
    const own: ProviderChanges = early ? new Map() : changesOf(records, claim)
    const why = early ?? roomRefusal(records, { claim, own, before: providers })
    if (why) {
      refused.set(claim, why)
      continue
    }
    hosts.set(claim, raise(records, own, claim))
    if (providers.size === 0) providers = own
    else for (const change of own.values()) add(providers, change)
    for (const { id } of claim.consumers) {
      const held = records.holding(id)
      if (held) known.set(id, held)
    }
    for (const [taker, giver] of swapsOf(records, claim)) swaps.set(taker, giver)
  }
  const decided = refused.size === 0 ? claims : claims.filter((claim) => !refused.has(claim))
  const sorted = [...providers.values()]
  if (sorted.length > 1) sorted.sort((a, b) => (a.id < b.id ? -1 : 1))
  return {
    change: { claims: decided, providers: sorted, hosts, foreignAllowed: records.foreignAllowed, known, swaps },
    refused,
  }
}

type ProviderChanges = Map<string, ProviderChange>

/** The changes of one claim alone. */
function changesOf(records: AllocationRecords, { consumers }: AllocationClaim): ProviderChanges {
  const own: ProviderChanges = new Map()
  for (const { id, amounts } of consumers) {
    for (const { provider, resourceClass, amount } of records.holding(id)?.lines ?? []) {
      stockIn(changeOf(own, provider), resourceClass).delta -= amount
    }
    for (const { provider, resourceClass, amount } of amounts) {
      const stock = stockIn(changeOf(own, provider), resourceClass)
      stock.delta += amount
      widen(stock, { least: amount, most: amount, grain: amount })
    }
  }
  return own
}

/**
 * A provider whose rows change is raised, whoever writes; only DELETE raises none, because Placement's clients count
 * its steps. A host's root is raised with its tree, because the engine decides on it. Returns the hosts.
 */
function raise(records: AllocationRecords, own: ProviderChanges, { kind }: AllocationClaim): readonly string[] {
  const hosts = new Set<string>()
  for (const change of own.values()) {
    const root = records.provider(change.id)?.root
    if (root !== undefined && records.hosts.has(root)) hosts.add(root)
    if (kind !== 'released' || (root !== undefined && hosts.has(root))) change.times = 1
  }
  for (const host of hosts) changeOf(own, host).times = 1
  return [...hosts]
}

function changeOf(changes: ProviderChanges, id: string): ProviderChange {
  const there = changes.get(id)
  if (there) return there
  const made = { id, times: 0, stocks: [] }
  changes.set(id, made)
  return made
}

/** A provider has a handful of classes: a scan is cheaper than a key. */
function stockIn({ id, stocks }: ProviderChange, resourceClass: string): StockChange {
  for (const stock of stocks) if (stock.resourceClass === resourceClass) return stock
  const made = { provider: id, resourceClass, delta: 0, least: null, most: null, grain: null }
  stocks.push(made)
  return made
}

function widen(stock: StockChange, { least, most, grain }: Pick<StockChange, 'least' | 'most' | 'grain'>): void {
  if (least === null || most === null || grain === null) return
  stock.least = Math.min(stock.least ?? least, least)
  stock.most = Math.max(stock.most ?? most, most)
  stock.grain = stock.grain === null ? grain : divisorOf(stock.grain, grain)
}

const divisorOf = (a: number, b: number): number => (b === 0 ? a : divisorOf(b, a % b))

function add(changes: ProviderChanges, { id, times, stocks }: ProviderChange): void {
  const sum = changeOf(changes, id)
  sum.times += times
  for (const stock of stocks) {
    const total = stockIn(sum, stock.resourceClass)
    total.delta += stock.delta
    widen(total, stock)
  }
}

// Refusals in Placement's order: consumer, names, host owner, what is kept, sizes and room. Of several errors in a
// claim the first one in the client's order is reported.

function consumerRefusal(records: AllocationRecords, { kind, consumers }: AllocationClaim): AllocationRefusal | null {
  for (const { id } of consumers) if (records.isDriven(id)) return { kind: 'driven', consumer: id }
  if (kind === 'released') return null
  for (const { id, checked, generation } of consumers) {
    const found = records.holding(id)?.generation ?? null
    if (checked && found !== generation) return { kind: 'consumer-generation', found, given: generation }
  }
  return null
}

function nameRefusal(records: AllocationRecords, { consumers }: AllocationClaim): AllocationRefusal | null {
  for (const { amounts } of consumers) {
    for (const { provider } of amounts) if (!records.provider(provider)) return { kind: 'no-provider', provider }
  }
  for (const { amounts } of consumers) {
    for (const { resourceClass } of amounts) {
      if (!records.hasClass(resourceClass)) return { kind: 'no-class', class: resourceClass }
    }
  }
  return null
}

/**
 * Instances of other clients take no room on a host of Berth, unless the setting allows it: Berth could neither see
 * them run nor migrate them. A consumer without a type (before 1.38, as Nova writes) may be one. It may keep,
 * redistribute within the host, reduce and release its present allocations. Other types declare that they are no
 * instance.
 */
function hostRefusal(records: AllocationRecords, { consumers }: AllocationClaim): AllocationRefusal | null {
  if (records.foreignAllowed || records.hosts.size === 0) return null
  for (const { id, amounts, type: requestedType } of consumers) {
    const type = requestedType ?? records.holding(id)?.type ?? 'unknown'
    if (!MAY_BE_INSTANCES.includes(type)) continue
    const wanted = amountsOnHosts(records, amounts)
    const held = wanted.size === 0 ? wanted : amountsOnHosts(records, records.holding(id)?.lines ?? [])
    for (const [key, { host, resourceClass, provider, total }] of wanted) {
      if (total <= (held.get(key)?.total ?? 0)) continue
      const name = records.provider(host)?.name ?? host
      return { kind: 'berth-host', consumer: id, type, class: resourceClass, provider, host: name }
    }
  }
  return null
}

interface AmountOnHost {
  readonly host: string
  readonly resourceClass: string
  /** The first by id of those with a part of it. */
  provider: string
  total: number
}

/** By host of Berth and class, in the order of their first lines. */
function amountsOnHosts(records: AllocationRecords, lines: readonly AllocationLine[]): Map<string, AmountOnHost> {
  const amounts = new Map<string, AmountOnHost>()
  for (const { provider, resourceClass, amount } of lines) {
    const host = records.provider(provider)?.root ?? ''
    if (!records.hosts.has(host)) continue
    const key = `${host} ${resourceClass}`
    const sum = amounts.get(key) ?? { host, resourceClass, provider, total: 0 }
    if (provider < sum.provider) sum.provider = provider
    sum.total += amount
    amounts.set(key, sum)
  }
  return amounts
}

interface CapacityCheck {
  readonly claim: AllocationClaim
  readonly own: ProviderChanges
  /** The changes of the claims before this one. */
  readonly before: ProviderChanges
}

/**
 * I1. A provider over its capacity still accepts a write that does not raise a class (Placement 14), or no instance
 * could leave an over-committed host.
 */
function roomRefusal(records: AllocationRecords, { claim, own, before }: CapacityCheck): AllocationRefusal | null {
  const [first] = claim.consumers
  const isAlone = claim.consumers.length === 1
  const lines = isAlone && first ? first.amounts : claim.consumers.flatMap(({ amounts }) => amounts)
  const bare = bareRefusal(records, lines)
  if (bare) return bare
  let after: RemainingAmounts | null = null
  let number = -1
  for (const { provider, resourceClass, amount } of lines) {
    number++
    const stock = records.provider(provider)?.stocks.get(resourceClass)
    if (!stock) return { kind: 'no-inventory', class: resourceClass, provider }
    if (hasWrongShape(stock, amount)) return { kind: 'shape', class: resourceClass, provider }
    const delta = deltaOf(own.get(provider), resourceClass)
    const excess = stock.used + deltaOf(before.get(provider), resourceClass) + delta - capacityOf(stock)
    if (delta <= 0 || excess <= 0) continue
    // Placement adds amounts up as it goes, and names the one that no longer fits.
    after ??= new RemainingAmounts(lines)
    if (excess > after.behind(number, `${provider} ${resourceClass}`))
      return { kind: 'full', class: resourceClass, provider }
  }
  return null
}

/** What the lines behind one take from the same inventory; asked for in the order of the lines. */
class RemainingAmounts {
  readonly #lines: readonly AllocationLine[]
  readonly #sums = new Map<string, number>()
  #passed = 0

  constructor(lines: readonly AllocationLine[]) {
    this.#lines = lines
    for (const line of lines) this.#add(line, line.amount)
  }

  behind(number: number, inventory: string): number {
    for (const line of this.#lines.slice(this.#passed, number + 1)) this.#add(line, -line.amount)
    this.#passed = number + 1
    return this.#sums.get(inventory) ?? 0
  }

  #add({ provider, resourceClass }: AllocationLine, amount: number): void {
    const inventory = `${provider} ${resourceClass}`
    this.#sums.set(inventory, (this.#sums.get(inventory) ?? 0) + amount)
  }
}

/** Providers that keep none of the classes. */
function bareRefusal(records: AllocationRecords, lines: readonly AllocationLine[]): AllocationRefusal | null {
  if (lines.every((line) => records.provider(line.provider)?.stocks.has(line.resourceClass))) return null
  const classes = [...new Set(lines.map(({ resourceClass }) => resourceClass))]
  const bare = [...new Set(lines.map(({ provider }) => provider))].filter((provider) => {
    const stocks = records.provider(provider)?.stocks
    return !classes.some((each) => stocks?.has(each))
  })
  return bare.length === 0
    ? null
    : { kind: 'no-inventory', class: classes.sort().join(', '), provider: bare.join(', ') }
}

const hasWrongShape = ({ minUnit, maxUnit, stepSize }: Stock, amount: number) =>
  amount < minUnit || amount > maxUnit || amount % stepSize !== 0

function deltaOf(change: ProviderChange | undefined, resourceClass: string): number {
  if (change) for (const stock of change.stocks) if (stock.resourceClass === resourceClass) return stock.delta
  return 0
}
