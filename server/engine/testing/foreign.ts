import type { AllocationSwap, StrayAllocation } from '../audit/snapshot'
import { hostId, instanceId, providerId } from './hosts'

/** An allocation that Nova wrote on the first host. */
export const foreignStray = (set: Partial<StrayAllocation> = {}): StrayAllocation => ({
  ...{ consumer: instanceId(7), type: 'INSTANCE', provider: providerId(1), host: hostId(1) },
  ...{ resourceClass: 'PCPU', amount: 2 },
  owner: { kind: 'token', id: 't-1', name: 'nova', at: 10_000_000, request: 'req-7' },
  ...set,
})

/** A migration that Nova makes between two trees of its own. */
export const foreignSwap = (set: Partial<AllocationSwap> = {}): AllocationSwap => ({
  ...{ migration: instanceId(8), instance: instanceId(7), at: 0 },
  owner: { kind: 'token', id: 't-1', name: 'nova', at: 10_000_000, request: 'req-8' },
  heldByMigration: [{ tree: 'cmp-1', host: null, resourceClass: 'VCPU', amount: 2 }],
  heldByInstance: [{ tree: 'cmp-2', host: null, resourceClass: 'VCPU', amount: 2 }],
  ...set,
})
