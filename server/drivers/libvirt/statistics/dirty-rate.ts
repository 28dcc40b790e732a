import type { HostId, InstanceId } from '../../../engine/words/ids'
import { HypervisorError } from '../errors'
import { type HostLinks, HostSilence } from '../host-links'
import { pause } from '../shutdown'
import type { MemoryStatistics } from './memory'

export interface MemoryMeasurement {
  readonly dirtyBytesPerS: number
  readonly residentBytes: number | null
}

const SAMPLE_S = 1
const POLL_INTERVAL_MS = 200
const IN_ALL_MS = 15_000 // a busy host takes longer than the sampling itself, and a user waits for the figure

/** Samples the memory of a running domain; otherwise returns why there is no figure. */
export async function measureMemory(
  links: HostLinks,
  { host, instance }: { readonly host: HostId; readonly instance: InstanceId },
): Promise<MemoryMeasurement | { readonly why: string }> {
  const read = () => links.at(host, (connection) => connection.memoryStatistics(instance))
  try {
    const until = performance.now() + IN_ALL_MS
    await links.at(host, (connection) => connection.startDirtyRate(instance, SAMPLE_S))
    while (performance.now() < until) {
      await pause(POLL_INTERVAL_MS)
      const seen: MemoryStatistics | null = await read()
      if (seen === null) return { why: 'the host has no such domain' }
      const { dirtyRate, residentBytes } = seen
      if (typeof dirtyRate === 'object') return { dirtyBytesPerS: dirtyRate.bytesPerS, residentBytes }
    }
    return { why: 'the hypervisor has not ended its sampling yet' }
  } catch (error) {
    if (error instanceof HostSilence || error instanceof HypervisorError) return { why: error.message }
    throw error
  }
}
