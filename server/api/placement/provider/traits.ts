import {
  createTrait,
  deleteTrait,
  findUnknownTraits,
  listTraits,
  readProviderTraits,
  setProviderTraits,
  type TraitFilter,
} from '../../../store/placement/trait'
import { badRequest, CODES, conflict, notFound } from '../problem'
import { checkedJson, checkQuery, Schema } from '../schema/check'
import { knownId } from '../schema/ids'
import { CUSTOM_NAME, object, TEXT_255 } from '../schema/parts'
import { type Answer, cacheHeaders, document, nothing, type PlacementCall } from '../wire'
import { GENERATION_CHANGED, noProvider } from './problems'

const TRAIT_NAME = new Schema({ ...TEXT_255, pattern: CUSTOM_NAME })
const LIST = new Schema(object({ name: { type: 'string' }, associated: { type: 'string' } }))
const SET = new Schema(
  object({ traits: { type: 'array', items: TEXT_255 }, resource_provider_generation: { type: 'integer' } }, [
    ...['traits', 'resource_provider_generation'],
  ]),
)
const BAD_NAME =
  'The trait is invalid. A valid trait must be no longer than 255 characters, start with the prefix "CUSTOM_" and use following characters: "A"-"Z", "0"-"9" and "_"'

const noSuchTrait = (name: string) => notFound(`No such trait(s): ${name}.`)

export async function showTraits(ask: PlacementCall): Promise<Answer> {
  checkQuery(ask.query.values(), LIST)
  const filter = filterOf(ask.query.one('name'), ask.query.one('associated'))
  return document(ask, { traits: await listTraits(ask.services.database, filter) })
}

function filterOf(name: string | null, associated: string | null): TraitFilter {
  const word = associated?.toLowerCase() ?? null
  const colon = name?.indexOf(':') ?? -1
  const operator = name?.slice(0, Math.max(colon, 0)) ?? null
  const value = name?.slice(colon + 1) ?? ''
  if (name !== null && colon < 0) {
    throw badRequest(
      `Badly formatted name parameter. Expected name query string parameter in form: ?name=[in|startswith]:[name1,name2|prefix]. Got: "${name}"`,
    )
  }
  if (word !== null && word !== 'true' && word !== 'false') {
    throw badRequest('The query parameter "associated" only accepts "true" or "false"')
  }
  return {
    names: operator === 'in' ? value.split(',') : null,
    prefix: operator === 'startswith' ? value : null,
    associated: word === null ? null : word === 'true',
  }
}

export async function showTrait(ask: PlacementCall): Promise<Answer> {
  const { name = '' } = ask.params
  if ((await findUnknownTraits(ask.services.database, [name])).length > 0) throw noSuchTrait(name)
  return nothing(204, cacheHeaders(ask))
}

export async function putTrait(ask: PlacementCall): Promise<Answer> {
  const { name = '' } = ask.params
  if (TRAIT_NAME.wrongWith(name) !== null) throw badRequest(BAD_NAME)
  const isNew = await createTrait(ask.services.database, name)
  return nothing(isNew ? 201 : 204, { location: `${ask.call.mount}/traits/${name}`, ...cacheHeaders(ask) })
}

export async function removeTrait(ask: PlacementCall): Promise<Answer> {
  const { name = '' } = ask.params
  const { database } = ask.services
  if ((await findUnknownTraits(database, [name])).length > 0) throw noSuchTrait(name)
  if (!name.startsWith('CUSTOM_')) throw badRequest(`Cannot delete standard trait ${name}.`)
  const did = await deleteTrait(database, name)
  if (did === 'absent') throw noSuchTrait(name)
  if (did === 'in-use') throw conflict(`The trait ${name} is in use by a resource provider.`)
  return nothing(204)
}

export async function showProviderTraits(ask: PlacementCall): Promise<Answer> {
  const { uuid = '' } = ask.params
  const id = knownId(uuid)
  const found = id && (await readProviderTraits(ask.services.database, id))
  if (!found)
    throw notFound(`No resource provider with uuid ${uuid} found: No resource provider with uuid ${uuid} found`)
  return document(ask, viewOf(found.traits, found.generation))
}

const viewOf = (traits: readonly string[], generation: number) => ({
  traits,
  resource_provider_generation: generation,
})

export async function putProviderTraits(ask: PlacementCall): Promise<Answer> {
  const body = checkedJson<{ traits: string[]; resource_provider_generation: number }>(await ask.call.body(), SET)
  const traits = [...new Set(body.traits)].sort()
  const generation = await set(ask, { traits, generation: body.resource_provider_generation })
  return document(ask, viewOf(traits, generation))
}

export async function removeProviderTraits(ask: PlacementCall): Promise<Answer> {
  await set(ask, { traits: [], generation: null })
  return nothing(204)
}

async function set(
  ask: PlacementCall,
  what: { traits: readonly string[]; generation: number | null },
): Promise<number> {
  const { uuid = '' } = ask.params
  const provider = knownId(uuid)
  if (provider === null) throw noProvider(uuid)
  const answer = await setProviderTraits(ask.services.database, { provider, ...what }, ask.writer)
  if (answer.ok) return Number(answer.value)
  switch (answer.refused.kind) {
    case 'generation':
      throw conflict(GENERATION_CHANGED, CODES.raced)
    case 'no-trait':
      throw badRequest(`No such trait ${answer.refused.traits}`)
    default:
      throw noProvider(uuid)
  }
}
