import type { Stray } from '../audit/snapshot'
import { hostId, instanceId, providerId } from './hosts'

/** An allocation that Nova wrote on the first host. */
export const foreignStray = (set: Partial<Stray> = {}): Stray => ({
  ...{ consumer: instanceId(7), type: 'INSTANCE', provider: providerId(1), host: hostId(1) },
  ...{ resourceClass: 'PCPU', amount: 2 },
  owner: { kind: 'token', id: 't-1', name: 'nova', at: 10_000_000, request: 'req-7' },
  ...set,
})
