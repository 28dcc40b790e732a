import type { DriverOperation } from '../driver'
import { HypervisorError } from './errors'
import type { JobStatistics } from './job-statistics'
import type { TransferRecord } from './memory'
import type { LibvirtContext } from './operation'
import { noteTransfer } from './transfer'

// What the policy of a live migration asks for while it runs. libvirt takes the longest downtime of a migration that is
// under way only, and post-copy is started by whoever watches: each is done by the look that finds it due, on whichever
// server that is.

export interface Watched {
  readonly job: JobStatistics
  /** Null when it was not written down: somebody else started it. */
  readonly known: TransferRecord | null
}

export async function keepToPolicy(
  context: LibvirtContext,
  driverOperation: DriverOperation,
  { job, known }: Watched,
): Promise<void> {
  const { source, target, instance } = driverOperation
  if (source === null || target === null || known === null || known.stopped) return
  const { policy } = await context.links.hostOf(target)
  const { maxDowntimeMs, postCopyAfterRounds } = policy
  if (maxDowntimeMs !== null && known.maxDowntimeMs !== maxDowntimeMs) {
    const set = context.links.at(source, (connection) => connection.setMigrationDowntime(instance, maxDowntimeMs))
    if (await isTaken(set)) await noteTransfer(context, driverOperation, { maxDowntimeMs })
  }
  const rounds = (job.iteration ?? 1) - 1
  if (postCopyAfterRounds === null || rounds < postCopyAfterRounds || known.forced) return
  const started = context.links.at(source, (connection) => connection.startPostCopy(instance))
  if (await isTaken(started)) await noteTransfer(context, driverOperation, { forced: true })
}

/** Refused when the migration is just beginning or just ending; the next look finds out. */
async function isTaken(asked: Promise<void>): Promise<boolean> {
  try {
    await asked
    return true
  } catch (error) {
    if (error instanceof HypervisorError && error.kind === 'refused') return false
    throw error
  }
}
