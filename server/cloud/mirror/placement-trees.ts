import type {
  CloudConsumer,
  CloudInventory,
  CloudProvider,
  Part,
  ProviderAllocation,
} from '../../engine/cloud/snapshot'
import { PCPU, VCPU } from '../../engine/words/units'
import {
  aggregatesSchema,
  type ConsumerAllocations,
  consumerAllocationsSchema,
  inventoriesSchema,
  type PlacementInventory,
  type PlacementProvider,
  type ProviderAllocations,
  providerAllocationsSchema,
  providersSchema,
  traitsSchema,
} from '../answers/placement'
import { type CloudClient, PRIORITY } from '../client'
import { inBatches, newest, partOf, unreadPart } from './parts'

// Placement's providers, and what is read below each. A provider's generation rises with every change of its inventory
// and every claim, so one list of providers shows which to read again. A release does not raise it: a listed allocation
// may be gone, and code that relies on one reads it again.

const PLACEMENT = { service: 'placement' } as const

/** A provider, and the generation at which its allocations and inventories were read; null when they were not. */
export interface MirroredProvider {
  readonly provider: CloudProvider
  readonly readAt: number | null
}

type Trees = ReadonlyMap<string, MirroredProvider>

/** `whole`: everything below each provider; otherwise only below those that changed. */
export async function readTrees(client: CloudClient, before: Trees, whole: boolean): Promise<Part<Trees>> {
  const list = await partOf(
    client.get({ ...PLACEMENT, path: '/resource_providers', answer: providersSchema }),
    ({ resource_providers }) => resource_providers,
  )
  if (!list.isRead) return list
  const trees = await inBatches(list.value, async (row) => {
    const known = whole ? undefined : before.get(row.uuid)
    return [row.uuid, await below(client, { row, listedAt: list.at, known })] as const
  })
  return { ...list, value: new Map(trees) }
}

/**
 * Its allocations alone. At another generation, the next list reads all of it again. An answer older than the known one
 * is discarded: no generation shows what was released in between.
 */
export async function rereadAllocations(
  client: CloudClient,
  { provider, readAt }: MirroredProvider,
): Promise<MirroredProvider> {
  const read = await readAllocations(client, `/resource_providers/${provider.id}`)
  if (read.isRead && read.at < (provider.allocationsReadAt ?? 0)) return { provider, readAt }
  const isSame = read.isRead && read.value.generation === readAt
  const allocations = allocationsOf(provider, unpacked(read))
  return { provider: { ...provider, ...allocations }, readAt: isSame ? readAt : null }
}

/** With its generation and allocations as they are now; null when those are not answered. */
export async function rereadProvider(client: CloudClient, provider: CloudProvider): Promise<CloudProvider | null> {
  const read = await readAllocations(client, `/resource_providers/${provider.id}`)
  return read.isRead
    ? { ...provider, generation: read.value.generation, ...allocationsOf(provider, unpacked(read)) }
    : null
}

interface ListedProvider {
  readonly row: PlacementProvider
  readonly listedAt: number
  readonly known: MirroredProvider | undefined
}

async function below(client: CloudClient, { row, listedAt, known }: ListedProvider): Promise<MirroredProvider> {
  if (known && known.readAt === row.generation) return { ...known, provider: confirmed(known.provider, row, listedAt) }
  const path = `/resource_providers/${row.uuid}`
  const kept = known && !mayShare(known.provider) ? known.provider : null
  const [allocations, inventories, traits, aggregates] = await Promise.all([
    readAllocations(client, path),
    partOf(
      client.get({ ...PLACEMENT, path: `${path}/inventories`, answer: inventoriesSchema }),
      ({ inventories, resource_provider_generation: generation }) => ({
        ...{ generation, value: inventoriesOf(inventories) },
      }),
    ),
    kept?.traits ??
      partOf(
        client.get({ ...PLACEMENT, path: `${path}/traits`, answer: traitsSchema, priority: PRIORITY.details }),
        ({ traits }) => traits,
      ),
    kept?.aggregates ??
      partOf(
        client.get({ ...PLACEMENT, path: `${path}/aggregates`, answer: aggregatesSchema, priority: PRIORITY.details }),
        ({ aggregates }) => aggregates,
      ),
  ])
  const generations = [allocations, inventories].map((part) => (part.isRead ? part.value.generation : null))
  const isOne = generations[0] === generations[1]
  const provider: CloudProvider = {
    ...treeOf(row),
    generation: Math.max(row.generation, ...generations.map((each) => each ?? 0)),
    ...allocationsOf(known?.provider, unpacked(allocations)),
    inventories: newest(known?.provider.inventories ?? unreadPart(), unpacked(inventories)),
    traits: newest(known?.provider.traits ?? unreadPart(), traits),
    aggregates: newest(known?.provider.aggregates ?? unreadPart(), aggregates),
    usages: unreadPart('not read: computed from the allocations'),
  }
  const isWhole = isOne && (!mayShare(provider) || (traits.isRead && aggregates.isRead))
  return { provider, readAt: isWhole ? (generations[0] ?? null) : null }
}

