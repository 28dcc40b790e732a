import { AnchorSearch } from './anchor-search'
import type { Forest, ForestProvider } from './forest'
import { type Group, isSharer } from './search-group'
import { searchBreadthFirst, searchDepthFirst, shuffled } from './search-order'
import { anchorsOf } from './tree-need'

// Placement's allocation candidates. The search is a generator: a caller that needs ten takes ten, and the product of
// all groups is never built.

export interface Request {
  /** The group without a suffix first, if there is one. */
  readonly groups: readonly Group[]
  readonly isolate: boolean
  readonly rootRequired: ReadonlySet<string>
  readonly rootForbidden: ReadonlySet<string>
  /** Suffixes whose providers are at or below one of them. */
  readonly sameSubtrees: readonly ReadonlySet<string>[]
  /** Below 1.29 nothing may come from two providers of one tree. */
  readonly nested: boolean
}

export interface SearchOrder {
  /** The first candidate of each tree before the second of any. */
  readonly breadthFirst: boolean
  /** Returns 0 ≤ x < 1. With it trees come in random order, and in turns, so that claims are spread; null: by name. */
  readonly chance: (() => number) | null
}

export const BY_NAME: SearchOrder = { breadthFirst: false, chance: null }

/** Amounts taken from one provider. */
export interface Use {
  readonly provider: ForestProvider
  readonly resources: ReadonlyMap<string, number>
}

export interface Candidate {
  /** Each provider once. */
  readonly uses: readonly Use[]
  /** Suffixes with the providers that serve them. */
  readonly mappings: readonly (readonly [suffix: string, providers: readonly ForestProvider[]])[]
}

/** Every candidate once. */
export function* candidates(forest: Forest, request: Request, order: SearchOrder = BY_NAME): Generator<Candidate> {
  const seen = new Set<string>()
  for (const candidate of everywhere(forest, request, order)) {
    if (hasOnlySharers(candidate)) {
      const key = keyOf(candidate)
      if (seen.has(key)) continue
      seen.add(key)
    }
    yield candidate
  }
}

function everywhere(forest: Forest, request: Request, { breadthFirst, chance }: SearchOrder): Iterable<Candidate> {
  const anchors = anchorsOf(forest, request)
  const search = new AnchorSearch(forest, request, chance)
  if (chance) return searchBreadthFirst(shuffled([...anchors], chance), (tree) => search.at(tree))
  return (breadthFirst ? searchBreadthFirst : searchDepthFirst)(anchors, (tree) => search.at(tree))
}

// Only a candidate from sharing providers alone can be found again at another anchor.
function hasOnlySharers({ mappings }: Candidate): boolean {
  for (const [, providers] of mappings) if (!providers.every(isSharer)) return false
  return true
}

function keyOf({ uses, mappings }: Candidate): string {
  const parts = uses
    .flatMap(({ provider, resources }) => [...resources].map(([of, amount]) => `${provider.id} ${of} ${amount}`))
    .sort()
  for (const [suffix, providers] of mappings) parts.push(`${suffix}=${providers.map(({ id }) => id).sort()}`)
  return parts.join('|')
}
