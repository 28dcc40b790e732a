import type { ConsumerWrite } from '../../../engine/ledger/allocations'
import { readConsumer, readProviderAllocations } from '../../../store/placement/allocation'
import type { PlacementRefusal } from '../../../store/placement/refused'
import { badRequest, CODES, conflict, notFound, type Problem } from '../problem'
import { checkedJson, Schema } from '../schema/check'
import { knownId, usualId } from '../schema/ids'
import { since } from '../schema/parts'
import { type Answer, document, nothing, type PlacementCall } from '../wire'
import { consumerManagedByBerth, notOnBerthsHosts } from './berth-claims'
import { type ConsumerBody, consumerOf, ONE_CONSUMER, refuseRepeated, severalConsumers } from './body'

const OWNERS_FROM = 12
const GUARDED_FROM = 28
const TYPES_FROM = 38
const SEVERAL = severalConsumers(1).map(([from, source]) => [from, new Schema(source)] as const)

export async function showConsumer(ask: PlacementCall): Promise<Answer> {
  const id = knownId(ask.params.consumer_uuid ?? '')
  const found = id && (await readConsumer(ask.services.database, id))
  if (!found) return document(ask, { allocations: {} })
  const { held, project, user, generation, type } = found
  return document(ask, {
    allocations: Object.fromEntries(
      held.map(({ provider, resources, generation: of }) => [provider, { resources, generation: of }]),
    ),
    ...(ask.minor >= OWNERS_FROM && { project_id: project, user_id: user }),
    ...(ask.minor >= GUARDED_FROM && { consumer_generation: generation }),
    ...(ask.minor >= TYPES_FROM && { consumer_type: type }),
  })
}

export async function showProviderAllocations(ask: PlacementCall): Promise<Answer> {
  const { uuid = '' } = ask.params
  const id = knownId(uuid)
  const found = id && (await readProviderAllocations(ask.services.database, id))
  if (!found) {
    throw notFound(`Resource provider '${uuid}' not found: No resource provider with uuid ${uuid} found`)
  }
  return document(ask, {
    allocations: Object.fromEntries(
      found.consumers.map(({ consumer, resources, generation }) => [
        consumer,
        { resources, ...(ask.minor >= GUARDED_FROM && { consumer_generation: generation }) },
      ]),
    ),
    resource_provider_generation: found.generation,
  })
}

export async function putConsumer(ask: PlacementCall): Promise<Answer> {
  const { consumer_uuid: requestedId = '' } = ask.params
  const id = usualId(requestedId)
  if (id === null) throw badRequest(`Malformed consumer_uuid: ${requestedId}`)
  const body = checkedJson<ConsumerBody>(await ask.call.body(), since(ask.minor, ONE_CONSUMER))
  await write(ask, [consumerOf(id, body, ask.minor)], `Unable to allocate inventory for consumer ${id}:`)
  return nothing(204)
}

export async function postConsumers(ask: PlacementCall): Promise<Answer> {
  const body = checkedJson<Record<string, ConsumerBody>>(await ask.call.body(), since(ask.minor, SEVERAL))
  await write(ask, consumersOf(body, ask.minor), 'Unable to allocate inventory')
  return nothing(204)
}

export function consumersOf(body: Readonly<Record<string, ConsumerBody>>, minor: number): ConsumerWrite[] {
  const consumers = Object.entries(body).map(([named, each]) => {
    const id = knownId(named)
    if (id === null) throw badRequest(`Malformed consumer_uuid: ${named}`)
    return consumerOf(id, each, minor)
  })
  refuseRepeated(
    'Consumer',
    consumers.map(({ id }) => id),
  )
  return consumers
}

async function write(ask: PlacementCall, consumers: readonly ConsumerWrite[], lead: string): Promise<void> {
  mustBeProviders(consumers)
  const answer = await ask.services.allocations.write(consumers, ask.writer)
  if (!answer.ok) throw notAllocated(answer.refused, lead)
}

/** A malformed uuid names no provider. */
export function mustBeProviders(consumers: readonly ConsumerWrite[]): void {
  let known = ''
  for (const { amounts } of consumers) {
    for (const { provider } of amounts) {
      if (provider === known) continue
      if (knownId(provider) === null) throw unknownProvider(provider)
      known = provider
    }
  }
}

const unknownProvider = (provider: string | undefined) =>
  badRequest(`Allocation for resource provider '${provider}' that does not exist.`)

/** A concurrent update has its own error code; lack of capacity has none. */
export function notAllocated(refused: PlacementRefusal, lead: string): Problem {
  const { kind, class: of, provider, found, given } = refused
  const unable = 'Unable to allocate inventory:'
  switch (kind) {
    case 'consumer-generation': {
      const expected = found === null ? 'expected null' : `expected ${found}`
      return conflict(`consumer generation conflict - ${expected} but got ${given ?? 'None'}`, CODES.raced)
    }
    case 'no-provider':
      return unknownProvider(provider)
    case 'no-class':
      return badRequest(`${lead} No such resource class ${of}.`)
    case 'full':
      return conflict(
        `${unable} Unable to create allocation for '${of}' on resource provider '${provider}'. The requested amount would exceed the capacity.`,
      )
    case 'shape':
      return conflict(
        `${unable} Unable to create allocation for '${of}' on resource provider '${provider}'. The requested amount would violate inventory constraints.`,
      )
    case 'driven':
      return consumerManagedByBerth(refused)
    case 'berth-host':
      return notOnBerthsHosts(refused)
    default:
      return conflict(`${unable} Inventory for '${of}' on resource provider '${provider}' invalid.`)
  }
}

export async function removeConsumer(ask: PlacementCall): Promise<Answer> {
  const { consumer_uuid: requestedId = '' } = ask.params
  const id = knownId(requestedId)
  const answer = id && (await ask.services.allocations.release(id, ask.writer))
  if (!answer) throw notFound(`No allocations for consumer '${requestedId}'`)
  if (answer.ok) return nothing(204)
  if (answer.refused.kind === 'driven') throw consumerManagedByBerth(answer.refused)
  throw notFound(`No allocations for consumer '${requestedId}'`)
}
