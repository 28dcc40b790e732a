import type { ClaimBody } from '../../engine/host'
import type { HostId } from '../../engine/words/ids'
import type { BuildOrder, DriverOperation } from '../driver'
import { updateDomainRecord } from './domain-record'
import type { ObservedDomain } from './observation'
import type { LibvirtContext } from './operation'
import { ownDiskOf, withArrivingDisk, withNewDisk } from './storage/disks'
import { shapeDomain } from './xml/domain'
import { childNamed, element, replaceChildren, textIn } from './xml/edit'
import { type EditedDomain, placeDomain } from './xml/placement'
import { hasOtherDisks, rootDiskOf, withInterfacesOf } from './xml/root-disk'
import { type DomainTag, tagDomain } from './xml/tag'
import { buildXml, parseXmlTree, type XmlElement } from './xml/tree'

// Domain definitions on a host, and their stored copies, from which an evacuation can define them elsewhere.

/** Defines the tree with the tag, and stores it. */
export async function define(
  { links, memory, checkFence }: LibvirtContext,
  host: HostId,
  { domain, tag }: { readonly domain: XmlElement; readonly tag: DomainTag },
): Promise<void> {
  await checkFence?.()
  const xml = buildXml(tagDomain(domain, tag))
  await updateDomainRecord(memory, tag.instance, (record) => ({ ...record, xml }))
  await links.at(host, (connection) => connection.define(xml))
}

/** The stored definition with another tag; a running domain is not affected. */
export async function retag(
  context: LibvirtContext,
  host: HostId,
  { domain, ...change }: { readonly domain: ObservedDomain } & Partial<DomainTag>,
): Promise<void> {
  const tag = { ...domain.tag, ...change }
  if (JSON.stringify(tag) === JSON.stringify(domain.tag)) return
  await define(context, host, { domain: domain.stored, tag })
}

export const treeOf = (xml: string): EditedDomain => {
  const parsed = parseXmlTree(xml)
  return parsed.ok ? { ok: true, domain: parsed.root } : parsed
}

/** A new instance. Names need not be unique among instances, but must be among the domains of a host. */
export function newDomain(
  machine: XmlElement,
  { instance, name, flavor, claim }: Pick<BuildOrder, 'instance' | 'name' | 'flavor' | 'claim'>,
): EditedDomain {
  const titled = replaceChildren(machine, ['title'], [element('title', {}, name)])
  return shapeDomain(titled, { uuid: instance, name: `berth-${instance}`, flavor, claim })
}

const NO_CLAIM: ClaimBody = { amounts: [], cells: [], units: [] }

/** The domain for the target. */
export function targetDomain(
  before: XmlElement,
  { operation, flavor, claim, instance }: DriverOperation,
): EditedDomain {
  const body = claim.target ?? NO_CLAIM
  if (operation !== 'resize') return placeDomain(before, body)
  const name = textIn(childNamed(before, 'name'))
  return shapeDomain(before, { uuid: instance, name, flavor: flavor.target, claim: body })
}

/** The definition that `prepare` makes at the target, after creating its disk there. */
export async function preparedDomain(
  context: LibvirtContext,
  driverOperation: DriverOperation,
  before: string,
): Promise<EditedDomain> {
  const { operation, source, target, instance, flavor, migration, storage } = driverOperation
  const tree = treeOf(before)
  if (!tree.ok || target === null) return tree
  if (operation === 'rebuild') return rebuiltDomain(context, driverOperation, tree.domain)
  const resized = operation === 'resize' && flavor.source.diskGib !== flavor.target.diskGib
  if (resized && ownDiskOf(tree.domain, instance) !== null)
    return { ok: false, why: 'a resize of the disk is not available on libvirt hosts yet' }
  const moved = targetDomain(tree.domain, driverOperation)
  if (!moved.ok || source === target) return moved
  const copy = operation === 'live-migrate' && storage === 'block'
  return withArrivingDisk(context.links, moved.domain, { instance, migration, source, target, copy })
}

/** The image's machine again, with a new disk. Its network interfaces stay: other machines know their addresses. */
async function rebuiltDomain(
  context: LibvirtContext,
  { instance, migration, name, image, flavor, claim, target }: DriverOperation,
  before: XmlElement,
): Promise<EditedDomain> {
  const machine = await machineOf(context, image.target.name)
  if (!machine.ok || target === null) return machine
  const { pool } = await context.links.hostOf(target)
  if (hasOtherDisks(machine.domain) || (pool === null && rootDiskOf(machine.domain) !== null))
    return { ok: false, why: 'it has a disk that Berth did not create, which a rebuild would not reset' }
  const shape = { instance, name, flavor: flavor.target, claim: claim.target ?? NO_CLAIM }
  const shaped = newDomain(withInterfacesOf(machine.domain, before), shape)
  return shaped.ok
    ? withNewDisk(context.links, shaped.domain, { host: target, instance, migration, flavor: flavor.target })
    : shaped
}

/** The machine of an image. */
export async function machineOf({ machineXml }: LibvirtContext, image: string): Promise<EditedDomain> {
  const machine = await machineXml(image)
  return machine === null ? { ok: false, why: `no domain definition exists for the image ${image}` } : treeOf(machine)
}
