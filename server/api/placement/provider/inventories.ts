import { type InventoryRow, readProviderInventories, writeInventories } from '../../../store/placement/inventory'
import { readProvider } from '../../../store/placement/provider'
import type { PlacementRefusal } from '../../../store/placement/refused'
import { claimsInTheWay } from '../allocation/berth-claims'
import { badRequest, CODES, conflict, notFound, type Problem } from '../problem'
import { checkedJson, Schema } from '../schema/check'
import { knownId } from '../schema/ids'
import { NAME, object } from '../schema/parts'
import { type Answer, document, nothing, type PlacementCall } from '../wire'
import {
  capacityProblem,
  INVENTORIES,
  INVENTORY_FIELDS,
  type InventoriesBody,
  type InventoryBody,
  inventoriesOf,
  inventoryOf,
  inventoryView,
} from './inventory-body'
import { CONCURRENT, noProvider } from './problems'
import { mustExist } from './providers'

const POST_ONE = new Schema(
  object({ ...INVENTORY_FIELDS, resource_class: { type: 'string', pattern: NAME } }, ['total', 'resource_class']),
)
const PUT_ONE = new Schema(object(INVENTORY_FIELDS, ['total', 'resource_provider_generation']))
const PUT_ALL = new Schema(INVENTORIES)
const GENERATION = 'resource provider generation conflict'

const allView = (generation: number, inventories: readonly InventoryRow[]) => ({
  resource_provider_generation: generation,
  inventories: Object.fromEntries(inventories.map((each) => [each.resourceClass, inventoryView(each)])),
})

// A generation of 0 is left out, as in the original.
const oneView = (generation: number, inventory: InventoryRow) => ({
  ...inventoryView(inventory),
  ...(generation > 0 && { resource_provider_generation: generation }),
})

export async function showInventories(ask: PlacementCall): Promise<Answer> {
  const { generation, inventories } = await found(ask)
  return document(ask, allView(generation, inventories))
}

export async function showInventory(ask: PlacementCall): Promise<Answer> {
  const { generation, inventories } = await found(ask)
  const { uuid, resource_class: name } = ask.params
  const inventory = inventories.find((each) => each.resourceClass === name)
  if (!inventory) throw notFound(`No inventory of class ${name} for ${uuid}`)
  return document(ask, oneView(generation, inventory))
}

async function found({ params: { uuid = '' }, services }: PlacementCall) {
  const id = knownId(uuid)
  const provider = id && (await readProviderInventories(services.database, id))
  if (provider) return provider
  throw notFound(`No resource provider with uuid ${uuid} found : No resource provider with uuid ${uuid} found`)
}

export async function postInventory(ask: PlacementCall): Promise<Answer> {
  const provider = await mustExist(ask)
  const body = checkedJson<InventoryBody & { resource_class: string }>(await ask.call.body(), POST_ONE)
  const inventory = inventoryOf(body.resource_class, body)
  const lead = `Unable to create inventory for resource provider ${provider}:`
  const bad = capacityProblem(ask.minor, [inventory], { lead, provider })
  if (bad) throw bad
  const write = { provider, generation: null, how: 'add', inventories: [inventory] } as const
  const answer = await writeInventories(ask.services.database, write, ask.writer)
  if (answer.ok) {
    const location = `${ask.call.mount}/resource_providers/${provider}/inventories/${inventory.resourceClass}`
    return document(ask, oneView(Number(answer.value), inventory), { status: 201, location })
  }
  if (answer.refused.kind === 'duplicate') throw conflict(`Update conflict: ${CONCURRENT}`, CODES.raced)
  if (answer.refused.kind === 'no-class') {
    throw badRequest(`${lead} No such resource class ${answer.refused.class}.`)
  }
  throw notWritten(ask, answer.refused)
}

