import type { HostId } from '../../../engine/words/ids'
import type { DriverOperation } from '../../driver'
import { type DomainRecord, updateDomainRecord } from '../domain-record'
import { HostSilence } from '../host-links'
import { hasGuest, type ObservedSides, observe, observedStateOf, silenceOf } from '../observation'
import type { LibvirtContext } from '../operation'
import { deleteVolumes, leftVolumes, storedTree } from './disks'
import { volumeName } from './volume'

// The disks that a migration leaves behind. A disk is deleted only when its domain was observed with another one, or
// never reached it: after any failure the only copy stays.

interface CleanedSide {
  readonly host: HostId
  readonly sides: ObservedSides
  readonly record: DomainRecord
}

/** The copy on a target that the domain did not reach. Its source still has the disk. */
export async function cleanCopy(
  { links, memory }: LibvirtContext,
  { instance, migration, source, reach }: DriverOperation,
  { host, sides }: CleanedSide,
): Promise<void> {
  const { source: home, observedState } = sides
  // The definition stored since the preparation is the target's.
  if (home) await updateDomainRecord(memory, instance, (record) => ({ ...record, xml: home.storedXml }))
  const copied = (await leftVolumes(links, host, { instance, keep: [home?.stored ?? null], had: [] })).filter(
    ({ name }) => name === volumeName(instance, migration),
  )
  if (copied.length === 0) return
  // A source that is off for good is not queried: the domain never ran on a paused target, so its disk is incomplete.
  const neverArrived = observedState.target === 'shell' || observedState.target === 'absent'
  if (hasGuest(observedState.source) || (!reach.source && neverArrived)) return deleteVolumes(links, host, copied)
  throw silenceOf(sides, source) ?? new HostSilence(host, ONLY_COPY)
}

const ONLY_COPY = 'the disk here may be the only copy'

/** The disk that the domain had before it left, once it is observed elsewhere with another one. */
export async function cleanDisk(
  { links }: LibvirtContext,
  { instance, target }: DriverOperation,
  { host, sides, record }: CleanedSide,
): Promise<void> {
  const [there, here] = [sides.target?.stored ?? null, sides.source?.stored ?? null]
  const keep = [there, storedTree(record.xml)]
  const left = await leftVolumes(links, host, { instance, keep, had: [here, there] })
  if (left.length === 0) return
  if (hasGuest(sides.observedState.target)) return deleteVolumes(links, host, left)
  const home = record.home === null || record.home === host ? null : await observe(links, record.home, instance)
  if (home === null || !hasGuest(observedStateOf(home)))
    throw silenceOf(sides, target) ?? new HostSilence(host, ONLY_COPY)
  await deleteVolumes(
    links,
    host,
    await leftVolumes(links, host, { instance, keep: [...keep, home.stored], had: [here] }),
  )
}
