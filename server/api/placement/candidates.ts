import { capacityOf, type Forest, type ForestProvider } from '../../engine/resources/forest'
import { type Candidate, candidates } from '../../engine/resources/search'
import { unknownClasses } from '../../store/placement/resource-class'
import { unknownTraits } from '../../store/placement/trait'
import { type AskedGroup, type CandidateQuery, candidateQueryOf } from './candidate-query'
import { badRequest } from './problem'
import { unknownClass } from './providers'
import { type Answer, type Ask, document } from './wire'

const DICT_FROM = 12
const TRAITS_FROM = 17
const ALL_CLASSES_FROM = 27
const NESTED_FROM = 29
const MAPPINGS_FROM = 34

export async function showCandidates(ask: Ask): Promise<Answer> {
  const query = candidateQueryOf(ask.query, ask.minor)
  await namesMustExist(ask, query)
  const forest = await ask.services.forest.caughtUp()
  const found = search(forest, query)
  return document(ask, {
    allocation_requests: found.map((candidate) => requestView(ask.minor, candidate)),
    provider_summaries: Object.fromEntries(
      summarised(forest, found, query).map((provider) => [provider.id, summaryView(ask.minor, provider, query)]),
    ),
  })
}

/** The first name that does not exist is told: of the roots, then of each group its classes and its traits. */
async function namesMustExist({ services }: Ask, { groups, ...query }: CandidateQuery): Promise<void> {
  const roots = [...query.rootRequired, ...query.rootForbidden]
  const traitsOf = ({ required, forbidden }: AskedGroup) => [...required, forbidden].flatMap((any) => [...any])
  const classes = groups.flatMap(({ resources }) => [...resources.keys()])
  const traits = [...roots, ...groups.flatMap(traitsOf)]
  const badClasses = new Set(await unknownClasses(services.database, classes))
  const badTraits = new Set(traits.length > 0 ? await unknownTraits(services.database, traits) : [])
  if (badClasses.size + badTraits.size === 0) return
  const badTrait = (names: readonly string[]) => {
    const bad = names.find((name) => badTraits.has(name))
    if (bad !== undefined) throw badRequest(`No such trait(s): ${bad}.`)
  }
  badTrait(roots)
  for (const group of groups) {
    const bad = [...group.resources.keys()].find((name) => badClasses.has(name))
    if (bad !== undefined) throw unknownClass(bad)
    badTrait(traitsOf(group))
  }
}

function search(forest: Forest, { limit, ...query }: CandidateQuery): Candidate[] {
  const groups = query.groups.map((group) => atRoot(forest, group))
  if (groups.includes(null)) return []
  const found: Candidate[] = []
  for (const candidate of candidates(forest, { ...query, groups: groups as AskedGroup[] })) {
    found.push(candidate)
    if (limit !== null && found.length >= limit) break
  }
  return found
}

/** Null when the tree asked for is not there. */
function atRoot(forest: Forest, group: AskedGroup): AskedGroup | null {
  if (group.tree === null) return group
  const root = forest.provider(group.tree.toLowerCase())?.root
  return root === undefined ? null : { ...group, tree: root }
}

function requestView(minor: number, { amounts, mappings }: Candidate) {
  const byProvider = new Map<string, Record<string, number>>()
  for (const { provider, of, amount } of amounts) {
    const resources = byProvider.get(provider.id) ?? {}
    resources[of] = amount
    byProvider.set(provider.id, resources)
  }
  if (minor < DICT_FROM) {
    return { allocations: [...byProvider].map(([uuid, resources]) => ({ resource_provider: { uuid }, resources })) }
  }
  const allocations = Object.fromEntries([...byProvider].map(([uuid, resources]) => [uuid, { resources }]))
  if (minor < MAPPINGS_FROM) return { allocations }
  const named = [...mappings].map(([suffix, providers]) => [suffix, providers.map(({ id }) => id)])
  return { allocations, mappings: Object.fromEntries(named) }
}

/** Whole trees of what is used; below 1.29, which knows no trees, what is used itself. */
function summarised(forest: Forest, found: readonly Candidate[], { nested }: CandidateQuery): ForestProvider[] {
  const used = new Set(found.flatMap(({ amounts }) => amounts.map(({ provider }) => provider)))
  if (!nested) return [...used]
  const roots = new Set([...used].map(({ root }) => root))
  return [...roots].flatMap((root) => forest.tree(root)?.providers ?? [])
}

function summaryView(minor: number, provider: ForestProvider, { groups }: CandidateQuery) {
  const isShown = (of: string) => minor >= ALL_CLASSES_FROM || groups.some(({ resources }) => resources.has(of))
  const resources = [...provider.stocks]
    .filter(([of]) => isShown(of))
    .map(([of, stock]) => [of, { capacity: Math.trunc(capacityOf(stock)), used: stock.used }])
  return {
    resources: Object.fromEntries(resources),
    ...(minor >= TRAITS_FROM && { traits: [...provider.traits] }),
    ...(minor >= NESTED_FROM && { parent_provider_uuid: provider.parent, root_provider_uuid: provider.root }),
  }
}
