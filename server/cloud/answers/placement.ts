import { z } from 'zod'

// The parts of Placement's answers that Berth reads. https://docs.openstack.org/api-ref/placement/

const amounts = z.record(z.string(), z.number())

const providerSchema = z.looseObject({
  uuid: z.string(),
  name: z.string().nullish(),
  generation: z.number(),
  parent_provider_uuid: z.string().nullish(),
  root_provider_uuid: z.string().nullish(),
})
export type PlacementProvider = z.infer<typeof providerSchema>

const inventorySchema = z.looseObject({
  total: z.number(),
  reserved: z.number().nullish(),
  ...{ min_unit: z.number().nullish(), max_unit: z.number().nullish(), step_size: z.number().nullish() },
  allocation_ratio: z.number().nullish(),
})
export type PlacementInventory = z.infer<typeof inventorySchema>

export const providersSchema = z.looseObject({ resource_providers: z.array(providerSchema) })

export const inventoriesSchema = z.looseObject({
  inventories: z.record(z.string(), inventorySchema),
  resource_provider_generation: z.number(),
})

/** Consumers of one provider, with their amounts. */
export const providerAllocationsSchema = z.looseObject({
  allocations: z.record(z.string(), z.looseObject({ resources: amounts, consumer_generation: z.number().nullish() })),
  resource_provider_generation: z.number(),
})
export type ProviderAllocations = z.infer<typeof providerAllocationsSchema>

/** What one consumer holds, by provider. */
export const consumerAllocationsSchema = z.looseObject({
  allocations: z.record(z.string(), z.looseObject({ resources: amounts, generation: z.number().nullish() })),
  project_id: z.string().nullish(),
  user_id: z.string().nullish(),
  consumer_generation: z.number().nullish(),
  consumer_type: z.string().nullish(),
})
export type ConsumerAllocations = z.infer<typeof consumerAllocationsSchema>

export const traitsSchema = z.looseObject({ traits: z.array(z.string()) })
export const aggregatesSchema = z.looseObject({ aggregates: z.array(z.string()) })
