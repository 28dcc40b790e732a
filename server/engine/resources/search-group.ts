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

// Which providers may serve one group of a request for one anchor: a tree with everything shared with it.

export interface Group extends Filter {
  /** Empty for the group whose resources may come from several providers. */
  readonly suffix: string
  readonly resources: ReadonlyMap<string, number>
  /** Root of the only tree that may serve it. */
  readonly tree: string | null
  /** Roots of trees that give it nothing, whatever their capacity. */
  readonly closed: ReadonlySet<string>
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
  const able: ForestProvider[] = []
  for (const provider of tree.providers) if (canProvide(provider, group)) able.push(provider)
  for (const provider of sharers) if (canProvide(provider, group)) able.push(provider)
  return able
}

/** Whether the provider can give all of it. */
export function canProvide(provider: ForestProvider, group: Group): boolean {
  const { resources, tree, closed } = group
  if (resources.size === 0) {
    // For a group without resources Placement checks only traits and aggregates, and finds none when it names none.
    return (group.required.length > 0 || group.memberOf.length > 0) && passes(provider, group)
  }
  if (tree !== null && provider.root !== tree) return false
  if (closed.has(provider.root)) return false
  for (const [of, amount] of resources) if (!hasRoom(provider.stocks.get(of), amount)) return false
  return passes(provider, group)
}

/** One provider for each class. */
export type Share = ReadonlyMap<string, ForestProvider>

/** One tree with everything shared with it. */
export interface Anchor {
  readonly tree: Tree
  readonly sharers: readonly ForestProvider[]
  /** The order in which providers of a class are tried. */
  inOrder(providers: readonly ForestProvider[]): readonly ForestProvider[]
}

type Givers = readonly (readonly [of: string, providers: readonly ForestProvider[]])[]

/** Per class the providers that could give it; null when one of them has none. */
function givers(group: Group, { tree, sharers, inOrder }: Anchor): Givers | null {
  const byClass: [string, readonly ForestProvider[]][] = []
  for (const [of, amount] of group.resources) {
    const able: ForestProvider[] = []
    if ((group.tree === null || group.tree === tree.root.id) && !group.closed.has(tree.root.id)) {
      for (const each of tree.providers) {
        if (hasRoom(each.stocks.get(of), amount) && isWelcome(each, group, tree)) able.push(each)
      }
    }
    if (group.tree === null) {
      for (const each of sharers) {
        if (group.closed.has(each.root) || !inAggregates(each, group)) continue
        if (hasRoom(each.stocks.get(of), amount) && isWelcome(each, group, tree)) able.push(each)
      }
    }
    if (able.length === 0) return null
    byClass.push([of, inOrder(able)])
  }
  return byClass
}

// The root represents its tree in aggregates; traits are counted together, so only forbidden ones are checked here.
function isWelcome(provider: ForestProvider, group: Group, { root }: Tree): boolean {
  if (isOneOf(group.forbidden, provider.traits)) return false
  if (isOneOf(group.notMemberOf, provider.aggregates) || isOneOf(group.notMemberOf, root.aggregates)) return false
  return inAggregates(provider, group) || inAggregates(root, group)
}

/** Ways to serve a group from several providers, generated lazily. */
export function* sharesFor(group: Group, anchor: Anchor): Generator<Share> {
  const byClass = givers(group, anchor)
  if (byClass) yield* shares({ byClass, group, share: new Map() }, 0)
}

/** Whether they have all required traits together. */
const hasTraits = (together: readonly ForestProvider[], { required }: Group): boolean =>
  required.every((any) => together.some(({ traits }) => isOneOf(any, traits)))

interface ShareSearch {
  readonly byClass: Givers
  readonly group: Group
  /** The choice so far; one map for all shares. */
  readonly share: Map<string, ForestProvider>
}

function* shares(sharing: ShareSearch, at: number): Generator<Share> {
  const { byClass, group, share } = sharing
  if (group.required.length > 0) {
    // Required traits must be among the chosen and the remaining providers, or this branch fails.
    const open = byClass.slice(at).flatMap(([, able]) => able)
    if (!hasTraits([...share.values(), ...open], group)) return
  }
  const next = byClass[at]
  if (!next) {
    yield share
    return
  }
  const [of, able] = next
  for (const provider of able) {
    share.set(of, provider)
    yield* shares(sharing, at + 1)
  }
  share.delete(of)
}

export const isSharer = ({ traits }: ForestProvider): boolean => traits.has(SHARES)
