/**
 * How a host accounts for memory. exact: each NUMA node accounts for ordinary and huge pages separately, so nothing is
 * claimed twice. nova: as Nova does, where instances in ordinary pages may claim memory of huge-page pools.
 */
export const MEMORY_POLICIES = ['exact', 'nova'] as const
export type MemoryPolicy = (typeof MEMORY_POLICIES)[number]
