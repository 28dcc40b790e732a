// All providers as Placement sees them: trees that keep inventories, joined by aggregates to providers that share. The
// console's engine decides over hosts; Placement API queries are evaluated over this.

/** One inventory with its usage. Amounts in units of the class. */
export interface Stock {
  readonly total: number
  readonly reserved: number
  readonly minUnit: number
  readonly maxUnit: number
  readonly stepSize: number
  readonly ratio: number
  readonly used: number
}

export interface ForestProvider {
  readonly id: string
  readonly name: string
  readonly parent: string | null
  readonly root: string
  readonly generation: number
  readonly traits: ReadonlySet<string>
  readonly aggregates: ReadonlySet<string>
  readonly stocks: ReadonlyMap<string, Stock>
  /** A host that Berth manages; only the root of a tree can be one. */
  readonly isHost: boolean
}

/** Whether two readings of one provider are equal. */
export function sameProvider(a: ForestProvider, b: ForestProvider): boolean {
  if (a.name !== b.name || a.parent !== b.parent || a.root !== b.root || a.generation !== b.generation) return false
  if (a.isHost !== b.isHost) return false
  if (!sameNames(a.traits, b.traits) || !sameNames(a.aggregates, b.aggregates)) return false
  return a.stocks.size === b.stocks.size && [...a.stocks].every(([of, stock]) => sameStock(stock, b.stocks.get(of)))
}

const sameNames = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  a === b || (a.size === b.size && [...a].every((name) => b.has(name)))

const sameStock = (a: Stock, b: Stock | undefined) =>
  b !== undefined && (Object.keys(a) as (keyof Stock)[]).every((key) => a[key] === b[key])

/** A root and all below it; the root first. */
export interface Tree {
  readonly root: ForestProvider
  readonly providers: readonly ForestProvider[]
  readonly aggregates: ReadonlySet<string>
}

/** Minimum requirements on a tree; others are skipped. */
export interface TreeNeed {
  /** Each: one provider has this much room for the class. */
  readonly amounts: readonly (readonly [of: string, amount: number])[]
  /** Each set: some provider has one of these traits. */
  readonly traits: readonly ReadonlySet<string>[]
  /** Each set: some provider is in one of these aggregates. */
  readonly aggregates: readonly ReadonlySet<string>[]
}

export const NO_NEED: TreeNeed = { amounts: [], traits: [], aggregates: [] }

export interface Forest {
  provider(id: string): ForestProvider | undefined
  tree(root: string): Tree | undefined
  /**
   * Ordered by root name, so that results do not depend on when a tree was read. Trees that do not meet the need may be
   * omitted, but no others.
   */
  trees(need: TreeNeed): Iterable<Tree>
  /** Providers that share what they keep with everything in this aggregate. */
  sharersIn(aggregate: string): readonly ForestProvider[]
  /** All that share. */
  sharers(): Iterable<ForestProvider>
}

export const SHARES = 'MISC_SHARES_VIA_AGGREGATE'

export const capacityOf = ({ total, reserved, ratio }: Stock): number => (total - reserved) * ratio

/** No larger amount fits one more time; `hasRoom` decides for smaller ones. */
export const roomOf = (stock: Stock): number => Math.min(stock.maxUnit, Math.floor(capacityOf(stock) - stock.used))

/** Whether one more amount fits, by capacity and by the inventory's unit sizes. */
export function hasRoom(stock: Stock | undefined, amount: number): boolean {
  if (!stock) return false
  if (amount < stock.minUnit || amount > stock.maxUnit || amount % stock.stepSize !== 0) return false
  return stock.used + amount <= capacityOf(stock)
}

/** Requirements and exclusions for a provider, or for several together. */
export interface Filter {
  /** Each set: at least one of these. */
  readonly required: readonly ReadonlySet<string>[]
  readonly forbidden: ReadonlySet<string>
  readonly memberOf: readonly ReadonlySet<string>[]
  readonly notMemberOf: ReadonlySet<string>
}

export const NO_FILTER: Filter = { required: [], forbidden: new Set(), memberOf: [], notMemberOf: new Set() }

export const isOneOf = (wanted: ReadonlySet<string>, has: ReadonlySet<string>): boolean => {
  for (const each of wanted) if (has.has(each)) return true
  return false
}

export const inAggregates = ({ aggregates }: ForestProvider, { memberOf }: Filter): boolean =>
  memberOf.every((any) => isOneOf(any, aggregates))

/** The whole filter, for one provider alone. */
export function passes(provider: ForestProvider, filter: Filter): boolean {
  return (
    filter.required.every((any) => isOneOf(any, provider.traits)) &&
    !isOneOf(filter.forbidden, provider.traits) &&
    inAggregates(provider, filter) &&
    !isOneOf(filter.notMemberOf, provider.aggregates)
  )
}

export interface ProviderQuestion extends Filter {
  readonly name: string | null
  readonly id: string | null
  /** Any provider of the tree. */
  readonly inTree: string | null
  readonly resources: ReadonlyMap<string, number>
}

/** Single providers that match and have all resources, in the order of the forest. */
export function providersMatching(forest: Forest, question: ProviderQuestion): readonly ForestProvider[] {
  const { name, id, resources } = question
  const found: ForestProvider[] = []
  for (const { providers } of treesToSearch(forest, question)) {
    for (const provider of providers) {
      if (name !== null && provider.name !== name) continue
      if (id !== null && provider.id !== id) continue
      if (!passes(provider, question)) continue
      if ([...resources].every(([of, amount]) => hasRoom(provider.stocks.get(of), amount))) found.push(provider)
    }
  }
  return found
}

function treesToSearch(
  forest: Forest,
  { id, inTree, resources, required, memberOf }: ProviderQuestion,
): Iterable<Tree> {
  const inside = inTree ?? id
  if (inside === null) return forest.trees({ amounts: [...resources], traits: required, aggregates: memberOf })
  const root = forest.provider(inside)?.root
  const tree = root === undefined ? undefined : forest.tree(root)
  return tree ? [tree] : []
}
