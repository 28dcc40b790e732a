import { NO_FILTER } from '../../../engine/resources/forest'
import type { Request } from '../../../engine/resources/search'
import type { Group } from '../../../engine/resources/search-group'
import { badRequest, CODES } from '../problem'
import { aggregatesOf, noAnyTraits, plainTraits, type Query, resourcesOf, traitsOf, treeOf } from '../query'
import { checkQuery, Schema } from '../schema/check'
import { object, SUFFIX_NUMBER, SUFFIX_WORD, since } from '../schema/parts'
import { pythonText } from '../schema/python-text'

// The query of allocation candidates: groups by suffix, and parameters of the whole request.

const TEXT = { type: 'string' }
const LIMIT = { type: ['integer', 'string'], pattern: '^[1-9][0-9]*$', minimum: 1, minLength: 1 }
const POLICY = { type: 'string', enum: ['none', 'isolate'] }
const keys = (names: readonly string[], suffix: string) =>
  Object.fromEntries(names.map((name) => [`^${name}(${suffix})?$`, TEXT]))
const grouped = (properties: object, patternProperties: object) => ({
  ...{ type: 'object', properties, additionalProperties: false, patternProperties },
})

const KINDS_25 = ['resources', 'required', 'member_of']
const KINDS_31 = [...KINDS_25, 'in_tree']
const WHOLE_25 = { limit: LIMIT, group_policy: POLICY }
const WHOLE_35 = { ...WHOLE_25, root_required: TEXT }
const BARE = ['resources']
const QUERY = [
  [10, new Schema(object({ resources: TEXT }, BARE))],
  [16, new Schema(object({ resources: TEXT, limit: LIMIT }, BARE))],
  [17, new Schema(object({ resources: TEXT, limit: LIMIT, required: TEXT }, BARE))],
  [21, new Schema(object({ resources: TEXT, limit: LIMIT, required: TEXT, member_of: TEXT }, BARE))],
  [25, new Schema(grouped(WHOLE_25, keys(KINDS_25, SUFFIX_NUMBER)))],
  [31, new Schema(grouped(WHOLE_25, keys(KINDS_31, SUFFIX_NUMBER)))],
  [33, new Schema(grouped(WHOLE_25, keys(KINDS_31, SUFFIX_WORD)))],
  [35, new Schema(grouped(WHOLE_35, keys(KINDS_31, SUFFIX_WORD)))],
  [36, new Schema(grouped({ ...WHOLE_35, same_subtree: TEXT }, keys(KINDS_31, SUFFIX_WORD)))],
] as const

const SUBTREES_FROM = 36
const NESTED_FROM = 29

export interface CandidateQuery extends Omit<Request, 'groups'> {
  readonly groups: readonly RequestGroup[]
  /** Null selects all. */
  readonly limit: number | null
}

/** `tree` is still any provider of the tree; a client cannot choose which trees are closed. */
export type RequestGroup = Omit<Group, 'closed'>

export function candidateQueryOf(query: Query, minor: number): CandidateQuery {
  checkQuery(query.values(), since(minor, QUERY))
  const whole = treeConstraintsOf(query)
  const groups = groupsOf(query, minor)
  if (minor >= SUBTREES_FROM) checkSuffixes(groups, whole.sameSubtrees)
  else checkOrphans(groups)
  if (minor >= 22) checkForbidden(groups)
  const policy = query.all('group_policy')[0] ?? null
  if (policy === null && [...groups.keys()].filter((suffix) => suffix !== '').length > 1) {
    throw badRequest('The "group_policy" parameter is required when specifying more than one "resources{N}" parameter.')
  }
  const limit = query.all('limit')[0]
  return {
    ...whole,
    groups: [...groups.values()].sort((a, b) => Number(a.suffix !== '') - Number(b.suffix !== '')),
    isolate: policy === 'isolate',
    nested: minor >= NESTED_FROM,
    limit: limit === undefined ? null : Number(limit),
  }
}

