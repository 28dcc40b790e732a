import { attributeOf, changeChild, childNamed, childrenNamed, element, replaceChildren, withAttributes } from './edit'
import type { XmlElement } from './tree'

// The root disk of a domain where it lies in a storage pool: its first disk of the type `volume`. In the XML of a machine
// its volume is the image; in a domain of Berth's it is a volume that Berth made. Source: libvirt formatdomain.html,
// "Hard drives, floppy disks, CDROMs".

export interface RootDisk {
  readonly pool: string
  readonly volume: string
  /** As the guest sees it: `vda`. */
  readonly target: string
}

const isDisk = (disk: XmlElement) => (attributeOf(disk, 'device') ?? 'disk') === 'disk'
const isVolume = (disk: XmlElement) => isDisk(disk) && attributeOf(disk, 'type') === 'volume'

const disksOf = (domain: XmlElement) =>
  childrenNamed(domain, 'devices').flatMap((devices) => childrenNamed(devices, 'disk'))

export function rootDiskOf(domain: XmlElement): RootDisk | null {
  const disk = disksOf(domain).find(isVolume) ?? null
  const source = childNamed(disk, 'source')
  const [pool, volume] = [attributeOf(source, 'pool'), attributeOf(source, 'volume')]
  const name = attributeOf(childNamed(disk, 'target'), 'dev')
  return pool === null || volume === null || name === null ? null : { pool, volume, target: name }
}

/** Whether it has other disks that its guest writes to. */
export const hasOtherDisks = (domain: XmlElement): boolean => {
  const root = disksOf(domain).find(isVolume)
  return disksOf(domain).some((disk) => disk !== root && isDisk(disk) && childrenNamed(disk, 'readonly').length === 0)
}

/**
 * Replaces the root disk by that volume. A running domain's report of the backing chain is omitted: it belongs to the
 * previous volume. Written zeros become holes, or a copy would take the whole size of the disk.
 */
export function withRootDisk(domain: XmlElement, { pool, volume }: Pick<RootDisk, 'pool' | 'volume'>): XmlElement {
  const root = disksOf(domain).find(isVolume)
  if (root === undefined) return domain
  const bare = replaceChildren(replaceChildren(root, ['backingStore'], []), ['mirror'], [])
  const driven = changeChild(bare, 'driver', (driver) =>
    withAttributes(driver, { name: 'qemu', type: 'qcow2', discard: 'unmap', detect_zeroes: 'unmap' }),
  )
  const disk = replaceChildren(driven, ['source'], [element('source', { pool, volume })])
  return {
    ...domain,
    children: domain.children.map((node) =>
      node.kind === 'element' && node.name === 'devices'
        ? { ...node, children: node.children.map((child) => (child === root ? disk : child)) }
        : node,
    ),
  }
}

/** With the network interfaces of another domain, whose addresses the guest's network knows. */
export function withInterfacesOf(domain: XmlElement, other: XmlElement): XmlElement {
  const devices = childrenNamed(other, 'devices').flatMap((each) => childrenNamed(each, 'interface'))
  // The other machine determines their bus addresses.
  const unplugged = devices.map((each) => replaceChildren(each, ['address', 'alias'], []))
  return changeChild(domain, 'devices', (own) => replaceChildren(own, ['interface'], unplugged))
}
