import type { Forest, ForestProvider, Tree, TreeNeed } from './forest'
import { isOneOf } from './forest'
import type { Request } from './search'
import type { Group } from './search-group'

// Selects the trees that a search has to visit, by indexes.

/** Trees at which candidates may be anchored, ordered by root name. */
export function* anchorsOf(forest: Forest, request: Request): Generator<Tree> {
  const { rootRequired, rootForbidden } = request
  for (const tree of onlyTree(forest, request) ?? forest.trees(needOf(forest, request))) {
    const { traits } = tree.root
    if (isOneOf(rootForbidden, traits)) continue
    if ([...rootRequired].every((trait) => traits.has(trait))) yield tree
  }
}

/** When a group must be in one tree, and that tree shares nothing with others, nothing can be anchored elsewhere. */
function onlyTree(forest: Forest, { groups }: Request): readonly Tree[] | null {
  for (const { tree: root, suffix } of groups) {
    if (root === null) continue
    const tree = forest.tree(root)
    if (!tree) return []
    if (suffix === '' || ![...forest.sharers()].some((sharer) => sharer.root === root)) return [tree]
  }
  return null
}

function needOf(forest: Forest, { groups, rootRequired }: Request): TreeNeed {
  const sharers = [...forest.sharers()]
  const needs = groups.map((group) => needOfGroup(group, sharers))
  return {
    amounts: needs.flatMap(({ amounts }) => amounts),
    traits: [...[...rootRequired].map((trait) => new Set([trait])), ...needs.flatMap(({ traits }) => traits)],
    aggregates: needs.flatMap(({ aggregates }) => aggregates),
  }
}

/** Excludes resources that a sharing provider might supply. */
function needOfGroup({ resources, required, memberOf }: Group, sharers: readonly ForestProvider[]): TreeNeed {
  const notShared = (has: (sharer: ForestProvider) => boolean) => !sharers.some(has)
  return {
    amounts: [...resources].filter(([of]) => notShared(({ stocks }) => stocks.has(of))),
    traits: required.filter((any) => notShared(({ traits }) => isOneOf(any, traits))),
    aggregates: memberOf.filter((any) => notShared(({ aggregates }) => isOneOf(any, aggregates))),
  }
}