/**
 * Until its trait is read, what instances hold of shared storage looks like a second host. It has no CPUs; the traits
 * and aggregates of compute nodes are read by whole passes alone, because their generations rise with every claim.
 */
const mayShare = ({ parent, inventories }: CloudProvider): boolean =>
  parent === null && !(inventories.isRead && [VCPU, PCPU].some((name) => name in inventories.value))

const treeOf = ({ uuid, name, parent_provider_uuid: parent, root_provider_uuid: root }: PlacementProvider) => ({
  ...{ id: uuid, name: name ?? uuid, parent: parent ?? null, root: root ?? uuid },
})

/** A failed read leaves the known allocations, with their age. */
function allocationsOf(
  known: CloudProvider | undefined,
  read: CloudProvider['allocations'],
): Pick<CloudProvider, 'allocations' | 'allocationsReadAt'> {
  const allocations = newest(known?.allocations ?? unreadPart(), read)
  const allocationsReadAt = read.isRead ? read.at : known?.allocationsReadAt
  return { allocations, ...(allocationsReadAt !== undefined && { allocationsReadAt }) }
}

/** What was read at the provider's present generation is as new as the list that confirms it. */
function confirmed(provider: CloudProvider, row: PlacementProvider, at: number): CloudProvider {
  const renew = <T>(part: Part<T>): Part<T> => (part.isRead ? { ...part, at } : part)
  const { allocations, inventories } = provider
  return { ...provider, ...treeOf(row), allocations: renew(allocations), inventories: renew(inventories) }
}

const unpacked = <T>(part: Part<{ readonly value: T }>): Part<T> =>
  part.isRead ? { ...part, value: part.value.value } : part

function readAllocations(client: CloudClient, path: string) {
  const reading = client.get({ ...PLACEMENT, path: `${path}/allocations`, answer: providerAllocationsSchema })
  return partOf(reading, ({ allocations, resource_provider_generation: generation }) => ({
    ...{ generation, value: holdersOf(allocations) },
  }))
}

/** Allocations of one provider, by consumer. */
export const holdersOf = (rows: ProviderAllocations['allocations']): ReadonlyMap<string, ProviderAllocation> =>
  new Map(
    Object.entries(rows).map(([consumer, { resources, consumer_generation: generation }]) => [
      consumer,
      { resources, consumerGeneration: generation ?? null },
    ]),
  )

const THOUSAND = 1000

export const inventoriesOf = (rows: Readonly<Record<string, PlacementInventory>>) =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, inventoryOf(row)]))

const inventoryOf = (row: PlacementInventory): CloudInventory => ({
  ...{ total: row.total, reserved: row.reserved ?? 0 },
  ...{ minUnit: row.min_unit ?? 1, maxUnit: row.max_unit ?? row.total, stepSize: row.step_size ?? 1 },
  allocationRatioMilli: Math.round((row.allocation_ratio ?? 1) * THOUSAND),
})

export function readConsumer(client: CloudClient, consumer: string): Promise<Part<CloudConsumer>> {
  const path = `/allocations/${consumer}`
  const reading = client.get({ ...PLACEMENT, path, answer: consumerAllocationsSchema, priority: PRIORITY.details })
  return partOf(reading, consumerOf)
}

export const consumerOf = ({ allocations, consumer_type: type, ...of }: ConsumerAllocations): CloudConsumer => ({
  allocations: new Map(Object.entries(allocations).map(([provider, { resources }]) => [provider, resources])),
  ...{ generation: of.consumer_generation ?? null, project: of.project_id ?? null, user: of.user_id ?? null },
  ...(type && { type }),
})
