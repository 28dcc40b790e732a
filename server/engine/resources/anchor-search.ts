import { type Forest, type ForestProvider, roomOf, type Tree } from './forest'
import { canAssignAll, canAssignSeparately } from './matching'
import type { Candidate, Request, Use } from './search'
import { type Anchor, canProvide, type Group, sharersOf, sharesFor, singlesFor } from './search-group'
import { shuffled } from './search-order'

// Candidates of one tree and its sharing providers. Chooses provider after provider, and abandons a branch as soon as
// an amount does not fit or the remaining groups cannot all be placed.

interface Choice {
  readonly group: Group
  readonly uses: readonly Use[]
  readonly providers: readonly ForestProvider[]
}

/** The providers that can give all of a group. */
interface Singles {
  readonly places: readonly ForestProvider[]
  readonly choices: readonly Choice[]
}

/** A class that several groups need from one provider each. */
interface Contest {
  readonly of: string
  /** With their indexes in the request. */
  readonly groups: readonly (readonly [at: number, group: Group])[]
  readonly least: number
}

/** One request, evaluated for every tree; parts that depend on it alone are computed once. */
interface AnchorQuery {
  readonly forest: Forest
  readonly request: Request
  readonly inOrder: Anchor['inOrder']
  readonly contests: readonly Contest[]
}

export class AnchorSearch {
  readonly #query: AnchorQuery
  readonly #anyShares: boolean
  /** The only group, if there is exactly one and it needs resources. */
  readonly #only: Group | null

  constructor(forest: Forest, request: Request, chance: (() => number) | null) {
    const inOrder: Anchor['inOrder'] = chance
      ? (providers) => [...shuffled(providers, chance)]
      : (providers) => providers
    this.#query = { forest, request, inOrder, contests: contestsOf(request) }
    this.#anyShares = [...forest.sharers()].length > 0
    const [only] = request.groups
    this.#only = request.groups.length === 1 && only && only.resources.size > 0 ? only : null
  }

