// Estimate of a live transfer before it starts. Source of the model: QEMU's pre-copy (docs/devel/migration): it copies
// all memory, then repeatedly what was dirtied meanwhile, until the rest fits into the maximum downtime. Unknown inputs
// are null, and so is everything that would have to be guessed from them.

export interface TransferAssumptions {
  readonly memoryBytes: number
  /** Copied before the memory, once; 0 if the hosts share it. */
  readonly diskBytes: number
  readonly dirtyBytesPerS: number | null
  readonly bandwidthBytesPerS: number | null
  /** The hypervisor switches once the rest fits into this. */
  readonly maxDowntimeMs: number
}

export interface TransferEstimate {
  /** From the first byte to the switch; without a dirty rate, one round over the memory. */
  readonly durationMs: number | null
  /** Upper bound. */
  readonly downtimeMs: number | null
  /** Whether it completes without being forced. */
  readonly converges: boolean | null
}

/** QEMU's default: MAX_MIGRATE_DOWNTIME in migration/options.c. */
export const DEFAULT_MAX_DOWNTIME_MS = 300

const UNKNOWN: TransferEstimate = { durationMs: null, downtimeMs: null, converges: null }
const NEVER: TransferEstimate = { durationMs: null, downtimeMs: null, converges: false }
const MAX_ROUNDS = 1_000 // each leaves less than the previous one; just below the bandwidth it does not end either

export function estimateTransfer(assumptions: TransferAssumptions): TransferEstimate {
  const { memoryBytes, diskBytes, dirtyBytesPerS, bandwidthBytesPerS, maxDowntimeMs } = assumptions
  if (bandwidthBytesPerS === null || bandwidthBytesPerS <= 0) return UNKNOWN
  const msOf = (bytes: number) => (bytes / bandwidthBytesPerS) * 1000
  if (dirtyBytesPerS === null) return { ...UNKNOWN, durationMs: Math.round(msOf(diskBytes + memoryBytes)) }
  let durationMs = msOf(diskBytes)
  let left = memoryBytes
  for (let round = 0; msOf(left) > maxDowntimeMs; round++) {
    const dirtied = Math.min(memoryBytes, (dirtyBytesPerS * msOf(left)) / 1000)
    if (dirtied >= left || round === MAX_ROUNDS) return NEVER
    durationMs += msOf(left)
    left = dirtied
  }
  return { durationMs: Math.round(durationMs + msOf(left)), downtimeMs: maxDowntimeMs, converges: true }
}
