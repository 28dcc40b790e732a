import { type Shape, writeAllocations } from '../../../store/placement/allocation-locked'
import type { PlacementRefusal } from '../../../store/placement/refused'
import { badRequest, CODES, conflict, type Problem } from '../problem'
import { inUse } from '../provider/inventories'
import { INVENTORIES, type InventoriesBody, inventoriesOf } from '../provider/inventory-body'
import { checkedJson, Schema } from '../schema/check'
import { knownId } from '../schema/ids'
import { keyed, object, since, UUID_KEY } from '../schema/parts'
import { type Answer, nothing, type PlacementCall } from '../wire'
import { consumersOf, mustBeProviders, notAllocated } from './allocations'
import { claimsInTheWay } from './berth-claims'
import { type ConsumerBody, refuseRepeated, severalConsumers } from './body'

// Changes inventories and their allocations together, as in the conversion of a flat tree to a nested one.

const BODY = severalConsumers(0).map(([from, allocations]) => {
  const inventories = keyed(UUID_KEY, INVENTORIES, { minProperties: 1 })
  return [from, new Schema(object({ inventories, allocations }, ['inventories', 'allocations']))] as const
})

interface ReshaperBody {
  readonly inventories: Readonly<Record<string, InventoriesBody>>
  readonly allocations: Readonly<Record<string, ConsumerBody>>
}

export async function reshape(ask: PlacementCall): Promise<Answer> {
  const requested = checkedJson<ReshaperBody>(await ask.call.body(), since(ask.minor, BODY))
  const shapes = Object.entries(requested.inventories).map(([providerKey, body]): Shape => {
    const provider = knownId(providerKey)
    if (provider === null) throw unknownShape(providerKey)
    return { provider, generation: body.resource_provider_generation, inventories: inventoriesOf(body) }
  })
  refuseRepeated(
    'Resource provider',
    shapes.map(({ provider }) => provider),
  )
  const consumers = consumersOf(requested.allocations, ask.minor)
  mustBeProviders(consumers)
  const answer = await writeAllocations(ask.services.database, { consumers, shapes }, ask.writer)
  if (!answer.ok) throw notReshaped(answer.refused)
  return nothing(204)
}

const unknownShape = (provider: string | undefined) =>
  badRequest(
    `Resource provider ${provider} in inventories not found: No resource provider with uuid ${provider} found`,
    CODES.noProvider,
  )

function notReshaped(refused: PlacementRefusal): Problem {
  switch (refused.kind) {
    case 'no-shape-provider':
      return unknownShape(refused.provider)
    case 'shape-generation':
      return conflict(
        `resource provider generation conflict for provider ${refused.provider}: actual: ${refused.found}, given: ${refused.given}`,
        CODES.raced,
      )
    case 'in-use':
      return conflict(`update conflict: ${inUse(refused)}`, CODES.inventoryInUse)
    case 'claims':
      return claimsInTheWay(refused)
    default:
      return notAllocated(refused, 'malformed reshaper data:')
  }
}
