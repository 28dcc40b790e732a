import { counted } from '../../ledger/grouped'
import { pmemLabels } from '../constraint/rules'
import type { DeviceQuestion, DeviceRequest } from './slots'

// vPMEM: whole namespaces, distinguished only by their label. Source: Nova virtual persistent memory guide (`hw:pmem`).

/** Persistent memory namespaces of one label (Nova `hw:pmem`), counted. */
export interface VpmemRequest {
  readonly kind: 'vpmem'
  readonly requestId: string
  readonly count: number
  /** CUSTOM_PMEM_NAMESPACE_<LABEL> */
  readonly resourceClass: string
  /** One Placement provider per namespace, when Placement has chosen. */
  readonly providers?: readonly string[]
}

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
export function vpmemRequestsOf({ flavor }: Pick<DeviceQuestion, 'flavor'>): readonly VpmemRequest[] {
  return [...counted(pmemLabels(flavor))].map(([label, count]) => ({
    kind: 'vpmem',
    requestId: `hw:pmem:${label}`,
    count,
    resourceClass: pmemResourceClass(label),
  }))
}
