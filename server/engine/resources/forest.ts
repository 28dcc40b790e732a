// All providers as Placement sees them: trees that keep inventories, joined by aggregates to providers that share.
// The console's engine decides over hosts; questions of the Placement API are asked over this.

/** One inventory with what is held of it. Amounts in units of the class. */
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
}

/** A root and all below it; the root first. */
export interface Tree {
  readonly root: ForestProvider
  readonly providers: readonly ForestProvider[]
  readonly aggregates: ReadonlySet<string>
}

export interface Forest {
  provider(id: string): ForestProvider | undefined
  tree(root: string): Tree | undefined
  /** By the names of their roots, so that answers do not depend on when a tree was read. */
  trees(): readonly Tree[]
  /** Providers that share what they keep with everything in this aggregate. */
  sharersIn(aggregate: string): readonly ForestProvider[]
}

export const SHARES = 'MISC_SHARES_VIA_AGGREGATE'

export const capacityOf = ({ total, reserved, ratio }: Stock): number => (total - reserved) * ratio

/** Whether one more amount fits, by capacity and by the sizes the inventory deals in. */
export function hasRoom(stock: Stock | undefined, amount: number): boolean {
  if (!stock) return false
  if (amount < stock.minUnit || amount > stock.maxUnit || amount % stock.stepSize !== 0) return false
  return stock.used + amount <= capacityOf(stock)
}

/** What a provider, or several together, must and must not be. */
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

/** The whole filter, asked of one provider alone. */
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

/** Single providers that are and have all this, in the order of the forest. */
export function providersMatching(forest: Forest, question: ProviderQuestion): readonly ForestProvider[] {
  const { name, id, inTree, resources } = question
  const found: ForestProvider[] = []
  for (const { providers } of treesAsked(forest, inTree)) {
    for (const provider of providers) {
      if (name !== null && provider.name !== name) continue
      if (id !== null && provider.id !== id) continue
      if (!passes(provider, question)) continue
      if ([...resources].every(([of, amount]) => hasRoom(provider.stocks.get(of), amount))) found.push(provider)
    }
  }
  return found
}

function treesAsked(forest: Forest, inTree: string | null): readonly Tree[] {
  if (inTree === null) return forest.trees()
  const root = forest.provider(inTree)?.root
  const tree = root === undefined ? undefined : forest.tree(root)
  return tree ? [tree] : []
}
