import type { Side } from '../../engine/migration/state'
import type { HostId, InstanceId } from '../../engine/words/ids'
import { otherSide } from '../../engine/words/side'
import type { Answer, BuildOrder, DestroyOrder, DriverOperation } from '../driver'
import { define, machineOf, newDomain, preparedDomain, retag } from './definition'
import { type DomainRecord, updateDomainRecord } from './domain-record'
import { isRefusal } from './errors'
import { HostSilence } from './host-links'
import {
  catchSilence,
  find,
  hasGuest,
  isActive,
  isArriving,
  type ObservedDomain,
  type ObservedSides,
  observe,
  observedStateOf,
  observeSides,
  silenceOf,
  UntaggedDomain,
} from './observation'
import { DONE, failed, type LibvirtContext } from './operation'
import { cutPower, turnOff } from './shutdown'
import { deleteVolumes, leftVolumes, ownDiskOf, withNewDisk } from './storage/disks'
import { cleanCopy, cleanDisk } from './storage/leftovers'
import { withRootDisk } from './xml/root-disk'
import type { XmlElement } from './xml/tree'

// Creates, starts and removes domains on hosts. Each operation observes first and does what is missing, so repeating it
// is harmless; and none touches a domain that is foreign, or of another migration.

/** The domain is defined at the target, with the pins of the claim there. */
export async function prepare(
  context: LibvirtContext,
  driverOperation: DriverOperation,
  record: DomainRecord,
): Promise<Answer> {
  const { target, operation } = driverOperation
  if (target === null) return failed('a migration without a target cannot be prepared')
  if (operation === 'unshelve') return failed('an unshelve is not available on libvirt hosts yet')
  const sides = await observeSides(context.links, driverOperation)
  if (sides.target) return DONE
  if (target !== driverOperation.source) {
    const { found } = await find(context.links, target, driverOperation.instance)
    if (found !== null) return failed('the target still has a domain of that id')
  }
  const silent = sides.silent.find(
    ({ host }) => host === target || (host === driverOperation.source && driverOperation.reach.source),
  )
  if (silent) throw silent
  const unfit = sourceUnfit(driverOperation, sides)
  if (unfit !== null) return failed(unfit)
  const before = sides.source?.storedXml ?? record.xml
  if (before === null) return failed('Berth has no definition of the domain')
  const made = await preparedDomain(context, driverOperation, before)
  if (!made.ok) return failed(made.why)
  const kept = driverOperation.source === target ? before : null
  const { instance, migration, claim } = driverOperation
  const tag = { instance, migration, settled: false, role: 'shell', claim: claim.target, kept } as const
  await define(context, target, { domain: made.domain, tag })
  return DONE
}

function sourceUnfit({ source, reach, operation }: DriverOperation, { observedState }: ObservedSides): string | null {
  if (source === null || !reach.source) return null
  if (observedState.source === 'absent') return 'the source has no such domain'
  return operation === 'live-migrate' && observedState.source !== 'running'
    ? 'the domain does not run on the source'
    : null
}

/** The domain runs (or, when it was stopped, is defined) at that side and nowhere else. */
export async function runAt(context: LibvirtContext, driverOperation: DriverOperation, side: Side): Promise<Answer> {
  const sides = await observeSides(context.links, driverOperation)
  const observedState = sides.observedState[side]
  const host = driverOperation[side]
  const domain = sides[side]
  if (observedState === 'silent') throw silenceOf(sides, host) ?? sides.silent[0]
  if (host === null || domain === null || observedState === 'absent') return failed(`the ${side} has no such domain`)
  if (observedState === 'left') return failed('the domain was switched to the other host: the copy here is stale')
  if (driverOperation.source === driverOperation.target)
    return runOnSameHost(context, driverOperation, { host, domain, side, observedState })
  if (driverOperation.operation === 'live-migrate' && observedState === 'shell' && side === 'target')
    return failed('the target does not have everything that the domain needs')
  const other = otherSide(side)
  const otherHost = driverOperation[other]
  if (sides.observedState[other] === 'silent' && driverOperation.reach[other]) throw silenceOf(sides, otherHost)
  const there = sides[other]
  if (there && otherHost !== null && sides.observedState[other] === 'running') await turnOff(context, otherHost, there)
  if (domain.tag.role === 'shell') await retag(context, host, { domain, role: 'instance' })
  return ensureStanding(context, host, { domain, running: driverOperation.wasRunning })
}

