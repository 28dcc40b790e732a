import {
  createResourceClass,
  deleteResourceClass,
  findUnknownClasses,
  listResourceClasses,
  renameResourceClass,
} from '../../../store/placement/resource-class'
import { mustBeJson } from '../content'
import { badRequest, conflict, notFound } from '../problem'
import { checkedJson, Schema } from '../schema/check'
import { CUSTOM_NAME, object } from '../schema/parts'
import { type Answer, document, nothing, type PlacementCall } from '../wire'

const NEW_CLASS = new Schema(object({ name: { type: 'string', pattern: CUSTOM_NAME, maxLength: 255 } }, ['name']))
const PUT_BY_NAME = 7 // below it, a PUT renames a class

const linkOf = ({ call }: PlacementCall, name: string) => `${call.mount}/resource_classes/${name}`
const viewOf = (ask: PlacementCall, name: string) => ({ name, links: [{ rel: 'self', href: linkOf(ask, name) }] })
const isStandard = (name: string) => !name.startsWith('CUSTOM_')
const noSuchClass = (name: string) => notFound(`No such resource class ${name}.`)

export async function showResourceClasses(ask: PlacementCall): Promise<Answer> {
  const names = await listResourceClasses(ask.services.database)
  return document(ask, { resource_classes: names.map((name) => viewOf(ask, name)) })
}

export async function showResourceClass(ask: PlacementCall): Promise<Answer> {
  const name = await knownClass(ask)
  return document(ask, viewOf(ask, name))
}

async function knownClass({ params: { name = '' }, services }: PlacementCall): Promise<string> {
  if ((await findUnknownClasses(services.database, [name])).length > 0) throw noSuchClass(name)
  return name
}

export async function postResourceClass(ask: PlacementCall): Promise<Answer> {
  const { name } = checkedJson<{ name: string }>(await ask.call.body(), NEW_CLASS)
  if (await createResourceClass(ask.services.database, name)) return nothing(201, { location: linkOf(ask, name) })
  throw conflict(`Conflicting resource class already exists: ${name}`)
}

export async function putResourceClass(ask: PlacementCall): Promise<Answer> {
  if (ask.minor >= PUT_BY_NAME) return ensure(ask)
  mustBeJson(ask.call)
  return rename(ask)
}

async function rename(ask: PlacementCall): Promise<Answer> {
  const { database } = ask.services
  const { name } = checkedJson<{ name: string }>(await ask.call.body(), NEW_CLASS)
  const before = await knownClass(ask)
  if (isStandard(before)) throw badRequest(`Cannot update standard resource class ${before}`)
  const renamed = await renameResourceClass(database, { from: before, to: name }, ask.writer)
  if (renamed === 'taken') throw conflict(`Resource class already exists: ${name}`)
  if (!renamed.ok || !renamed.value) throw noSuchClass(before)
  return document(ask, viewOf(ask, name))
}

async function ensure(ask: PlacementCall): Promise<Answer> {
  const { name = '' } = ask.params
  checkedJson(Buffer.from(JSON.stringify({ name })), NEW_CLASS)
  const isNew = await createResourceClass(ask.services.database, name)
  return nothing(isNew ? 201 : 204, { location: linkOf(ask, name) })
}

export async function removeResourceClass(ask: PlacementCall): Promise<Answer> {
  const name = await knownClass(ask)
  const lead = 'Error in delete resource class:'
  if (isStandard(name)) throw badRequest(`${lead} Cannot delete standard resource class ${name}.`)
  const did = await deleteResourceClass(ask.services.database, name)
  if (did === 'absent') throw noSuchClass(name)
  if (did === 'in-use') {
    throw conflict(`${lead} Cannot delete resource class ${name}. Class is in use in inventory.`)
  }
  return nothing(204)
}
