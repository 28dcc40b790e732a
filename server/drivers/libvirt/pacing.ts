import type { DriverOperation } from '../driver'
import type { DomainControl } from './control'
import type { TransferRecord } from './domain-record'
import { isRefusal } from './errors'
import type { LibvirtContext } from './operation'
import { POLICY_LIMITS } from './policy'
import type { JobStatistics } from './statistics/job'
import { noteTransfer } from './transfer'

// Applies the policy of a live migration while it runs. libvirt accepts the maximum downtime only during a migration,
// and the client has to start post-copy: each is done by the poll that finds it due, on any server. A policy changed
// meanwhile applies from the next poll on, and settings for the migration alone override it.

export interface ObservedTransfer {
  readonly job: JobStatistics
  /** Null when it was not recorded: another program started it. */
  readonly known: TransferRecord | null
}

export async function applyTransferPolicy(
  context: LibvirtContext,
  driverOperation: DriverOperation,
  { job, known }: ObservedTransfer,
): Promise<void> {
  const { source, target, instance } = driverOperation
  if (source === null || target === null || known === null || known.stopped) return
  const { policy } = await context.links.hostOf(target)
  const { bandwidthMibPerS, maxDowntimeMs } = known.limits ?? policy
  const change = async (note: Partial<TransferRecord>, set: (control: DomainControl) => Promise<void>) => {
    if (await isTaken(context.links.at(source, set))) await noteTransfer(context, driverOperation, note)
  }
  if (bandwidthMibPerS !== known.bandwidthMibPerS)
    await change({ bandwidthMibPerS }, (control) =>
      control.setMigrationSpeed(instance, bandwidthMibPerS ?? POLICY_LIMITS.bandwidthMibPerS),
    )
  if (maxDowntimeMs !== null && maxDowntimeMs !== known.maxDowntimeMs)
    await change({ maxDowntimeMs }, (control) => control.setMigrationDowntime(instance, maxDowntimeMs))
  const rounds = (job.iteration ?? 1) - 1
  if (policy.postCopyAfterRounds === null || rounds < policy.postCopyAfterRounds || known.forced) return
  await change({ forced: true }, (control) => control.startPostCopy(instance))
}

/** Refused when the migration is just beginning or ending; the next poll shows which. */
const isTaken = (asked: Promise<void>): Promise<boolean> =>
  asked.then(
    () => true,
    (error: unknown) => {
      if (isRefusal(error)) return false
      throw error
    },
  )
