import { NO_FILTER, providersMatching } from '../../../engine/resources/forest'
import {
  createProvider,
  deleteProvider,
  type ProviderRow,
  readProvider,
  updateProvider,
} from '../../../store/placement/provider'
import type { PlacementRefusal } from '../../../store/placement/refused'
import { findUnknownClasses } from '../../../store/placement/resource-class'
import { findUnknownTraits } from '../../../store/placement/trait'
import { badRequest, CODES, conflict, notFound, type Problem } from '../problem'
import { aggregatesOf, resourcesOf, traitsOf } from '../query'
import { checkedJson, checkQuery, Schema } from '../schema/check'
import { dashed, knownId } from '../schema/ids'
import { object, since, UUID } from '../schema/parts'
import { type Answer, document, nothing, type PlacementCall } from '../wire'
import { noProvider } from './problems'

const NAME_200 = { type: 'string', maxLength: 200 }
const PARENT = { anyOf: [UUID, { type: 'null' }] }
const POST = [
  [0, new Schema(object({ name: NAME_200, uuid: UUID }, ['name']))],
  [14, new Schema(object({ name: NAME_200, uuid: UUID, parent_provider_uuid: PARENT }, ['name']))],
] as const
const PUT = [
  [0, new Schema(object({ name: NAME_200 }, ['name']))],
  [14, new Schema(object({ name: NAME_200, parent_provider_uuid: PARENT }, ['name']))],
] as const

const TEXT = { type: 'string' }
const FILTERS = [
  [0, { name: TEXT, uuid: UUID }],
  [3, { member_of: TEXT }],
  [4, { resources: TEXT }],
  [14, { in_tree: UUID }],
  [18, { required: TEXT }],
] as const
const LIST = FILTERS.map(([from], index) => {
  const known = Object.assign({}, ...FILTERS.slice(0, index + 1).map(([, filter]) => filter))
  return [from, new Schema(object(known))] as const
})

const LINKS = [
  [0, 'inventories'],
  [0, 'usages'],
  [1, 'aggregates'],
  [6, 'traits'],
  [11, 'allocations'],
] as const
const NESTED_FROM = 14
const BODY_FROM = 20
const REPARENT_FROM = 37

const linkOf = ({ call }: PlacementCall, id: string) => `${call.mount}/resource_providers/${id}`

function viewOf(ask: PlacementCall, { id, name, generation, parent, root }: ProviderRow) {
  const self = linkOf(ask, id)
  const more = LINKS.filter(([from]) => from <= ask.minor).map(([, rel]) => ({ rel, href: `${self}/${rel}` }))
  return {
    uuid: id,
    name,
    generation,
    links: [{ rel: 'self', href: self }, ...more],
    ...(ask.minor >= NESTED_FROM && { parent_provider_uuid: parent, root_provider_uuid: root }),
  }
}

/** The provider of the path, for handlers that check it before the body. */
export async function mustExist(ask: PlacementCall): Promise<string> {
  return (await found(ask)).id
}

async function found({ params: { uuid = '' }, services }: PlacementCall): Promise<ProviderRow> {
  const id = knownId(uuid)
  const provider = id && (await readProvider(services.database, id))
  if (!provider) throw noProvider(uuid)
  return provider
}

export async function showProvider(ask: PlacementCall): Promise<Answer> {
  return document(ask, viewOf(ask, await found(ask)))
}

export async function showProviders(ask: PlacementCall): Promise<Answer> {
  const { query, minor, services } = ask
  checkQuery(query.values(), since(minor, LIST))
  const has = (key: string) => query.one(key) !== null
  const question = {
    ...NO_FILTER,
    ...(has('member_of') && aggregatesOf(query, '', minor)),
    ...(has('required') && traitsOf(query, 'required', minor)),
    name: query.one('name') || null,
    id: query.one('uuid')?.toLowerCase() ?? null,
    inTree: query.one('in_tree')?.toLowerCase() || null,
    resources: has('resources') ? resourcesOf(query.one('resources') ?? '') : new Map<string, number>(),
  }
  const named = [...question.required.flatMap((any) => [...any]), ...question.forbidden]
  if (named.length > 0) await traitsMustExist(ask, named)
  if (question.resources.size > 0) await classesMustExist(ask, [...question.resources.keys()])
  const forest = await services.forest.caughtUp()
  return document(ask, { resource_providers: providersMatching(forest, question).map((each) => viewOf(ask, each)) })
}

async function traitsMustExist({ services }: PlacementCall, names: readonly string[]): Promise<void> {
  const [unknown] = await findUnknownTraits(services.database, names)
  if (unknown === undefined) return
  throw badRequest(`Invalid trait(s) in "required" parameter: No such trait(s): ${unknown}.`)
}

async function classesMustExist({ services }: PlacementCall, names: readonly string[]): Promise<void> {
  const [unknown] = await findUnknownClasses(services.database, names)
  if (unknown !== undefined) throw unknownClass(unknown)
}

