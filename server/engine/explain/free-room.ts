import type { Demand } from '../demand'
import type { Host } from '../host'
import { deviceRequestsOf } from '../topology/device/devices'
import { preparedOf } from '../topology/numa'
import { DISK_GB, MEMORY_MB, VCPU } from '../words/units'
import { freeOn } from './largest'

// The free amounts of a host, for comparing hosts. These are sums; only `decide` says whether an instance fits.

export interface FreeRoom {
  readonly vcpus: number
  /** Free CPUs for pinned vCPUs. */
  readonly pinnedCpus: number
  readonly memoryMib: number
  readonly diskGib: number
  /** Devices that a request of the demand accepts; null when it requests none. */
  readonly devices: number | null
  /** Huge pages of each size that the host has, ascending. */
  readonly hugePages: readonly { readonly sizeKib: number; readonly free: number }[]
}

export function freeRoom(host: Host, demand: Demand): FreeRoom {
  const { preparedNodes } = preparedOf(host)
  return {
    vcpus: freeOn(host, VCPU),
    pinnedCpus: preparedNodes.reduce((sum, { freeCpus }) => sum + freeCpus, 0),
    memoryMib: freeOn(host, MEMORY_MB),
    diskGib: freeOn(host, DISK_GB),
    devices: freeDevices(host, demand),
    hugePages: freeHugePages(host),
  }
}

function freeDevices(host: Host, demand: Demand): number | null {
  const deviceRequests = deviceRequestsOf(demand.devices)
  if (deviceRequests.length === 0) return null
  const accepted = preparedOf(host).pools.filter((pool) =>
    deviceRequests.some((deviceRequest) => deviceRequest.accepts(pool)),
  )
  return accepted.reduce((sum, { devices }) => sum + devices.length, 0)
}

/** The smallest size is ordinary pages: `memoryMib` counts it. */
function freeHugePages(host: Host): FreeRoom['hugePages'] {
  const free = new Map<number, number>()
  for (const { pageKib, freePages } of preparedOf(host).preparedNodes) {
    for (const [at, sizeKib] of pageKib.entries()) {
      if (at > 0) free.set(sizeKib, (free.get(sizeKib) ?? 0) + (freePages[at] ?? 0))
    }
  }
  return [...free].sort(([a], [b]) => a - b).map(([sizeKib, pages]) => ({ sizeKib, free: pages }))
}
