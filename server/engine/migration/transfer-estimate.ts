// Predicts a live transfer before its start. Source of the model: QEMU's pre-copy (docs/devel/migration): it copies all
// memory, then what was dirtied meanwhile, repeatedly, until the rest can be copied within the maximum downtime.
// Unknown values are null, and so is what depends on them.

export interface TransferPremises {
  readonly memoryBytes: number
  /** Copied before the memory, once; 0 where the hosts share it. */
  readonly diskBytes: number
  readonly dirtyBytesPerS: number | null
  readonly bandwidthBytesPerS: number | null
  /** The hypervisor switches once the rest fits into this. */
  readonly maxDowntimeMs: number
}

export interface TransferEstimate {
  /** From the first byte to the switch; without a dirty rate, of one round over the memory. */
  readonly durationMs: number | null
  /** At the most. */
  readonly downtimeMs: number | null
  /** Whether it ends without being forced. */
  readonly converges: boolean | null
}

/** QEMU's default: MAX_MIGRATE_DOWNTIME in migration/options.c. */
export const USUAL_MAX_DOWNTIME_MS = 300

const UNKNOWN: TransferEstimate = { durationMs: null, downtimeMs: null, converges: null }
const NEVER: TransferEstimate = { durationMs: null, downtimeMs: null, converges: false }
const MOST_ROUNDS = 1_000 // each leaves less than the one before; a hair below the bandwidth is no end either

export function estimateTransfer(premises: TransferPremises): TransferEstimate {
  const { memoryBytes, diskBytes, dirtyBytesPerS, bandwidthBytesPerS, maxDowntimeMs } = premises
  if (bandwidthBytesPerS === null || bandwidthBytesPerS <= 0) return UNKNOWN
  const msOf = (bytes: number) => (bytes / bandwidthBytesPerS) * 1000
  if (dirtyBytesPerS === null) return { ...UNKNOWN, durationMs: Math.round(msOf(diskBytes + memoryBytes)) }
  let durationMs = msOf(diskBytes)
  let left = memoryBytes
  for (let round = 0; msOf(left) > maxDowntimeMs; round++) {
    const dirtied = Math.min(memoryBytes, (dirtyBytesPerS * msOf(left)) / 1000)
    if (dirtied >= left || round === MOST_ROUNDS) return NEVER
    durationMs += msOf(left)
    left = dirtied
  }
  return { durationMs: Math.round(durationMs + msOf(left)), downtimeMs: maxDowntimeMs, converges: true }
}
