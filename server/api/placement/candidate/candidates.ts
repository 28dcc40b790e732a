import type { Forest } from '../../../engine/resources/forest'
import { type Candidate, candidates } from '../../../engine/resources/search'
import type { ProviderForest } from '../../../fleet/candidates-forest'
import { findUnknownClasses } from '../../../store/placement/resource-class'
import { findUnknownTraits } from '../../../store/placement/trait'
import { badRequest } from '../problem'
import { unknownClass } from '../provider/providers'
import { type Answer, documentText, type PlacementCall, type PlacementServices } from '../wire'
import { type CandidateQuery, candidateQueryOf, type RequestGroup } from './query'
import { RequestWriter, type SummaryOptions, summaryText } from './text'

export async function showCandidates(ask: PlacementCall): Promise<Answer> {
  const { services, minor } = ask
  const query = candidateQueryOf(ask.query, minor)
  await services.forest.caughtUp()
  await namesMustExist(ask, query)
  const found = search(query, services)
  const shown = { minor, requestedClasses: new Set(query.groups.flatMap(({ resources }) => [...resources.keys()])) }
  const parts = ['{"allocation_requests":[']
  const requests = new RequestWriter(minor, parts)
  for (const candidate of found) requests.write(candidate)
  parts.push('],"provider_summaries":{')
  let separator = ''
  for (const summary of query.nested ? treeSummaries(services, found, shown) : ownSummaries(found, shown)) {
    parts.push(separator, summary)
    separator = ','
  }
  parts.push('}}')
  return documentText(ask, parts.join(''))
}

/** The first name that does not exist is reported: of the roots, then of each group its classes and its traits. */
async function namesMustExist({ services }: PlacementCall, { groups, ...query }: CandidateQuery): Promise<void> {
  const { database, forest } = services
  const roots = [...query.rootRequired, ...query.rootForbidden]
  const traitsOf = ({ required, forbidden }: RequestGroup) => [...required, forbidden].flatMap((any) => [...any])
  const classes = groups.flatMap(({ resources }) => [...resources.keys()])
  const traits = [...roots, ...groups.flatMap(traitsOf)]
  // A class or trait that a provider has must exist; only other names are looked up.
  const odd = {
    classes: classes.filter((name) => !forest.hasClass(name)),
    traits: traits.filter((name) => !forest.hasTrait(name)),
  }
  const badClasses = new Set(odd.classes.length > 0 ? await findUnknownClasses(database, odd.classes) : [])
  const badTraits = new Set(odd.traits.length > 0 ? await findUnknownTraits(database, odd.traits) : [])
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

function search({ limit, ...query }: CandidateQuery, services: PlacementServices): Candidate[] {
  const { forest, candidates: settings } = services
  const groups = query.groups.map((group) => atRoot(forest, group))
  if (!groups.every((group) => group !== null)) return []
  const closed = closedTo(groups, forest)
  const most = Math.min(limit ?? Number.POSITIVE_INFINITY, settings.maxCandidates ?? Number.POSITIVE_INFINITY)
  const order = { breadthFirst: settings.breadthFirst, chance: settings.randomize ? services.chance : null }
  const found: Candidate[] = []
  for (const candidate of candidates(
    forest,
    { ...query, groups: groups.map((group) => ({ ...group, closed })) },
    order,
  )) {
    found.push(candidate)
    if (found.length >= most) break
  }
  return found
}

/**
 * Hosts of Berth, where a claim for an instance would be refused (decision 0215). A request that names a host's tree is
 * answered: it may be for something else, and an instance learns the reason when it claims.
 */
function closedTo(groups: readonly RequestGroup[], { hosts, foreignAllowed }: ProviderForest): ReadonlySet<string> {
  if (foreignAllowed) return NO_TREES
  const named = new Set(groups.map(({ tree }) => tree))
  return named.size === 1 && named.has(null) ? hosts : new Set([...hosts].filter((root) => !named.has(root)))
}

const NO_TREES: ReadonlySet<string> = new Set()

/** Null when the requested tree does not exist. */
function atRoot(forest: Forest, group: RequestGroup): RequestGroup | null {
  if (group.tree === null) return group
  const root = forest.provider(group.tree.toLowerCase())?.root
  return root === undefined ? null : { ...group, tree: root }
}

/** Whole trees with a used provider. */
function treeSummaries(
  { forest, summaries }: PlacementServices,
  found: readonly Candidate[],
  shown: SummaryOptions,
): readonly string[] {
  const roots = new Set<string>()
  for (const { uses } of found) for (const { provider } of uses) roots.add(provider.root)
  const texts: string[] = []
  for (const root of roots) {
    const tree = forest.tree(root)
    if (tree) texts.push(summaries.ofTree(tree, shown))
  }
  return texts
}

/** Below 1.29, which knows no trees, only the used providers. */
function ownSummaries(found: readonly Candidate[], shown: SummaryOptions): readonly string[] {
  const used = new Set(found.flatMap(({ uses }) => uses.map(({ provider }) => provider)))
  return [...used].map((provider) => summaryText(provider, shown))
}
