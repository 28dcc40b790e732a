/**
 * How a host accounts for memory. exact: each NUMA node accounts for ordinary and huge pages apart, so nothing is promised
 * twice. nova: as Nova does, where guests in ordinary pages may be promised memory that huge-page pools keep.
 */
export const MEMORY_POLICIES = ['exact', 'nova'] as const
export type MemoryPolicy = (typeof MEMORY_POLICIES)[number]
