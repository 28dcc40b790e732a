import type { InstanceId } from '../../engine/words/ids'
import type { Answer, DriverOperation } from '../driver'
import type { HypervisorConnection } from './connection'
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
// silence is no answer. The fence is checked again before each change on a host: a server that stood still for minutes
// continues in the middle of an operation, when others have long migrated the instance elsewhere.

export interface LibvirtContext {
  readonly links: HostLinks
  readonly memory: DomainRecordStore
  /** The XML of the machine for an image; Berth sets name, size and placement. */
  machineXml(imageName: string): Promise<string | null>
  /** Ms since the epoch, from the clock that all servers share. */
  now(): number
  /** How long a guest may take to shut down before its power is cut. */
  readonly shutdownLimitMs: number
  /** Within an operation: throws once a newer one has begun. */
  readonly checkFence?: () => Promise<void>
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
export const onDriverOperation = <A>(context: LibvirtContext, driverOperation: DriverOperation, act: Act<A>) =>
  fenced(context, { ...fenceOf(driverOperation), instance: driverOperation.instance }, act)

/** The same for building, destroying and power, which have the generation of the instance as their fence. */
export const onInstance = <A>(
  context: LibvirtContext,
  { instance, fence }: Pick<DriverOperation, 'instance' | 'fence'>,
  act: Act<A>,
) => fenced(context, { instance, migration: null, fence, generation: fence }, act)

type Act<A> = (context: LibvirtContext, record: DomainRecord) => Promise<A>

class StaleFence extends Error {}

async function fenced<A>(
  context: LibvirtContext,
  { instance, ...ordered }: FenceRecord & { readonly instance: InstanceId },
  act: Act<A>,
): Promise<A | Answer> {
  const { memory } = context
  const checkFence = async () => {
    const { record } = await memory.read(instance)
    if (acceptFence(record, ordered) === null) throw new StaleFence('a newer operation has begun')
  }
  try {
    const record = await updateDomainRecord(memory, instance, (before) => acceptFence(before, ordered))
    if (record === null) return STALE
    return await act({ ...context, links: guardedLinks(context.links, checkFence), checkFence }, record)
  } catch (error) {
    if (error instanceof StaleFence) return STALE
    if (error instanceof HostSilence) return { did: 'no-answer', why: error.message, host: error.host }
    if (isRefusal(error)) return failed(error.message)
    throw error
  }
}

/** Of a connection, what changes a host. The start of a live migration is checked by its caller, which does not wait. */
const CHANGES: ReadonlySet<string | symbol> = new Set([
  ...(['define', 'undefine', 'start', 'shutdown', 'destroy', 'reboot', 'reset', 'suspend', 'resume'] as const),
  ...(['abortJob', 'setMigrationSpeed', 'setMigrationDowntime', 'startPostCopy'] as const),
  ...(['createVolume', 'deleteVolume'] as const),
] satisfies (keyof HypervisorConnection)[])

function guardedLinks(links: HostLinks, checkFence: () => Promise<void>): HostLinks {
  const guarded = (connection: HypervisorConnection) =>
    new Proxy(connection, {
      get: (target, name) => {
        const own = Reflect.get(target, name)
        if (!CHANGES.has(name)) return own
        return async (...args: unknown[]) => {
          await checkFence()
          return own.apply(target, args)
        }
      },
    })
  return { ...links, at: (host, ask) => links.at(host, (connection) => ask(guarded(connection))) }
}
