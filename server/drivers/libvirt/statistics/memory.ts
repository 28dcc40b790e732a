import { figureOf, type JobFields } from './job'

// libvirt's memory statistics of a running domain. Source: libvirt-domain.h, VIR_DOMAIN_STATS_BALLOON and
// VIR_DOMAIN_STATS_DIRTYRATE.

export interface MemoryStatistics {
  /** Resident size of the process: what the guest has touched, except huge pages, and the hypervisor's own memory. */
  readonly residentBytes: number | null
  /** Result of the last sampling. */
  readonly dirtyRate: 'never' | 'sampling' | { readonly bytesPerS: number }
}

const KIB = 1024
const MIB = 1024 * KIB
/** virDomainDirtyRateStatus. */
const SAMPLING = 1
const SAMPLED = 2

export function memoryStatistics(fields: JobFields): MemoryStatistics {
  const resident = figureOf(fields, 'balloon.rss')
  const status = figureOf(fields, 'dirtyrate.calc_status')
  const rate = figureOf(fields, 'dirtyrate.megabytes_per_second')
  return {
    residentBytes: resident === null ? null : resident * KIB,
    dirtyRate:
      status === SAMPLED && rate !== null ? { bytesPerS: rate * MIB } : status === SAMPLING ? 'sampling' : 'never',
  }
}
