import { type Forest, type ForestProvider, roomOf, type Tree } from './forest'
import { canAllLie, canLieApart } from './matching'
import type { Candidate, Request } from './search'
import { type Group, gives, sharersOf, sharesFor, singlesFor } from './search-group'
import { shuffled } from './search-order'

// The candidates of one tree with all that is shared with it: provider after provider is chosen, and a branch is given
// up as soon as an amount does not fit or what is left to choose cannot all find a place.

interface Take {
  readonly provider: ForestProvider
  readonly of: string
  amount: number
}

interface Choice {
  readonly group: Group
  readonly takes: readonly Readonly<Take>[]
  readonly providers: readonly ForestProvider[]
}

export class AnchorSearch {
  readonly #forest: Forest
  readonly #request: Request
  readonly #chance: (() => number) | null
  /** The only group, where there is one and it wants resources. */
  readonly #only: Group | null

  constructor(forest: Forest, request: Request, chance: (() => number) | null) {
    this.#forest = forest
    this.#request = request
    this.#chance = chance
    const [only] = request.groups
    this.#only = request.groups.length === 1 && only && only.resources.size > 0 ? only : null
  }

  at(tree: Tree): Iterable<Candidate> {
    const sharers = sharersOf(this.#forest, tree)
    if (this.#only && tree.providers.length === 1 && sharers.length === 0) return ofOne(tree.root, this.#only)
    return new Branches({ forest: this.#forest, request: this.#request, chance: this.#chance }, tree, sharers).found()
  }
}

/** One provider for one group: all of it or nothing. Most trees of a large fleet are like this. */
function ofOne(provider: ForestProvider, group: Group): readonly Candidate[] {
  if (!gives(provider, group)) return []
  const amounts = [...group.resources].map(([of, amount]) => ({ provider, of, amount }))
  return [{ amounts, mappings: new Map([[group.suffix, [provider]]]) }]
}

interface Asked {
  readonly forest: Forest
  readonly request: Request
  readonly chance: (() => number) | null
}

class Branches {
  readonly #asked: Asked
  readonly #tree: Tree
  readonly #sharers: readonly ForestProvider[]
  readonly #singles = new Map<Group, readonly Choice[]>()
  readonly #chosen: Choice[] = []
  /** Amounts of the choices so far. */
  readonly #taken: Take[] = []

  constructor(asked: Asked, tree: Tree, sharers: readonly ForestProvider[]) {
    this.#asked = asked
    this.#tree = tree
    this.#sharers = sharers
  }

  *found(): Generator<Candidate> {
    for (const group of this.#asked.request.groups) {
      if (group.suffix === '') continue
      const singles = this.#inOrder(singlesFor(group, this.#tree, this.#sharers))
      if (singles.length === 0) return
      this.#singles.set(
        group,
        singles.map((one) => choiceOf(group, () => one)),
      )
    }
    if (this.#canGoOn(0)) yield* this.#choose(0)
  }

  *#choose(at: number): Generator<Candidate> {
    const group = this.#asked.request.groups[at]
    if (!group) {
      yield this.#candidate()
      return
    }
    for (const choice of group.suffix === '' ? this.#shares(group) : (this.#singles.get(group) ?? [])) {
      if (!this.#fits(choice)) continue
      const undo = this.#take(choice)
      if (this.#canGoOn(at + 1)) yield* this.#choose(at + 1)
      undo()
    }
  }

  *#shares(group: Group): Generator<Choice> {
    const inOrder = (providers: readonly ForestProvider[]) => this.#inOrder(providers)
    for (const share of sharesFor(group, { tree: this.#tree, sharers: this.#sharers, inOrder })) {
      yield choiceOf(group, (of) => share.get(of) as ForestProvider)
    }
  }

  #inOrder(providers: readonly ForestProvider[]): readonly ForestProvider[] {
    const { chance } = this.#asked
    return chance ? [...shuffled(providers, chance)] : providers
  }

  #fits({ group, takes, providers }: Choice): boolean {
    const { isolate, nested } = this.#asked.request
    if (isolate && group.suffix !== '' && this.#isApartTaken(providers[0])) return false
    for (const { provider, of, amount } of takes) {
      const before = this.#takenOf(provider, of)
      // What fits alone was asked before; here only what falls together with other groups.
      if (before > 0 && !fitsOn(provider, of, before + amount)) return false
    }
    if (nested) return true
    const used = new Set([...this.#taken, ...takes].map(({ provider }) => provider))
    return new Set([...used].map(({ root }) => root)).size === used.size
  }

  #isApartTaken(provider: ForestProvider | undefined): boolean {
    return this.#chosen.some(({ group, providers }) => group.suffix !== '' && providers[0] === provider)
  }

  #takenOf(provider: ForestProvider, of: string): number {
    for (const take of this.#taken) if (take.provider === provider && take.of === of) return take.amount
    return 0
  }

  /** Answers how to give it back; takes are given back in the opposite order. */
  #take(choice: Choice): () => void {
    const before = this.#taken.length
    const raised: [Take, number][] = []
    this.#chosen.push(choice)
    for (const { provider, of, amount } of choice.takes) {
      const known = this.#taken.find((take) => take.provider === provider && take.of === of)
      if (known) {
        known.amount += amount
        raised.push([known, amount])
      } else {
        this.#taken.push({ provider, of, amount })
      }
    }
    return () => {
      this.#chosen.pop()
      this.#taken.length = before
      for (const [take, amount] of raised) take.amount -= amount
    }
  }

  /** False when the groups from this one on cannot all find a place any more. */
  #canGoOn(at: number): boolean {
    const { groups, isolate, sameSubtrees } = this.#asked.request
    if (!sameSubtrees.every((suffixes) => this.#canBeTogether(suffixes))) return false
    const left = groups.slice(at).filter(({ suffix }) => suffix !== '')
    if (left.length === 0 || groups.length === 1) return true
    return isolate ? this.#canLieApart(left) : this.#canLieTogether(left)
  }

  #canLieApart(left: readonly Group[]): boolean {
    return canLieApart(left.map((group) => this.#places(group).filter((one) => !this.#isApartTaken(one))))
  }

  /** By each class alone: no provider serves more groups than the least of their amounts fits into what is left. */
  #canLieTogether(left: readonly Group[]): boolean {
    const classes = new Set(left.flatMap(({ resources }) => [...resources.keys()]))
    for (const of of classes) {
      const asking = left.filter(({ resources }) => resources.has(of))
      const least = Math.min(...asking.map(({ resources }) => resources.get(of) ?? 0))
      const slots = (provider: ForestProvider) => {
        const stock = provider.stocks.get(of)
        return stock ? Math.floor((roomOf(stock) - this.#takenOf(provider, of)) / least) : 0
      }
      const places = asking.map((group) => this.#places(group))
      if (!canAllLie(places, slots)) return false
    }
    return true
  }

  #places(group: Group): readonly ForestProvider[] {
    return (this.#singles.get(group) ?? []).map(({ providers: [one] }) => one as ForestProvider)
  }

  /** One of the providers is the others' ancestor; one that is still to be chosen may be it. */
  #canBeTogether(suffixes: ReadonlySet<string>): boolean {
    const chosen = this.#chosen.filter(({ group }) => suffixes.has(group.suffix)).flatMap(({ providers }) => providers)
    const open = this.#asked.request.groups.slice(this.#chosen.length).filter(({ suffix }) => suffixes.has(suffix))
    const isAbove = (top: ForestProvider) => chosen.every((each) => isAtOrBelow(this.#asked.forest, each, top))
    return chosen.some(isAbove) || open.some((group) => this.#places(group).some(isAbove))
  }

  #candidate(): Candidate {
    const amounts = this.#taken.map((take) => ({ ...take }))
    return { amounts, mappings: new Map(this.#chosen.map(({ group, providers }) => [group.suffix, providers])) }
  }
}

function choiceOf(group: Group, from: (of: string) => ForestProvider): Choice {
  const takes = [...group.resources].map(([of, amount]) => ({ provider: from(of), of, amount }))
  const providers = takes.length > 0 ? takes.map(({ provider }) => provider) : [from('')]
  return { group, takes, providers: [...new Set(providers)] }
}

function fitsOn({ stocks }: ForestProvider, of: string, sum: number): boolean {
  const stock = stocks.get(of)
  return stock !== undefined && sum <= roomOf(stock)
}

function isAtOrBelow(forest: Forest, provider: ForestProvider, top: ForestProvider): boolean {
  let at: ForestProvider | undefined = provider
  while (at && at !== top) at = at.parent === null ? undefined : forest.provider(at.parent)
  return at === top
}
