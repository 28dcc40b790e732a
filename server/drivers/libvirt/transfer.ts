import type { TransferLimits } from '@/forms/transfer-limits'
import type { Answer, DriverOperation, TransferAnswer } from '../driver'
import {
  type DomainRecord,
  type DomainRecordStore,
  isAhead,
  type TransferRecord,
  updateDomainRecord,
} from './domain-record'
import { isActive, observeSides, silenceOf } from './observation'
import { DONE, failed, type LibvirtContext } from './operation'
import { cutPower, pressPowerButton, unlessRefused } from './shutdown'

// Starts, watches and stops the transfer of a migration that shuts the guest down. Nothing is copied: its disk is on
// storage that both hosts reach, so only the shutdown takes time.

/** The record of this migration's transfer; null while it has none. */
export const transferOf = ({ transfer }: DomainRecord, { migration }: DriverOperation): TransferRecord | null =>
  transfer?.migration === migration ? transfer : null

/** Recorded before anything is started, so that another server can continue it after a restart. */
export async function startTransfer(
  { memory, now }: LibvirtContext,
  { instance, migration, source, target }: DriverOperation,
  bandwidthMibPerS: number | null = null,
): Promise<void> {
  if (target === null) return
  await updateDomainRecord(memory, instance, (record) => ({
    ...record,
    transfer: {
      ...{ migration, source: source ?? target, target, startedAt: now() },
      ...{ stopped: false, forced: false, bandwidthMibPerS, maxDowntimeMs: null, limits: null, failure: null },
      final: null,
    },
  }))
}

export async function noteTransfer(
  { memory }: LibvirtContext,
  { instance, migration }: DriverOperation,
  change: Partial<TransferRecord>,
): Promise<void> {
  await updateDomainRecord(memory, instance, (record) =>
    record.transfer?.migration === migration ? { ...record, transfer: { ...record.transfer, ...change } } : record,
  )
}

/** How long ago it was started, in ms. A time before the clock was set back counts from now on. */
export async function ageOf(
  context: LibvirtContext,
  driverOperation: DriverOperation,
  { startedAt }: TransferRecord,
): Promise<number> {
  const now = context.now()
  if (!isAhead(startedAt, now)) return now - startedAt
  await noteTransfer(context, driverOperation, { startedAt: now })
  return 0
}

/** Applies from the next poll of the migration on, on any server. False when it has no transfer to limit. */
export async function limitTransfer(
  memory: DomainRecordStore,
  { instance, migration }: Pick<DriverOperation, 'instance' | 'migration'>,
  limits: TransferLimits,
): Promise<boolean> {
  const record = await updateDomainRecord(memory, instance, (before) =>
    before.transfer?.migration === migration && before.transfer.final === null
      ? { ...before, transfer: { ...before.transfer, limits } }
      : null,
  )
  return record !== null
}

export async function shutDownSource(
  context: LibvirtContext,
  driverOperation: DriverOperation,
  record: DomainRecord,
): Promise<TransferAnswer> {
  const sides = await observeSides(context.links, driverOperation)
  const { source, observedState } = sides
  const silent =
    silenceOf(sides, driverOperation.target) ??
    (driverOperation.reach.source ? silenceOf(sides, driverOperation.source) : undefined)
  if (silent) throw silent
  if (observedState.target === 'absent') return failed('nothing is prepared on the target')
  // If the target has the domain itself, the request to the source was carried out long ago.
  if (observedState.target !== 'shell' || driverOperation.source === null || !driverOperation.reach.source) return DONE
  if (source === null) return failed('the source has no such domain')
  if (!isActive(source)) return DONE
  const known = transferOf(record, driverOperation)
  if (known?.stopped) return failed('stopped on request')
  if (!known) await startTransfer(context, driverOperation)
  const waitedMs = known ? await ageOf(context, driverOperation, known) : 0
  if (waitedMs > context.shutdownLimitMs)
    await cutPower(context, driverOperation.source, driverOperation.instance).catch(unlessRefused) // the next poll repeats it
  else await pressPowerButton(context, driverOperation.source, driverOperation.instance)
  return { did: 'running', handedOver: false, progress: progressOfShutdown(context.now()) }
}

const progressOfShutdown = (at: number) => ({
  ...{ at: Math.round(at), totalBytes: 0, remainingBytes: 0, dirtyBytesPerS: 0, bandwidthBytesPerS: 0 },
  ...{ iteration: 1, downtimeMs: null, postCopy: false },
})

/** Does not press the power button again. The guest may still go off; a rollback then starts it. */
export async function stopShutdown(context: LibvirtContext, driverOperation: DriverOperation): Promise<Answer> {
  await noteTransfer(context, driverOperation, { stopped: true })
  return DONE
}
