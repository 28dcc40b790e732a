import type { TransferEstimateView } from '@/server/api/migration/transfer-estimate'
import { bytes, duration, plural, rate } from '../ui/format'

// Estimates for the transfer of a live migration, in the drawer that starts it and beside the measurements.

export const transferEstimateWords = {
  title: 'Transfer estimate',
  duration: 'Duration',
  downtime: 'Downtime',
  memory: 'Memory',
  disk: 'Disk',
  dirty: 'Dirty rate',
  bandwidth: 'Bandwidth',
  measure: 'Measure memory',
  measureHelp: 'The hypervisor samples the memory for one second; the instance runs on.',
  notMeasured: 'The measurement',
  measured: 'Memory measured',
  measuredAt: 'measured',
  notConverging: 'It would not converge: the instance dirties memory as fast as it is copied.',
  untouched: 'Memory that the instance never touched is not copied.',
} as const

export interface EstimateText {
  /** Undefined if unknown. */
  readonly text: string | undefined
  readonly needs?: string
}

const LARGE_NODES = 'NUMA nodes of 128 MiB or more; QEMU samples no smaller ones'
const MEASUREMENT = 'a memory measurement'
const LINK = 'a bandwidth limit, or an earlier migration between these hosts'

/** An unknown figure says what it would take to know it. */
export const estimateTexts = {
  duration({ durationMs, converges, bandwidthBytesPerS, diskBytes }: TransferEstimateView): EstimateText {
    if (durationMs !== null)
      return {
        text: converges
          ? `up to about ${duration(durationMs)}`
          : `${duration(durationMs)} for ${diskBytes > 0 ? 'the disk and one' : 'each'} round over the memory`,
      }
    return converges === false
      ? { text: 'no end' }
      : { text: undefined, ...(bandwidthBytesPerS === null && { needs: LINK }) }
  },
  downtime({
    downtimeMs,
    converges,
    downtimeFrom,
    bandwidthBytesPerS,
    measuredAt,
  }: TransferEstimateView): EstimateText {
    if (downtimeMs !== null)
      return { text: `up to ${duration(downtimeMs)} (${downtimeFrom === 'limit' ? 'limit' : 'set by the hypervisor'})` }
    if (converges === false) return { text: 'depends on how it is forced' }
    return {
      text: undefined,
      needs: bandwidthBytesPerS === null ? LINK : measuredAt === null ? MEASUREMENT : LARGE_NODES,
    }
  },
  memory: ({ memoryBytes, memoryFrom }: TransferEstimateView): EstimateText => ({
    text: `${bytes(memoryBytes)} ${memoryFrom === 'measured' ? 'touched at most' : 'by the flavor'}`,
  }),
  disk: ({ diskBytes }: TransferEstimateView): EstimateText => ({
    text: diskBytes > 0 ? `${bytes(diskBytes)} at the host itself` : 'none to copy',
  }),
  dirty({ dirtyBytesPerS, measuredAt }: TransferEstimateView): EstimateText {
    if (dirtyBytesPerS !== null) return { text: rate(dirtyBytesPerS) }
    return { text: undefined, needs: measuredAt === null ? MEASUREMENT : LARGE_NODES }
  },
  bandwidth({ bandwidthBytesPerS, bandwidthFrom }: TransferEstimateView): EstimateText {
    if (bandwidthBytesPerS === null || bandwidthFrom === null) return { text: undefined, needs: LINK }
    const from =
      bandwidthFrom === 'limit' ? 'limit' : `${plural(bandwidthFrom.migrations, 'migration')} between these hosts`
    return { text: `${rate(bandwidthBytesPerS)} (${from})` }
  },
} as const
