import type { Answer, DriverOperation } from '../driver'
import { HypervisorError } from './errors'
import { type HostLinks, HostSilence } from './host-links'
import { acceptFence, type DomainMemory, type DomainRecord, remember } from './memory'

// The frame of every operation: an older fence is refused, a refusal by libvirt is a failure with its message, and
// silence is no answer.

export interface LibvirtContext {
  readonly links: HostLinks
  readonly memory: DomainMemory
  /** The XML of the machine for an image; Berth sets name, size and placement. */
  machineXml(imageName: string): Promise<string | null>
  /** Ms since the epoch, from the clock that all servers share. */
  now(): number
  /** How long a guest may take to shut down before its power is cut. */
  readonly shutdownLimitMs: number
}

export const DONE = { did: 'done' } as const satisfies Answer
export const failed = (why: string) => ({ did: 'failed', why }) as const satisfies Answer
export const STALE = { did: 'stale-fence' } as const satisfies Answer

/** Runs `act` unless a newer fence of the migration was recorded. */
export async function onDriverOperation<A>(
  context: LibvirtContext,
  { instance, migration, fence, guestFence }: DriverOperation,
  act: (record: DomainRecord) => Promise<A>,
): Promise<A | Answer> {
  return answered(async () => {
    const record = await remember(context.memory, instance, (before) =>
      acceptFence(before, { migration, fence, generation: guestFence }),
    )
    return record === null ? STALE : act(record)
  })
}

type LifecycleOrder = Pick<DriverOperation, 'instance' | 'fence'>

/** The same for building, destroying and power, which have the generation of the instance as their fence. */
export async function onInstance<A>(
  context: LibvirtContext,
  { instance, fence }: LifecycleOrder,
  act: (record: DomainRecord) => Promise<A>,
): Promise<A | Answer> {
  return answered(async () => {
    const record = await remember(context.memory, instance, (before) =>
      acceptFence(before, { migration: null, fence, generation: fence }),
    )
    return record === null ? STALE : act(record)
  })
}

async function answered<A>(act: () => Promise<A>): Promise<A | Answer> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof HostSilence) return { did: 'no-answer', why: error.message, host: error.host }
    if (error instanceof HypervisorError && error.kind === 'refused') return failed(error.message)
    throw error
  }
}