export const unknownClass = (name: string): Problem =>
  badRequest(`Invalid resource class in resources parameter: No such resource class ${name}.`)

interface ProviderBody {
  readonly name: string
  readonly uuid?: string
  readonly parent_provider_uuid?: string | null
}

export async function postProvider(ask: PlacementCall): Promise<Answer> {
  const requested = checkedJson<ProviderBody>(await ask.call.body(), since(ask.minor, POST))
  const id = requested.uuid ? dashed(requested.uuid) : ask.services.newId()
  const lead = `Unable to create resource provider "${requested.name}", ${id}: Object action create failed because:`
  if (requested.name === '') throw badRequest(`${lead} name is required`)
  const parent = requested.parent_provider_uuid ?? null
  if (parent === id) {
    throw badRequest(
      `${lead} parent provider UUID cannot be same as UUID. Please set parent provider UUID to None if there is no parent.`,
    )
  }
  if (parent !== null && knownId(parent) === null) throw badRequest(`${lead} parent provider UUID does not exist.`)
  const answer = await createProvider(ask.services.database, { provider: id, name: requested.name, parent }, ask.writer)
  if (!answer.ok) throw notCreated(answer.refused, { ...requested, uuid: id }, lead)
  const location = linkOf(ask, id)
  if (ask.minor < BODY_FROM) return nothing(201, { location })
  const made = { id, name: requested.name, generation: 0, parent, root: answer.value }
  return document(ask, viewOf(ask, made), { location })
}

function notCreated(refused: PlacementRefusal, { name, uuid }: ProviderBody, lead: string): Problem {
  if (refused.kind === 'no-parent') return badRequest(`${lead} parent provider UUID does not exist.`)
  // When both are taken, the uuid is reported, as by the original's database.
  const taken = refused.what?.[0] === 'uuid' ? `uuid: ${uuid}` : `name: ${name}`
  return conflict(`Conflicting resource provider ${taken} already exists.`, CODES.duplicateName)
}

export async function putProvider(ask: PlacementCall): Promise<Answer> {
  const before = await found(ask)
  const requested = checkedJson<ProviderBody>(await ask.call.body(), since(ask.minor, PUT))
  const parent = requested.parent_provider_uuid ?? null
  const lead = `Unable to save resource provider ${ask.params.uuid}: Object action`
  // Placement accepts an empty name on PUT only; Berth refuses it as POST does.
  if (requested.name === '') throw badRequest(`${lead} update failed because: name is required`)
  if (parent !== null && knownId(parent) === null) {
    throw badRequest(`${lead} create failed because: parent provider UUID does not exist.`)
  }
  const answer = await updateProvider(
    ask.services.database,
    {
      ...{ provider: before.id, name: requested.name, parent },
      keeps: requested.parent_provider_uuid === undefined,
      reparents: ask.minor >= REPARENT_FROM,
    },
    ask.writer,
  )
  if (!answer.ok) throw notUpdated(answer.refused, requested, lead)
  return document(ask, viewOf(ask, { ...before, name: requested.name, ...answer.value }))
}

const UPDATE_REASONS: Readonly<Record<string, string>> = {
  'no-parent': 'create failed because: parent provider UUID does not exist.',
  'un-parent': 'update failed because: un-parenting a provider is not currently allowed.',
  're-parent': 'update failed because: re-parenting a provider is not currently allowed.',
  loop: 'update failed because: creating loop in the provider tree is not allowed.',
}

function notUpdated({ kind }: PlacementRefusal, { name }: ProviderBody, lead: string): Problem {
  const reason = UPDATE_REASONS[kind]
  if (reason !== undefined) return badRequest(`${lead} ${reason}`)
  if (kind === 'taken') return conflict(`Conflicting resource provider ${name} already exists.`, CODES.duplicateName)
  if (kind === 'host') {
    return conflict(
      `Unable to save resource provider ${name}: it belongs to a host that Berth manages, whose tree only Berth changes. Nothing was changed.`,
    )
  }
  return notFound()
}

export async function removeProvider(ask: PlacementCall): Promise<Answer> {
  const { uuid = '' } = ask.params
  const id = knownId(uuid)
  const answer = id && (await deleteProvider(ask.services.database, id, ask.writer))
  if (!answer) throw notFound(`No resource provider with uuid ${uuid} found for delete`)
  if (answer.ok) return nothing(204)
  switch (answer.refused.kind) {
    case 'parent':
      throw conflict(
        `Unable to delete parent resource provider ${uuid}: It has child resource providers.`,
        CODES.parent,
      )
    case 'in-use':
      throw conflict(
        `Unable to delete resource provider ${uuid}: Resource provider has allocations.`,
        CODES.providerInUse,
      )
    case 'host':
      throw conflict(
        `Unable to delete resource provider ${uuid}: it is a host that Berth manages. Take the host out of the fleet in Berth first. Nothing was changed.`,
        CODES.providerInUse,
      )
    default:
      throw notFound(`No resource provider with uuid ${uuid} found for delete`)
  }
}