function treeConstraintsOf(query: Query): Pick<Request, 'rootRequired' | 'rootForbidden' | 'sameSubtrees'> {
  const roots = query.all('root_required')
  if (roots.length > 1) {
    throw badRequest("Query parameter 'root_required' may be specified only once.", CODES.duplicateKey)
  }
  if (roots[0]?.startsWith('in:')) throw noAnyTraits(roots[0])
  const { required, forbidden } = roots[0] === undefined ? NO_FILTER : plainTraits(roots[0], true)
  const rootRequired = new Set(required.flatMap((any) => [...any]))
  const both = [...rootRequired].filter((trait) => forbidden.has(trait))
  if (both.length > 0) {
    throw badRequest(
      `Conflicting required and forbidden traits found in root_required: ${both.join(', ')}`,
      CODES.badValue,
    )
  }
  const sameSubtrees = query.all('same_subtree').map((value) => {
    const suffixes = new Set(value.split(',').map((suffix) => suffix.trim()))
    if (suffixes.has('')) {
      throw badRequest('Empty string (unsuffixed group) can not be specified in `same_subtree` ', CODES.badValue)
    }
    return suffixes
  })
  return { rootRequired, rootForbidden: forbidden, sameSubtrees }
}

const KEY = /^(resources|required|member_of|in_tree)([a-zA-Z0-9_-]{1,64})?$/

function groupsOf(query: Query, minor: number): ReadonlyMap<string, RequestGroup> {
  const groups = new Map<string, RequestGroup>()
  for (const [key, value] of query.pairs) {
    const [, kind, suffix = ''] = KEY.exec(key) ?? []
    if (kind === undefined) continue
    const before = groups.get(suffix) ?? { ...NO_FILTER, suffix, resources: new Map<string, number>(), tree: null }
    groups.set(suffix, { ...before, ...partOf(query, { kind, suffix, value, minor }) })
  }
  return groups
}

interface Part {
  readonly kind: string
  readonly suffix: string
  readonly value: string
  readonly minor: number
}

function partOf(query: Query, { kind, suffix, value, minor }: Part): Partial<RequestGroup> {
  switch (kind) {
    case 'resources':
      return { resources: resourcesOf(value) }
    case 'required':
      return traitsOf(query, `required${suffix}`, minor)
    case 'member_of':
      return aggregatesOf(query, suffix, minor)
    default:
      return { tree: treeOf(value) }
  }
}

/** From 1.36 on a group may request no resources when a subtree needs its provider. */
function checkSuffixes(groups: ReadonlyMap<string, RequestGroup>, subtrees: readonly ReadonlySet<string>[]): void {
  const named = new Set(subtrees.flatMap((suffixes) => [...suffixes]))
  const bare = [...groups.values()].filter(({ resources }) => resources.size === 0).map(({ suffix }) => suffix)
  if (bare.length === groups.size) {
    throw badRequest('There must be at least one resources or resources[$S] parameter.', CODES.missingValue)
  }
  const orphans = bare.filter((suffix) => !named.has(suffix))
  if (orphans.length > 0) {
    throw badRequest(
      `Resourceless suffixed group request should be specified in \`same_subtree\` query param: bad group(s) - ${pythonText(orphans)}.`,
      CODES.badValue,
    )
  }
  const unreal = [...named].filter((suffix) => !groups.has(suffix))
  if (unreal.length > 0) {
    throw badRequest(
      `Real suffixes should be specified in \`same_subtree\`: ${pythonText(unreal)} not found in ${pythonText([...groups.keys()])}.`,
      CODES.badValue,
    )
  }
}

function checkOrphans(groups: ReadonlyMap<string, RequestGroup>): void {
  const bare = [...groups.values()].filter(({ resources }) => resources.size === 0)
  const traits = bare.filter(({ required }) => required.length > 0)
  if (traits.length > 0) {
    throw badRequest(
      `All traits parameters must be associated with resources.  Found the following orphaned traits keys: ${traits.map(({ suffix }) => `required${suffix}`).join(', ')}`,
    )
  }
  const aggregates = bare.filter(({ memberOf, notMemberOf }) => memberOf.length > 0 || notMemberOf.size > 0)
  if (aggregates.length > 0) {
    throw badRequest(
      `All member_of parameters must be associated with resources. Found the following orphaned member_of keys: ${aggregates.map(({ suffix }) => `member_of${suffix}`).join(', ')}`,
    )
  }
  if (bare.length > 0) throw badRequest('All request groups must specify resources.')
  if (groups.size === 0) {
    throw badRequest('At least one request group (`resources` or `resources{$S}`) is required.')
  }
}

function checkForbidden(groups: ReadonlyMap<string, RequestGroup>): void {
  const conflicts = [...groups.values()].flatMap(({ suffix, required, forbidden }) =>
    required
      .filter((any) => [...any].every((trait) => forbidden.has(trait)))
      .map((any) => `required${suffix}: (${[...any].sort().join(', ')})`),
  )
  if (conflicts.length === 0) return
  throw badRequest(
    `Conflicting required and forbidden traits found in the following traits keys: ${conflicts.sort().join(', ')}`,
  )
}
