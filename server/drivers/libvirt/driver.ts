import type { HostId } from '../../engine/words/ids'
import type { DomainStates, Driver, DriverOperation, SurveyedGuest, TransferAnswer } from '../driver'
import { HostSilence } from './host-links'
import { forceLive, migrateLive, stopLive } from './live-transfer'
import { acceptFence, remember } from './memory'
import { observedOf, observedStateOf, observeSides, powerOf } from './observation'
import { DONE, failed, type LibvirtContext, onDriverOperation, onInstance } from './operation'
import { build, clean, destroy, prepare, runAt } from './place'
import { changePower } from './power'
import { shutDownSource, stopShutdown } from './transfer'
import { witnessedDomains, witnessedName } from './witness'

// Real hosts, through libvirt. Nothing is kept here between two calls: state is read from the hosts, and what they
// cannot store from a record that all servers share, so any server can continue where another ended.

export function libvirtDriver(context: LibvirtContext): Driver {
  const isLive = ({ operation }: DriverOperation) => operation === 'live-migrate'
  return {
    prepare: (driverOperation) =>
      onDriverOperation(context, driverOperation, (record) => prepare(context, driverOperation, record)),
    transfer: (driverOperation) =>
      onDriverOperation<TransferAnswer>(context, driverOperation, (record) =>
        isLive(driverOperation)
          ? migrateLive(context, driverOperation, record)
          : shutDownSource(context, driverOperation, record),
      ),
    stopTransfer: (driverOperation) =>
      onDriverOperation(context, driverOperation, (record) =>
        isLive(driverOperation) ? stopLive(context, driverOperation, record) : stopShutdown(context, driverOperation),
      ),
    forceTransfer: (driverOperation) =>
      onDriverOperation(context, driverOperation, async (record) =>
        isLive(driverOperation) ? forceLive(context, driverOperation, record) : failed('no live transfer is active'),
      ),
    locate: (driverOperation) => locate(context, driverOperation),
    runAt: (driverOperation, side) =>
      driverOperation[side] === null
        ? Promise.resolve(DONE)
        : onDriverOperation(context, driverOperation, () => runAt(context, driverOperation, side)),
    clean: (driverOperation, side) =>
      driverOperation[side] === null
        ? Promise.resolve(DONE)
        : onDriverOperation(context, driverOperation, (record) => clean(context, driverOperation, { side, record })),
    build: (guest) => onInstance(context, guest, () => build(context, guest)),
    destroy: (guest) => onInstance(context, guest, () => destroy(context, guest)),
    power: (order) => onInstance(context, order, (record) => changePower(context, order, record)),
    survey: (host) => survey(context, host),
    domains: (host) => witnessedDomains(context.links, host),
    hostname: (host) => witnessedName(context.links, host),
  }
}

/** Records the caller's fence: an operation with an older one comes too late from then on. */
async function locate({ links, memory }: LibvirtContext, driverOperation: DriverOperation): Promise<DomainStates> {
  const { instance, migration, fence, guestFence } = driverOperation
  await remember(
    memory,
    instance,
    (before) => acceptFence(before, { migration, fence, generation: guestFence }) ?? before,
  )
  return (await observeSides(links, driverOperation)).observedState
}

/** Domains that Berth did not create are omitted; the import lists them. */
async function survey({ links }: LibvirtContext, host: HostId): Promise<readonly SurveyedGuest[] | null> {
  try {
    return await links.at(host, async (connection) => {
      const guests = await Promise.all(
        (await connection.domains()).map(async (domain): Promise<SurveyedGuest[]> => {
          const stored = await connection.migratableXml(domain.uuid, 'stored')
          const seen = stored === null ? null : observedOf(domain, stored)
          if (seen === null) return []
          const { tag } = seen
          const { instance, claim } = tag
          const migration = tag.settled ? null : tag.migration
          return [{ instance, migration, observedState: observedStateOf(seen), power: powerOf(domain), claim }]
        }),
      )
      return guests.flat()
    })
  } catch (error) {
    if (error instanceof HostSilence) return null
    throw error
  }
}
