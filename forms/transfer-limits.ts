import { z } from 'zod'

// Limits that an operator may set on a running live migration, for the dialog, the API and the driver that applies
// them.

/** The maximum of each. */
export const MAX_TRANSFER_LIMITS = { bandwidthMibPerS: 1_000_000, maxDowntimeMs: 60_000 } as const

const figure = (most: number) => {
  const error = `expected a whole number from 1 to ${most}, or nothing`
  return z.number({ error }).int(error).min(1, error).max(most, error).nullable()
}

export const transferLimits = z.object({
  /** Null: unlimited. */
  bandwidthMibPerS: figure(MAX_TRANSFER_LIMITS.bandwidthMibPerS),
  /** Longest pause of the instance at the switch; null: the hypervisor's default. */
  maxDowntimeMs: figure(MAX_TRANSFER_LIMITS.maxDowntimeMs),
})
export type TransferLimits = Readonly<z.infer<typeof transferLimits>>