export async function putInventories(ask: PlacementCall): Promise<Answer> {
  const provider = await mustExist(ask)
  const body = checkedJson<InventoriesBody>(await ask.call.body(), PUT_ALL)
  const inventories = inventoriesOf(body)
  const generation = body.resource_provider_generation
  const lead = `Unable to update inventory for resource provider ${provider}:`
  const bad = capacityProblem(ask.minor, inventories, { lead, provider })
  if (bad) throw await generationProblem(ask, { provider, generation }, bad)
  const write = { provider, generation, how: 'set', inventories } as const
  const answer = await writeInventories(ask.services.database, write, ask.writer)
  if (answer.ok) return document(ask, allView(Number(answer.value), inventories))
  if (answer.refused.kind === 'no-class') {
    throw badRequest(
      `Unknown resource class in inventory for resource provider ${provider}: No such resource class ${answer.refused.class}.`,
    )
  }
  if (answer.refused.kind === 'in-use') {
    throw conflict(`update conflict: ${inUse(answer.refused)}`, CODES.inventoryInUse)
  }
  throw notWritten(ask, answer.refused)
}

export async function putInventory(ask: PlacementCall): Promise<Answer> {
  const provider = await mustExist(ask)
  const body = checkedJson<InventoryBody & { resource_provider_generation: number }>(await ask.call.body(), PUT_ONE)
  const inventory = inventoryOf(ask.params.resource_class ?? '', body)
  const generation = body.resource_provider_generation
  const lead = `Unable to update inventory for resource provider ${provider}:`
  const bad = capacityProblem(ask.minor, [inventory], { lead, provider })
  if (bad) throw await generationProblem(ask, { provider, generation }, bad)
  const write = { provider, generation, how: 'update', inventories: [inventory] } as const
  const answer = await writeInventories(ask.services.database, write, ask.writer)
  if (answer.ok) return document(ask, oneView(Number(answer.value), inventory))
  if (answer.refused.kind === 'no-inventory') {
    throw badRequest(
      `No inventory record with resource class for resource provider ${provider}: No inventory of class ${answer.refused.class} found.`,
    )
  }
  if (answer.refused.kind === 'no-class') throw notFound(`No such resource class ${answer.refused.class}.`)
  throw notWritten(ask, answer.refused)
}

// The generation is checked before the capacity.
async function generationProblem(
  { services }: PlacementCall,
  { provider, generation }: { readonly provider: string; readonly generation: number },
  bad: Problem,
): Promise<Problem> {
  const now = await readProvider(services.database, provider)
  return now && now.generation !== generation ? conflict(GENERATION, CODES.raced) : bad
}

export async function removeInventories(ask: PlacementCall): Promise<Answer> {
  const { uuid = '' } = ask.params
  const provider = knownId(uuid)
  if (provider === null) throw noProvider(uuid)
  const write = { provider, generation: null, how: 'set', inventories: [] } as const
  const answer = await writeInventories(ask.services.database, write, ask.writer)
  if (answer.ok) return nothing(204)
  if (answer.refused.kind === 'in-use') throw conflict(inUse(answer.refused), CODES.inventoryInUse)
  throw notWritten(ask, answer.refused)
}

export async function removeInventory(ask: PlacementCall): Promise<Answer> {
  const { uuid = '', resource_class: name = '' } = ask.params
  const provider = knownId(uuid)
  if (provider === null) throw noProvider(uuid)
  const write = { provider, generation: null, how: 'drop', inventories: [], classes: [name] } as const
  const answer = await writeInventories(ask.services.database, write, ask.writer)
  if (answer.ok) return nothing(204)
  const lead = `No inventory of class ${name} found for delete:`
  switch (answer.refused.kind) {
    case 'in-use':
      throw conflict(`Unable to delete inventory of class ${name}: ${inUse(answer.refused)}`, CODES.raced)
    case 'no-class':
      throw notFound(`${lead} No such resource class ${name}.`)
    case 'no-inventory':
      throw notFound(`${lead} No inventory of class ${name} found for delete`)
    default:
      throw notWritten(ask, answer.refused)
  }
}

export const inUse = ({ classes, provider }: PlacementRefusal) =>
  `Inventory for '${classes}' on resource provider '${provider}' in use.`

function notWritten({ params }: PlacementCall, refused: PlacementRefusal): Problem {
  if (refused.kind === 'generation') return conflict(GENERATION, CODES.raced)
  if (refused.kind === 'claims') return claimsInTheWay(refused)
  return noProvider(params.uuid ?? '')
}
