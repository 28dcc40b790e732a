import type { InstanceId } from '../../engine/words/ids'
import type { Answer, DriverOperation } from '../driver'
import {
  acceptFence,
  type DomainRecord,
  type DomainRecordStore,
  type FenceRecord,
  updateDomainRecord,
} from './domain-record'
import { isRefusal } from './errors'
import { type HostLinks, HostSilence } from './host-links'

// The frame of every operation: an older fence is refused, a refusal by libvirt is a failure with its message, and
// silence is no answer.

export interface LibvirtContext {
  readonly links: HostLinks
  readonly memory: DomainRecordStore
  /** The XML of the machine for an image; Berth sets name, size and placement. */
  machineXml(imageName: string): Promise<string | null>
  /** Ms since the epoch, from the clock that all servers share. */
  now(): number
  /** How long a guest may take to shut down before its power is cut. */
  readonly shutdownLimitMs: number
}

export const DONE = { did: 'done' } as const satisfies Answer
export const failed = (why: string) => ({ did: 'failed', why }) as const satisfies Answer
const STALE = { did: 'stale-fence' } as const satisfies Answer

export const fenceOf = ({ migration, fence, instanceFence }: DriverOperation): FenceRecord => ({
  migration,
  fence,
  generation: instanceFence,
})

/** Runs `act` unless a newer fence of the migration was recorded. */
export const onDriverOperation = <A>(
  context: LibvirtContext,
  driverOperation: DriverOperation,
  act: (record: DomainRecord) => Promise<A>,
) => fenced(context, { ...fenceOf(driverOperation), instance: driverOperation.instance }, act)

/** The same for building, destroying and power, which have the generation of the instance as their fence. */
export const onInstance = <A>(
  context: LibvirtContext,
  { instance, fence }: Pick<DriverOperation, 'instance' | 'fence'>,
  act: (record: DomainRecord) => Promise<A>,
) => fenced(context, { instance, migration: null, fence, generation: fence }, act)

async function fenced<A>(
  { memory }: LibvirtContext,
  { instance, ...ordered }: FenceRecord & { readonly instance: InstanceId },
  act: (record: DomainRecord) => Promise<A>,
): Promise<A | Answer> {
  try {
    const record = await updateDomainRecord(memory, instance, (before) => acceptFence(before, ordered))
    return record === null ? STALE : await act(record)
  } catch (error) {
    if (error instanceof HostSilence) return { did: 'no-answer', why: error.message, host: error.host }
    if (isRefusal(error)) return failed(error.message)
    throw error
  }
}
