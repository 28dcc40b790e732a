import type { Flavor } from '../../../engine/demand'
import type { HostId, InstanceId, MigrationId } from '../../../engine/words/ids'
import type { HypervisorConnection } from '../connection'
import type { HostLinks } from '../host-links'
import type { EditedDomain } from '../xml/placement'
import { type RootDisk, rootDiskOf, withRootDisk } from '../xml/root-disk'
import { parseXmlTree, type XmlElement } from '../xml/tree'
import { isVolumeOf, readVolume, type Volume, type VolumePlan, volumeName, volumeXmlOf } from './volume'

// The root disks that Berth creates: a volume backed by an image when an instance is built or rebuilt, and an empty one
// of the same size that a live migration copies into. A volume is created before a definition names it, and deleted
// after none does, so a crash in between leaves a volume that the next attempt finds by its name.

const GIB = 1024 ** 3

const unmade = (why: string): EditedDomain => ({ ok: false, why })

/** The root disk of the domain where Berth made it. */
export function ownDiskOf(domain: XmlElement, instance: InstanceId): RootDisk | null {
  const disk = rootDiskOf(domain)
  return disk !== null && isVolumeOf(disk.volume, instance) ? disk : null
}

export interface NewDisk {
  readonly host: HostId
  readonly instance: InstanceId
  /** Null: the instance is built. */
  readonly migration: MigrationId | null
  readonly flavor: Flavor
}

/** The machine with a new root disk backed by its image; unchanged where Berth creates no disks. */
export async function withNewDisk(links: HostLinks, machine: XmlElement, disk: NewDisk): Promise<EditedDomain> {
  const { host, instance, migration, flavor } = disk
  const { pool } = await links.hostOf(host)
  const image = rootDiskOf(machine)
  if (pool === null || image === null) return { ok: true, domain: machine }
  return links.at(host, async (connection) => {
    const found = await volumeOf(connection, pool, image.volume)
    if (found === null) return unmade(`the pool ${pool} has no volume ${image.volume} to base the disk on`)
    const capacityBytes = flavor.diskGib === 0 ? found.capacityBytes : flavor.diskGib * GIB
    if (capacityBytes < found.capacityBytes)
      return unmade(
        `the image needs a disk of ${Math.ceil(found.capacityBytes / GIB)} GiB, and the flavor has ${flavor.diskGib}`,
      )
    const name = volumeName(instance, migration)
    await recreateVolume(connection, pool, { name, capacityBytes, backing: found })
    return { ok: true, domain: withRootDisk(machine, { pool, volume: name }) }
  })
}

/** Refreshes the pool for an unknown volume: the operator may have added it. */
async function volumeOf(connection: HypervisorConnection, pool: string, name: string): Promise<Volume | null> {
  const known = await connection.volumeXml(pool, name)
  if (known !== null) return readVolume(known)
  await connection.refreshPool(pool)
  const found = await connection.volumeXml(pool, name)
  return found === null ? null : readVolume(found)
}

/** Only before a definition names it: an existing one of that name is left from an earlier attempt. */
async function recreateVolume(connection: HypervisorConnection, pool: string, plan: VolumePlan): Promise<void> {
  if ((await connection.volumeXml(pool, plan.name)) !== null) await connection.deleteVolume(pool, plan.name)
  await connection.createVolume(pool, volumeXmlOf(plan))
}

export interface Arrival {
  readonly instance: InstanceId
  readonly migration: MigrationId
  readonly source: HostId | null
  readonly target: HostId
  /** A live migration copies the disk; otherwise the target has to find it. */
  readonly copy: boolean
}

/** The domain with its root disk at the target. */
export async function withArrivingDisk(links: HostLinks, domain: XmlElement, arrival: Arrival): Promise<EditedDomain> {
  const { instance, migration, source, target, copy } = arrival
  const own = ownDiskOf(domain, instance)
  if (own === null) return { ok: true, domain }
  const { pool } = await links.hostOf(target)
  if (pool === null) return unmade('no storage pool is set up on the target')
  const isThere = await links.at(target, async (connection) => (await volumeOf(connection, pool, own.volume)) !== null)
  if (!copy) {
    if (isThere) return { ok: true, domain: withRootDisk(domain, { pool, volume: own.volume }) }
    return unmade(`the disk of the domain is in the pool ${own.pool} of its host, and the target does not share it`)
  }
  if (isThere) return unmade('block migration cannot be used with shared storage')
  const copied =
    source === null ? null : await links.at(source, (connection) => volumeOf(connection, own.pool, own.volume))
  if (copied === null) return unmade('the source has no such disk')
  const name = volumeName(instance, migration)
  const { capacityBytes } = copied
  await links.at(target, (connection) => recreateVolume(connection, pool, { name, capacityBytes, backing: null }))
  return { ok: true, domain: withRootDisk(domain, { pool, volume: name }) }
}

/** Possible volumes of an instance on a host, and which of them stay. */
export interface Leftovers {
  readonly instance: InstanceId
  /** Definitions whose disks are in use. */
  readonly keep: readonly (XmlElement | null)[]
  /** Definitions that had disks there: their pool may differ from the present one. */
  readonly had: readonly (XmlElement | null)[]
}

interface NamedVolume {
  readonly pool: string
  readonly name: string
}

/** The instance's volumes at the host that no definition to keep names. */
export async function leftVolumes(
  links: HostLinks,
  host: HostId,
  { instance, keep, had }: Leftovers,
): Promise<readonly NamedVolume[]> {
  const { pool: own } = await links.hostOf(host)
  const disks = had.flatMap((domain) => (domain === null ? [] : (ownDiskOf(domain, instance) ?? [])))
  const pools = new Set([...(own === null ? [] : [own]), ...disks.map(({ pool }) => pool)])
  const kept = new Set(keep.flatMap((domain) => (domain === null ? [] : (rootDiskOf(domain)?.volume ?? []))))
  const found: NamedVolume[] = []
  for (const pool of pools)
    for (const name of await links.at(host, (connection) => connection.volumes(pool)))
      if (isVolumeOf(name, instance) && !kept.has(name)) found.push({ pool, name })
  return found
}

export async function deleteVolumes(links: HostLinks, host: HostId, volumes: readonly NamedVolume[]): Promise<void> {
  for (const { pool, name } of volumes) await links.at(host, (connection) => connection.deleteVolume(pool, name))
}

export function storedTree(xml: string | null): XmlElement | null {
  const parsed = xml === null ? null : parseXmlTree(xml)
  return parsed?.ok ? parsed.root : null
}
