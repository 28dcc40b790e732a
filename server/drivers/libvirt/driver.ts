import type { HostId } from '../../engine/words/ids'
import type { Driver, Errand, Sighting, SurveyedGuest, TransferAnswer } from '../driver'
import { HostSilence } from './host-links'
import { forceLive, migrateLive, stopLive } from './live-transfer'
import { heard, remember } from './memory'
import { observedOf, observeSides, powerOf, sightOf } from './observation'
import { DONE, failed, type LibvirtContext, onErrand, onInstance } from './operation'
import { build, clean, destroy, prepare, runAt } from './place'
import { changePower } from './power'
import { shutDownSource, stopShutdown } from './transfer'

// Real hosts, spoken to through libvirt. Nothing is remembered here between two calls: what is true is read from the
// hosts, and what they cannot keep from a record that all servers share, so any server can go on where another ended.

export function libvirtDriver(context: LibvirtContext): Driver {
  const isLive = ({ operation }: Errand) => operation === 'live-migrate'
  return {
    prepare: (errand) => onErrand(context, errand, (record) => prepare(context, errand, record)),
    transfer: (errand) =>
      onErrand<TransferAnswer>(context, errand, (record) =>
        isLive(errand) ? migrateLive(context, errand, record) : shutDownSource(context, errand, record),
      ),
    stopTransfer: (errand) =>
      onErrand(context, errand, (record) =>
        isLive(errand) ? stopLive(context, errand, record) : stopShutdown(context, errand),
      ),
    forceTransfer: (errand) =>
      onErrand(context, errand, async (record) =>
        isLive(errand) ? forceLive(context, errand, record) : failed('no live transfer is active'),
      ),
    locate: (errand) => locate(context, errand),
    runAt: (errand, side) =>
      errand[side] === null ? Promise.resolve(DONE) : onErrand(context, errand, () => runAt(context, errand, side)),
    clean: (errand, side) =>
      errand[side] === null ? Promise.resolve(DONE) : onErrand(context, errand, () => clean(context, errand, side)),
    build: (guest) => onInstance(context, guest, () => build(context, guest)),
    destroy: (guest) => onInstance(context, guest, () => destroy(context, guest)),
    power: (order) => onInstance(context, order, (record) => changePower(context, order, record)),
    survey: (host) => survey(context, host),
  }
}

/** Whoever looks has been heard: an operation with an older fence comes too late from then on. */
async function locate({ links, memory }: LibvirtContext, errand: Errand): Promise<Sighting> {
  const { instance, migration, fence, guestFence } = errand
  await remember(memory, instance, (before) => heard(before, { migration, fence, generation: guestFence }) ?? before)
  return (await observeSides(links, errand)).sight
}

/** Domains that Berth did not make are left out; they are shown by the import. */
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
          return [{ instance, migration, sight: sightOf(seen), power: powerOf(domain), claim }]
        }),
      )
      return guests.flat()
    })
  } catch (error) {
    if (error instanceof HostSilence) return null
    throw error
  }
}