interface DesiredDomain {
  readonly domain: ObservedDomain
  readonly running: boolean
}

async function ensureStanding(
  context: LibvirtContext,
  host: HostId,
  { domain, running }: DesiredDomain,
): Promise<Answer> {
  const { instance } = domain.tag
  await updateDomainRecord(context.memory, instance, (record) =>
    record.home === host ? record : { ...record, home: host },
  )
  if (running && !isActive(domain)) await start(context, host, domain)
  if (!running && isActive(domain)) await turnOff(context, host, domain)
  return DONE
}

/** libvirt keeps a crashed domain as it died, and it must be removed before it can be started. */
export async function start({ links, memory, now }: LibvirtContext, host: HostId, domain: ObservedDomain) {
  const { instance } = domain.tag
  await links.at(host, async (connection) => {
    if (domain.state === 'crashed') await connection.destroy(instance)
    await connection.start(instance)
  })
  await updateDomainRecord(memory, instance, (record) => ({ ...record, startedAt: now(), home: host }))
}

/** There is one definition: that of the side where the domain is to run replaces the other. */
async function runOnSameHost(
  context: LibvirtContext,
  driverOperation: DriverOperation,
  { host, domain, side, observedState }: { host: HostId; domain: ObservedDomain; side: Side; observedState: string },
): Promise<Answer> {
  if (side === 'target' && observedState === 'shell') {
    if (isActive(domain)) return failed('the target does not have everything that the domain needs')
    await retag(context, host, { domain, role: 'instance' })
  }
  const { kept, migration, role } = domain.tag
  if (side === 'target' || migration !== driverOperation.migration || kept === null)
    return ensureStanding(context, host, { domain, running: driverOperation.wasRunning })
  // The target's shape runs: it must be off before the source's replaces it.
  const shapeRuns = role === 'instance' && isActive(domain)
  if (shapeRuns) await turnOff(context, host, domain)
  await restoreDefinition(context, host, domain)
  const restored = await observe(context.links, host, driverOperation.instance)
  if (!restored) return failed('the source has no such domain')
  return ensureStanding(context, host, { domain: restored, running: driverOperation.wasRunning })
}

async function restoreDefinition({ links, memory }: LibvirtContext, host: HostId, { tag }: ObservedDomain) {
  const { kept: xml, instance } = tag
  if (xml === null) return
  await updateDomainRecord(memory, instance, (record) => ({ ...record, xml }))
  await links.at(host, (connection) => connection.define(xml))
}

/** Removes everything of the migration at that side, and marks the other side as settled. */
export async function clean(
  context: LibvirtContext,
  driverOperation: DriverOperation,
  { side, record }: { readonly side: Side; readonly record: DomainRecord },
): Promise<Answer> {
  const sides = await observeSides(context.links, driverOperation)
  const host = driverOperation[side]
  if (sides.observedState[side] === 'silent') {
    const silence = silenceOf(sides, host) ?? sides.silent[0]
    if (silence instanceof UntaggedDomain) return failed(silence.message)
    throw silence
  }
  const domain = sides[side]
  if (driverOperation.source === driverOperation.target)
    return cleanOnSameHost(context, driverOperation, { side, domain: sides.source })
  if (domain && host !== null) {
    const isLast =
      isLastOne(driverOperation, sides, side) && !(await standsElsewhere(context, record, { host, domain }))
    if (isLast) return failed('it is the only copy of the domain')
    await remove(context, host, domain)
  }
  if (host !== null)
    await (side === 'source' ? cleanDisk : cleanCopy)(context, driverOperation, { host, sides, record })
  const other = otherSide(side)
  const otherHost = driverOperation[other]
  const there = sides[other]
  if (there && otherHost !== null && !there.tag.settled && there.tag.role === 'instance')
    await retag(context, otherHost, { domain: there, settled: true, claim: driverOperation.claim[other] })
  return DONE
}

