import type { VpmemRequest } from '../demand'
import type { DeviceRequest } from './slots'

// vPMEM: whole namespaces, told apart only by their label. Source: Nova virtual persistent memory guide (`hw:pmem`).

export const pmemResourceClass = (label: string) =>
  `CUSTOM_PMEM_NAMESPACE_${label.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_')}`

export function vpmemDeviceRequest(request: VpmemRequest): DeviceRequest {
  return {
    requestId: request.requestId,
    kind: 'vpmem',
    count: request.count,
    accepts: ({ devices: [namespace] }) =>
      namespace?.kind === 'vpmem' && namespace.resourceClass === request.resourceClass,
    policy: null,
    providers: request.providers,
  }
}

/** The labels of `hw:pmem` ("6GB,SMALL,6GB"), counted, in the order in which each first appears. */
export function vpmemRequestsOf(labels: readonly string[]): readonly VpmemRequest[] {
  const counts = new Map<string, number>()
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  return [...counts].map(([label, count]) => ({
    requestId: `hw:pmem:${label}`,
    count,
    resourceClass: pmemResourceClass(label),
  }))
}
