import type { HostId, InstanceId } from '../../engine/words/ids'
import { HypervisorError } from './errors'
import { type HostLinks, HostSilence } from './host-links'
import type { MemoryStatistics } from './memory-statistics'
import { pause } from './shutdown'

export interface MemoryMeasurement {
  readonly dirtyBytesPerS: number
  readonly residentBytes: number | null
}

const SAMPLE_S = 1
const LOOK_EVERY_MS = 200
const LOOKS = 50 // a busy host takes longer than the sampling itself

/** Has the hypervisor sample the memory of a running domain; otherwise says why there is no figure. */
export async function measureMemory(
  links: HostLinks,
  { host, instance }: { readonly host: HostId; readonly instance: InstanceId },
): Promise<MemoryMeasurement | { readonly why: string }> {
  const look = () => links.at(host, (connection) => connection.memoryStatistics(instance))
  try {
    await links.at(host, (connection) => connection.startDirtyRate(instance, SAMPLE_S))
    for (let nth = 0; nth < LOOKS; nth++) {
      await pause(LOOK_EVERY_MS)
      const seen: MemoryStatistics | null = await look()
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