  at(tree: Tree): Iterable<Candidate> {
    const sharers = this.#anyShares ? sharersOf(this.#query.forest, tree) : NO_SHARERS
    if (this.#only && tree.providers.length === 1 && sharers.length === 0) return ofOne(tree.root, this.#only)
    return new Branches(this.#query, tree, sharers).found()
  }
}

function contestsOf({ groups }: Request): Contest[] {
  const suffixed = [...groups.entries()].filter(([, { suffix }]) => suffix !== '')
  const classes = new Set(suffixed.flatMap(([, { resources }]) => [...resources.keys()]))
  return [...classes].flatMap((of) => {
    const asking = suffixed.filter(([, { resources }]) => resources.has(of))
    const least = Math.min(...asking.map(([, { resources }]) => resources.get(of) ?? 0))
    return asking.length > 1 ? [{ of, groups: asking, least }] : []
  })
}

const NO_SHARERS: readonly ForestProvider[] = []

/** One provider for one group: all of it or nothing. Most trees of a large fleet are like this. */
function ofOne(provider: ForestProvider, group: Group): readonly Candidate[] {
  if (!canProvide(provider, group)) return []
  return [{ uses: [{ provider, resources: group.resources }], mappings: [[group.suffix, [provider]]] }]
}

class Branches {
  readonly #query: AnchorQuery
  readonly #anchor: Anchor
  readonly #singles = new Map<Group, Singles>()
  readonly #chosen: Choice[] = []

  constructor(query: AnchorQuery, tree: Tree, sharers: readonly ForestProvider[]) {
    this.#query = query
    this.#anchor = { tree, sharers, inOrder: query.inOrder }
  }

  *found(): Generator<Candidate> {
    for (const group of this.#query.request.groups) {
      if (group.suffix === '') continue
      const { tree, sharers, inOrder } = this.#anchor
      const places = inOrder(singlesFor(group, tree, sharers))
      if (places.length === 0) return
      this.#singles.set(group, { places, choices: places.map((one) => choiceOf(group, [one])) })
    }
    if (this.#canGoOn(0)) yield* this.#choose(0)
  }

  *#choose(at: number): Generator<Candidate> {
    const group = this.#query.request.groups[at]
    if (!group) {
      yield this.#candidate()
      return
    }
    for (const choice of group.suffix === '' ? this.#shares(group) : (this.#singles.get(group)?.choices ?? [])) {
      if (!this.#fits(choice)) continue
      this.#chosen.push(choice)
      if (this.#canGoOn(at + 1)) yield* this.#choose(at + 1)
      this.#chosen.pop()
    }
  }

  *#shares(group: Group): Generator<Choice> {
    for (const share of sharesFor(group, this.#anchor)) yield choiceOf(group, [...share.values()])
  }

  #fits({ group, uses, providers }: Choice): boolean {
    const { isolate, nested } = this.#query.request
    if (isolate && group.suffix !== '' && this.#isApartTaken(providers[0])) return false
    // Each group's own fit was checked before; here only amounts shared with other groups are.
    if (!uses.every((use) => this.#fitsBeside(use))) return false
    if (nested) return true
    const used = new Set([...this.#chosen.flatMap((each) => each.uses), ...uses].map(({ provider }) => provider))
    return new Set([...used].map(({ root }) => root)).size === used.size
  }

  #fitsBeside({ provider, resources }: Use): boolean {
    if (this.#chosen.length === 0) return true
    for (const [of, amount] of resources) {
      const before = this.#takenOf(provider, of)
      const stock = provider.stocks.get(of)
      if (before > 0 && (!stock || before + amount > roomOf(stock))) return false
    }
    return true
  }

  #isApartTaken(provider: ForestProvider | undefined): boolean {
    return this.#chosen.some(({ group, providers }) => group.suffix !== '' && providers[0] === provider)
  }

  #takenOf(provider: ForestProvider, of: string): number {
    let taken = 0
    for (const { uses } of this.#chosen) {
      for (const use of uses) if (use.provider === provider) taken += use.resources.get(of) ?? 0
    }
    return taken
  }

  /** False when the groups from this one on can no longer all be placed. */
  #canGoOn(at: number): boolean {
    const { request, contests } = this.#query
    for (const suffixes of request.sameSubtrees) if (!this.#canBeTogether(suffixes)) return false
    if (request.isolate) return this.#canLieApart(at)
    for (const contest of contests) if (!this.#canLieTogether(contest, at)) return false
    return true
  }

  // Skipped for a single group, where the choice itself is as cheap.
  #canLieApart(at: number): boolean {
    const left = this.#query.request.groups.slice(at).filter(({ suffix }) => suffix !== '')
    if (left.length < 2) return true
    return canAssignSeparately(left.map((group) => this.#places(group).filter((one) => !this.#isApartTaken(one))))
  }

  /** By each class alone: no provider serves more groups than the smallest of their amounts fits into what is free. */
  #canLieTogether({ of, groups, least }: Contest, at: number): boolean {
    const left = groups.filter(([place]) => place >= at)
    if (left.length < 2) return true
    const places = left.map(([, group]) => this.#places(group))
    return canAssignAll(places, (provider) => {
      const stock = provider.stocks.get(of)
      return stock ? Math.floor((roomOf(stock) - this.#takenOf(provider, of)) / least) : 0
    })
  }

  #places(group: Group): readonly ForestProvider[] {
    return this.#singles.get(group)?.places ?? []
  }

  /** One of the providers is the others' ancestor; a provider still to be chosen may be it. */
  #canBeTogether(suffixes: ReadonlySet<string>): boolean {
    for (const [at, group] of this.#query.request.groups.entries()) {
      if (!suffixes.has(group.suffix)) continue
      for (const top of this.#chosen[at]?.providers ?? this.#places(group)) {
        if (this.#isAboveChosen(top, suffixes)) return true
      }
    }
    return false
  }

  #isAboveChosen(top: ForestProvider, suffixes: ReadonlySet<string>): boolean {
    for (const { group, providers } of this.#chosen) {
      if (!suffixes.has(group.suffix)) continue
      for (const each of providers) if (!isAtOrBelow(this.#query.forest, each, top)) return false
    }
    return true
  }

  #candidate(): Candidate {
    const uses: Use[] = []
    for (const choice of this.#chosen) {
      for (const use of choice.uses) {
        const at = uses.findIndex(({ provider }) => provider === use.provider)
        if (at < 0) uses.push(use)
        else uses[at] = together(uses[at] as Use, use)
      }
    }
    return { uses, mappings: this.#chosen.map(({ group, providers }) => [group.suffix, providers]) }
  }
}

/** `from`: the provider of each class, in the order of the classes; or one that gives all. */
function choiceOf(group: Group, from: readonly ForestProvider[]): Choice {
  const providers = from.length === 1 ? from : [...new Set(from)]
  const [only] = providers
  if (providers.length === 1 && only) {
    const uses = group.resources.size > 0 ? [{ provider: only, resources: group.resources }] : []
    return { group, uses, providers }
  }
  const resources = [...group.resources]
  const uses = providers.map((provider) => {
    return { provider, resources: new Map(resources.filter((_, index) => from[index] === provider)) }
  })
  return { group, uses, providers }
}

function together(one: Use, other: Use): Use {
  const resources = new Map(one.resources)
  for (const [of, amount] of other.resources) resources.set(of, (resources.get(of) ?? 0) + amount)
  return { provider: one.provider, resources }
}

function isAtOrBelow(forest: Forest, provider: ForestProvider, top: ForestProvider): boolean {
  let at: ForestProvider | undefined = provider
  while (at && at !== top) at = at.parent === null ? undefined : forest.provider(at.parent)
  return at === top
}
