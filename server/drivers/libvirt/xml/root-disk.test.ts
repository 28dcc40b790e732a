import { describe, expect, it } from 'vitest'
import { childNamed, childrenNamed } from './edit'
import { hasOtherDisks, rootDiskOf, withInterfacesOf, withRootDisk } from './root-disk'
import { buildXml, parseXmlTree, type XmlElement } from './tree'

const tree = (xml: string): XmlElement => {
  const parsed = parseXmlTree(xml)
  if (!parsed.ok) throw new Error(parsed.why)
  return parsed.root
}

const CDROM = `<disk type='volume' device='cdrom'><source pool='isos' volume='a.iso'/><target dev='sda'/><readonly/></disk>`
const ROOT = `<disk type='volume' device='disk'><driver name='qemu' type='raw' cache='none'/><source pool='old' volume='img' mode='host'/>
  <backingStore type='file'><source file='/x'/></backingStore><target dev='vda' bus='virtio'/><serial>7</serial></disk>`
const MORE = `<disk type='file' device='disk'><source file='/data'/><target dev='vdb'/></disk>`
const domain = (...devices: readonly string[]) =>
  tree(`<domain><name>x</name><devices>${devices.join('')}</devices></domain>`)

describe('the root disk of a domain', () => {
  it('is the first disk in a pool, but no CD and no disk of another type', () => {
    expect(rootDiskOf(domain(CDROM, MORE, ROOT))).toEqual({ pool: 'old', volume: 'img', target: 'vda' })
    expect(rootDiskOf(domain(CDROM, MORE))).toBeNull()
    expect([domain(CDROM, ROOT), domain(ROOT, MORE)].map(hasOtherDisks)).toEqual([false, true])
  })

  it('changes its volume without the old backing chain, and keeps its guest address', () => {
    const changed = withRootDisk(domain(CDROM, ROOT, MORE), { pool: 'vms', volume: 'berth-1' })
    const [cdrom, root, more] = childrenNamed(childNamed(changed, 'devices'), 'disk').map((disk) =>
      buildXml(disk).replaceAll(/>\s+</g, '><'),
    )
    expect(root).toBe(
      '<disk type="volume" device="disk"><driver name="qemu" type="qcow2" cache="none" discard="unmap" detect_zeroes="unmap"/>' +
        '<source pool="vms" volume="berth-1"/><target dev="vda" bus="virtio"/><serial>7</serial></disk>',
    )
    expect([cdrom, more]).toEqual([CDROM, MORE].map((each) => buildXml(tree(each))))
  })

  it('is not invented for a domain without one', () => {
    expect(buildXml(withRootDisk(domain(MORE), { pool: 'vms', volume: 'v' }))).toBe(buildXml(domain(MORE)))
  })
})

it('a rebuilt domain keeps the network interfaces of the old one, without their slots', () => {
  const old = domain(
    `<interface type='network'><mac address='52:54:00:00:00:01'/><address type='pci' slot='0x03'/></interface>`,
  )
  const machine = domain(`<interface type='network'><source network='default'/></interface>`, ROOT)
  expect(buildXml(withInterfacesOf(machine, old))).toContain(
    '<interface type="network"><mac address="52:54:00:00:00:01"/></interface>',
  )
  expect(buildXml(withInterfacesOf(machine, old))).not.toContain('default')
})
