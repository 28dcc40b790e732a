import { z } from 'zod'
import type { Amounts } from '../../engine/cloud/snapshot'
import {
  aggregatesSchema,
  consumerAllocationsSchema,
  providerAllocationsSchema,
  traitsSchema,
} from '../answers/placement'
import type { CloudClient } from '../client'
import { inBatches } from '../mirror/parts'

// Everything in a Placement that can be copied to another one. Each service has its own generations.

/** As the API writes it. */
export type Inventory = Readonly<Record<(typeof INVENTORY)[number], number>>
const INVENTORY = ['total', 'reserved', 'min_unit', 'max_unit', 'step_size', 'allocation_ratio'] as const

export interface Provider {
  readonly id: string
  readonly name: string
  readonly parent: string | null
  readonly generation: number
  readonly inventories: Readonly<Record<string, Inventory>>
  /** Sorted. */
  readonly traits: readonly string[]
  readonly aggregates: readonly string[]
}

export interface Consumer {
  readonly project: string
  readonly user: string
  /** `unknown`: its writer sends none. */
  readonly type: string
  readonly generation: number | null
  /** By provider. */
  readonly allocations: Readonly<Record<string, Amounts>>
}

export interface PlacementContents {
  /** Custom ones, used or not. */
  readonly classes: ReadonlySet<string>
  readonly traits: ReadonlySet<string>
  readonly providers: ReadonlyMap<string, Provider>
  readonly consumers: ReadonlyMap<string, Consumer>
}

const PLACEMENT = { service: 'placement' } as const
const CUSTOM = 'CUSTOM_'

const providersSchema = z.looseObject({
  resource_providers: z.array(
    z.looseObject({
      ...{ uuid: z.string(), name: z.string(), generation: z.number() },
      parent_provider_uuid: z.string().nullable(),
    }),
  ),
})
const inventorySchema = z.object({
  ...{ total: z.number(), reserved: z.number(), min_unit: z.number(), max_unit: z.number() },
  ...{ step_size: z.number(), allocation_ratio: z.number() },
})
const inventoriesSchema = z.looseObject({ inventories: z.record(z.string(), inventorySchema) })
const classesSchema = z.looseObject({ resource_classes: z.array(z.looseObject({ name: z.string() })) })

/** Concurrent writes may be included in part: for a comparison nothing may write meanwhile. */
export async function readContents(client: CloudClient): Promise<PlacementContents> {
  const get = <T>(path: string, answer: z.ZodType<T>) =>
    client.get({ ...PLACEMENT, path, answer }).then(({ value }) => value)
  const [{ resource_classes: classes }, { traits }, { resource_providers: rows }] = await Promise.all([
    get('/resource_classes', classesSchema),
    get(`/traits?name=startswith:${CUSTOM}`, traitsSchema),
    get('/resource_providers', providersSchema),
  ])
  const holders = new Set<string>()
  const providers = await inBatches(rows, async ({ uuid: id, name, generation, parent_provider_uuid: parent }) => {
    const path = `/resource_providers/${id}`
    const [{ inventories }, { traits: own }, { aggregates }, { allocations }] = await Promise.all([
      get(`${path}/inventories`, inventoriesSchema),
      get(`${path}/traits`, traitsSchema),
      get(`${path}/aggregates`, aggregatesSchema),
      get(`${path}/allocations`, providerAllocationsSchema),
    ])
    for (const consumer of Object.keys(allocations)) holders.add(consumer)
    const lists = { traits: [...own].sort(), aggregates: [...aggregates].sort() }
    return [id, { ...{ id, name, parent, generation, inventories }, ...lists }] as const
  })
  const consumers = await inBatches([...holders], async (id) => {
    const read = await get(`/allocations/${id}`, consumerAllocationsSchema)
    const { project_id: project, user_id: user, consumer_type: type, consumer_generation: generation } = read
    const held = Object.entries(read.allocations).map(([provider, { resources }]) => [provider, resources] as const)
    const of = { project: project ?? '', user: user ?? '', type: type ?? UNKNOWN, generation: generation ?? null }
    return [id, { ...of, allocations: Object.fromEntries(held) }] as const
  })
  return {
    classes: new Set(classes.flatMap(({ name }) => (name.startsWith(CUSTOM) ? [name] : []))),
    traits: new Set(traits),
    providers: new Map(providers),
    // A consumer that released everything while it was read holds nothing.
    consumers: new Map(consumers.filter(([, { allocations }]) => Object.keys(allocations).length > 0)),
  }
}

export const UNKNOWN = 'unknown'
