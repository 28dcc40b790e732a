import { z } from 'zod'

// What an operator may limit of a live migration that is under way, for the dialog, the API and the driver that keeps to it.

/** The most of each. */
export const MOST = { bandwidthMibPerS: 1_000_000, maxDowntimeMs: 60_000 } as const

const figure = (most: number) => {
  const error = `expected a whole number from 1 to ${most}, or nothing`
  return z.number({ error }).int(error).min(1, error).max(most, error).nullable()
}

export const transferLimits = z.object({
  /** Null: as fast as it goes. */
  bandwidthMibPerS: figure(MOST.bandwidthMibPerS),
  /** Longest time for which the guest may stand still at the switch; null: the hypervisor's own. */
  maxDowntimeMs: figure(MOST.maxDowntimeMs),
})
export type TransferLimits = Readonly<z.infer<typeof transferLimits>>
