import { capacityOf, type Forest, type ForestProvider, isOneOf, type Tree } from './forest'
import { type Group, isSharer, type Share, sharersOf, sharesFor, singlesFor } from './search-group'

// Placement's allocation candidates. The search is a generator: who wants ten takes ten, and no product of all
// groups is ever made. Groups that must lie apart are first matched to providers, so a tree on which they cannot all
// lie is left at once instead of after every order of them was tried.

export interface Request {
  /** The group without a suffix first, if there is one. */
  readonly groups: readonly Group[]
  readonly isolate: boolean
  readonly rootRequired: ReadonlySet<string>
  readonly rootForbidden: ReadonlySet<string>
  /** Suffixes whose providers lie at or below one of them. */
  readonly sameSubtrees: readonly ReadonlySet<string>[]
  /** Below 1.29 nothing may come from two providers of one tree. */
  readonly nested: boolean
}

export interface Candidate {
  readonly amounts: readonly { readonly provider: ForestProvider; readonly of: string; readonly amount: number }[]
  /** Suffix → providers that serve it. */
  readonly mappings: ReadonlyMap<string, readonly ForestProvider[]>
}

/** Every candidate once, in the order of the forest. */
export function* candidates(forest: Forest, request: Request): Generator<Candidate> {
  const seen = new Set<string>()
  for (const tree of anchorsOf(forest, request)) {
    for (const candidate of new AnchorSearch(forest, request, tree).found()) {
      if (isSharedWhole(candidate)) {
        const key = keyOf(candidate)
        if (seen.has(key)) continue
        seen.add(key)
      }
      yield candidate
    }
  }
}

// Only what comes from sharing providers alone can be found again at another anchor.
const isSharedWhole = ({ mappings }: Candidate) =>
  [...mappings.values()].every((providers) => providers.every(isSharer))

function keyOf({ amounts, mappings }: Candidate): string {
  const parts = amounts.map(({ provider, of, amount }) => `${provider.id} ${of} ${amount}`).sort()
  for (const [suffix, providers] of mappings) parts.push(`${suffix}=${providers.map(({ id }) => id).sort()}`)
  return parts.join('|')
}

/** Trees at which candidates may be anchored. */
function* anchorsOf(forest: Forest, { rootRequired, rootForbidden }: Request): Generator<Tree> {
  for (const tree of forest.trees()) {
    const { traits } = tree.root
    if (isOneOf(rootForbidden, traits)) continue
    if ([...rootRequired].every((trait) => traits.has(trait))) yield tree
  }
}

type Choice = { readonly group: Group; readonly one: ForestProvider } | { readonly group: Group; readonly share: Share }

class AnchorSearch {
  readonly #forest: Forest
  readonly #request: Request
  readonly #tree: Tree
  readonly #sharers: readonly ForestProvider[]
  readonly #singles = new Map<Group, readonly ForestProvider[]>()
  readonly #chosen: Choice[] = []
  /** Amounts of the choices so far, by provider and class. */
  readonly #taken = new Map<ForestProvider, Map<string, number>>()

  constructor(forest: Forest, request: Request, tree: Tree) {
    this.#forest = forest
    this.#request = request
    this.#tree = tree
    this.#sharers = sharersOf(forest, tree)
  }

  *found(): Generator<Candidate> {
    const { groups, isolate } = this.#request
    for (const group of groups) {
      if (group.suffix === '') continue
      const singles = singlesFor(group, this.#tree, this.#sharers)
      if (singles.length === 0) return
      this.#singles.set(group, singles)
    }
    if (isolate && !canLieApart([...this.#singles.values()])) return
    yield* this.#choose(0)
  }

  *#choose(at: number): Generator<Candidate> {
    const group = this.#request.groups[at]
    if (!group) {
      if (this.#request.sameSubtrees.every((suffixes) => this.#areTogether(suffixes))) yield this.#candidate()
      return
    }
    for (const choice of this.#choices(group)) {
      const takes = takesOf(choice)
      if (this.#fits(takes)) {
        this.#take(takes, 1)
        this.#chosen.push(choice)
        yield* this.#choose(at + 1)
        this.#chosen.pop()
        this.#take(takes, -1)
      }
    }
  }

  *#choices(group: Group): Generator<Choice> {
    if (group.suffix === '') {
      for (const share of sharesFor(group, this.#tree, this.#sharers)) yield { group, share }
      return
    }
    for (const one of this.#singles.get(group) ?? []) {
      const isUsed = this.#chosen.some((other) => 'one' in other && other.one === one)
      if (!(this.#request.isolate && isUsed)) yield { group, one }
    }
  }

  #fits(takes: readonly Take[]): boolean {
    for (const { provider, of, amount } of takes) {
      const stock = provider.stocks.get(of)
      const sum = amount + (this.#taken.get(provider)?.get(of) ?? 0)
      if (!stock || sum > stock.maxUnit || stock.used + sum > Math.trunc(capacityOf(stock))) return false
    }
    if (this.#request.nested) return true
    const used = new Set([...this.#taken.keys(), ...takes.map(({ provider }) => provider)])
    return new Set([...used].map(({ root }) => root)).size === used.size
  }

  #take(takes: readonly Take[], sign: 1 | -1): void {
    for (const { provider, of, amount } of takes) {
      const own = this.#taken.get(provider) ?? new Map<string, number>()
      const sum = (own.get(of) ?? 0) + sign * amount
      if (sum === 0) own.delete(of)
      else own.set(of, sum)
      if (own.size === 0) this.#taken.delete(provider)
      else this.#taken.set(provider, own)
    }
  }

  /** True when one of the providers is the others' ancestor. */
  #areTogether(suffixes: ReadonlySet<string>): boolean {
    const providers = new Set(
      this.#chosen.flatMap((choice) => (suffixes.has(choice.group.suffix) ? providersOf(choice) : [])),
    )
    return [...providers].some((top) => [...providers].every((each) => isAtOrBelow(this.#forest, each, top)))
  }

  #candidate(): Candidate {
    const amounts = [...this.#taken].flatMap(([provider, own]) =>
      [...own].map(([of, amount]) => ({ provider, of, amount })),
    )
    const mappings = new Map(this.#chosen.map((choice) => [choice.group.suffix, [...new Set(providersOf(choice))]]))
    return { amounts, mappings }
  }
}

interface Take {
  readonly provider: ForestProvider
  readonly of: string
  readonly amount: number
}

function takesOf(choice: Choice): Take[] {
  return [...choice.group.resources].map(([of, amount]) => ({
    provider: 'one' in choice ? choice.one : (choice.share.get(of) as ForestProvider),
    of,
    amount,
  }))
}

const providersOf = (choice: Choice): readonly ForestProvider[] =>
  'one' in choice ? [choice.one] : takesOf(choice).map(({ provider }) => provider)

function isAtOrBelow(forest: Forest, provider: ForestProvider, top: ForestProvider): boolean {
  let at: ForestProvider | undefined = provider
  while (at && at !== top) at = at.parent === null ? undefined : forest.provider(at.parent)
  return at === top
}

/** Whether every group can have a provider of its own: a matching, found by augmenting paths. */
export function canLieApart(choices: readonly (readonly ForestProvider[])[]): boolean {
  const holder = new Map<ForestProvider, number>()
  const place = (group: number, tried: Set<ForestProvider>): boolean =>
    (choices[group] ?? []).some((provider) => {
      if (tried.has(provider)) return false
      tried.add(provider)
      const before = holder.get(provider)
      if (before !== undefined && !place(before, tried)) return false
      holder.set(provider, group)
      return true
    })
  return choices.every((_, group) => place(group, new Set()))
}