async function cleanOnSameHost(
  context: LibvirtContext,
  driverOperation: DriverOperation,
  { side, domain }: { readonly side: Side; readonly domain: ObservedDomain | null },
): Promise<Answer> {
  const { source: host, instance } = driverOperation
  if (domain === null || host === null) return DONE
  if (domain.tag.migration === driverOperation.migration) {
    if (side === 'source') {
      if (domain.tag.role === 'shell') return failed('it is the only copy of the domain')
      await retag(context, host, { domain, settled: true, kept: null })
    } else {
      if (domain.tag.role === 'instance' && (isActive(domain) || domain.tag.kept === null))
        return failed('it is the only copy of the domain')
      await restoreDefinition(context, host, domain)
    }
  }
  const now = await observe(context.links, host, instance)
  if (now === null || now.tag.kept !== null) return DONE // each of its two definitions has a disk
  const left = await leftVolumes(context.links, host, { instance, keep: [now.stored], had: [domain.stored] })
  await deleteVolumes(context.links, host, left)
  return DONE
}

/** The last copy of an instance is never wiped, whatever the records say. */
function isLastOne({ source }: DriverOperation, { observedState }: ObservedSides, side: Side): boolean {
  const [here, there] = [observedState[side], observedState[otherSide(side)]]
  if (!hasGuest(here)) return false
  if (source === null) return here === 'running'
  return here === 'running' ? there !== 'running' : !hasGuest(there)
}

/** Leftovers of an evacuation on a returned host: its other side, no longer queried, may have passed it on. */
async function standsElsewhere(
  { links }: LibvirtContext,
  { home, instance }: DomainRecord,
  { host, domain }: { readonly host: HostId; readonly domain: ObservedDomain },
): Promise<boolean> {
  if (home === null || home === host) return false
  const there = await observe(links, home, instance)
  if (there === null) return false
  return isActive(domain) ? isActive(there) && !isArriving(there) : hasGuest(observedStateOf(there))
}

/** Removes power and definition. The caller handles the disk, because it knows where it is. */
async function remove(context: LibvirtContext, host: HostId, domain: ObservedDomain): Promise<void> {
  const { instance } = domain.tag
  if (isActive(domain)) await cutPower(context, host, instance)
  const left = await observe(context.links, host, instance)
  if (left) await context.links.at(host, (connection) => connection.undefine(instance))
}

/** Creates and starts a new domain; a repeated call returns the same. */
export async function build(context: LibvirtContext, order: BuildOrder): Promise<Answer> {
  const { instance, host, claim } = order
  const { found, observed: here } = await find(context.links, host, instance)
  if (here && observedStateOf(here) === 'running') return DONE
  if (!here && found !== null) return failed('the host has a domain of that id that Berth did not create')
  const machine = await machineOf(context, order.image.name)
  const shaped = machine.ok ? newDomain(machine.domain, order) : machine
  if (!shaped.ok) return failed(shaped.why)
  const disk = here && ownDiskOf(here.stored, instance)
  const made = disk
    ? { ok: true as const, domain: withRootDisk(shaped.domain, disk) }
    : await withNewDisk(context.links, shaped.domain, { host, instance, migration: null, flavor: order.flavor })
  if (!made.ok) return failed(made.why)
  const tag = { instance, migration: null, settled: true, role: 'instance', claim, kept: null } as const
  await define(context, host, { domain: made.domain, tag }).catch(async (error: unknown) => {
    if (isRefusal(error) && !here) await deleteDisks(context, host, { instance, had: null }) // no definition names it
    throw error
  })
  const domain = await observe(context.links, host, instance)
  if (!domain) return failed('the domain vanished after it was defined')
  await start(context, host, domain)
  return DONE
}

/** Removes everything of the instance on the host. */
export async function destroy(context: LibvirtContext, { instance, host }: DestroyOrder): Promise<Answer> {
  const domain = await catchSilence(observe(context.links, host, instance))
  if (domain instanceof UntaggedDomain) return failed(domain.message)
  if (domain instanceof HostSilence) throw domain
  if (domain) await remove(context, host, domain)
  await deleteDisks(context, host, { instance, had: domain?.stored ?? null })
  return DONE
}

async function deleteDisks(
  { links }: LibvirtContext,
  host: HostId,
  { instance, had }: { readonly instance: InstanceId; readonly had: XmlElement | null },
): Promise<void> {
  await deleteVolumes(links, host, await leftVolumes(links, host, { instance, keep: [], had: [had] }))
}
