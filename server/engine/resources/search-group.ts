import {
  type Filter,
  type Forest,
  type ForestProvider,
  hasRoom,
  inAggregates,
  isOneOf,
  passes,
  SHARES,
  type Tree,
} from './forest'

// Which providers may serve one group of a request for one anchor, which is a tree with all that is shared with it.

export interface Group extends Filter {
  /** Empty for the group whose resources may come from several providers. */
  readonly suffix: string
  readonly resources: ReadonlyMap<string, number>
  /** Root of the only tree that may serve it. */
  readonly tree: string | null
}

/** Providers of other trees that share with this one. */
export function sharersOf(forest: Forest, tree: Tree): readonly ForestProvider[] {
  let sharers: Set<ForestProvider> | null = null
  for (const aggregate of tree.aggregates) {
    for (const sharer of forest.sharersIn(aggregate)) {
      if (sharer.root === tree.root.id) continue
      sharers ??= new Set()
      sharers.add(sharer)
    }
  }
  return sharers ? [...sharers] : NONE
}

const NONE: readonly ForestProvider[] = []

/** Ways to serve a group alone: every provider that can give all of it. */
export function singlesFor(group: Group, tree: Tree, sharers: readonly ForestProvider[]): ForestProvider[] {
  const able = (provider: ForestProvider) => gives(provider, group)
  return [...tree.providers.filter(able), ...sharers.filter(able)]
}

function gives(provider: ForestProvider, group: Group): boolean {
  const { resources, tree } = group
  if (resources.size === 0) {
    // Placement looks only at traits and aggregates of a group without resources, and finds nobody when it names none.
    return (group.required.length > 0 || group.memberOf.length > 0) && passes(provider, group)
  }
  if (tree !== null && provider.root !== tree) return false
  for (const [of, amount] of resources) if (!hasRoom(provider.stocks.get(of), amount)) return false
  return passes(provider, group)
}

/** One provider for each class. */
export type Share = ReadonlyMap<string, ForestProvider>

/** Per class the providers that could give it; null when nobody could give one of them. */
export function givers(
  group: Group,
  tree: Tree,
  sharers: readonly ForestProvider[],
): readonly (readonly [string, readonly ForestProvider[]])[] | null {
  const byClass: [string, ForestProvider[]][] = []
  for (const [of, amount] of group.resources) {
    const canGive = (provider: ForestProvider) =>
      hasRoom(provider.stocks.get(of), amount) && isWelcome(provider, group, tree)
    const able = group.tree === null || group.tree === tree.root.id ? tree.providers.filter(canGive) : []
    if (group.tree === null) {
      for (const sharer of sharers) if (inAggregates(sharer, group) && canGive(sharer)) able.push(sharer)
    }
    if (able.length === 0) return null
    byClass.push([of, able])
  }
  return byClass
}

// The root stands for its tree in aggregates; traits are counted together, so only forbidden ones are asked here.
function isWelcome(provider: ForestProvider, group: Group, { root }: Tree): boolean {
  if (isOneOf(group.forbidden, provider.traits)) return false
  if (isOneOf(group.notMemberOf, provider.aggregates) || isOneOf(group.notMemberOf, root.aggregates)) return false
  return inAggregates(provider, group) || inAggregates(root, group)
}

/** Ways to serve a group from several providers, one after the other: nothing is worked out before it is asked for. */
export function* sharesFor(group: Group, tree: Tree, sharers: readonly ForestProvider[]): Generator<Share> {
  const byClass = givers(group, tree, sharers)
  if (!byClass) return
  // Most trees of a large fleet fail or pass at once; only the rest are worth a search.
  if (!byClass.every(([, able]) => able.length === 1)) {
    if (
      hasTraits(
        byClass.flatMap(([, able]) => able),
        group,
      )
    )
      yield* combined(byClass, group)
    return
  }
  const only = new Map(byClass.map(([of, [provider]]) => [of, provider as ForestProvider]))
  if (hasTraits([...only.values()], group)) yield only
}

/** Together, all that is required. */
const hasTraits = (together: readonly ForestProvider[], { required }: Group): boolean =>
  required.every((any) => together.some(({ traits }) => isOneOf(any, traits)))

type Givers = NonNullable<ReturnType<typeof givers>>

function* combined(byClass: Givers, group: Group): Generator<Share> {
  const share = new Map<string, ForestProvider>()
  yield* choose(0)

  function* choose(at: number): Generator<Share> {
    const next = byClass[at]
    if (!next) {
      if (hasTraits([...share.values()], group)) yield share
      return
    }
    const [of, able] = next
    for (const provider of able) {
      share.set(of, provider)
      yield* choose(at + 1)
    }
    share.delete(of)
  }
}

export const isSharer = ({ traits }: ForestProvider): boolean => traits.has(SHARES)
