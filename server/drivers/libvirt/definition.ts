import type { ClaimBody } from '../../engine/host'
import type { HostId } from '../../engine/words/ids'
import type { DriverOperation, NewGuest } from '../driver'
import { remember } from './memory'
import type { ObservedDomain } from './observation'
import type { LibvirtContext } from './operation'
import { shapeDomain } from './xml/domain'
import { element, replaceChildren } from './xml/edit'
import { type EditedDomain, placeDomain } from './xml/placement'
import { type DomainTag, tagDomain } from './xml/tag'
import { buildXml, parseXmlTree, type XmlElement } from './xml/tree'

// What is defined at a host, and remembered, so that an evacuation can define it elsewhere.

/** Defines the tree with the tag, and remembers it. */
export async function define(
  { links, memory }: LibvirtContext,
  host: HostId,
  { domain, tag }: { readonly domain: XmlElement; readonly tag: DomainTag },
): Promise<void> {
  const xml = buildXml(tagDomain(domain, tag))
  await remember(memory, tag.instance, (record) => ({ ...record, xml }))
  await links.at(host, (connection) => connection.define(xml))
}

/** The stored definition with another tag; a domain that runs goes on. */
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

/** A new instance. Names need not be unique among instances, and are among the domains of a host. */
export function newDomain(machineXml: string, { instance, name, flavor, claim }: NewGuest): EditedDomain {
  const machine = treeOf(machineXml)
  if (!machine.ok) return machine
  const titled = replaceChildren(machine.domain, ['title'], [element('title', {}, name)])
  return shapeDomain(titled, { uuid: instance, name: `berth-${instance}`, flavor, claim })
}

/** The domain as it is to be at the target. */
export function movedDomain(before: XmlElement, { operation, flavor, claim, instance }: DriverOperation): EditedDomain {
  const body: ClaimBody = claim.target ?? { amounts: [], cells: [], units: [] }
  if (operation !== 'resize') return placeDomain(before, body)
  const name = before.children.find((node) => node.kind === 'element' && node.name === 'name')
  const text = name?.kind === 'element' ? name.children.map((node) => ('text' in node ? node.text : '')).join('') : ''
  return shapeDomain(before, { uuid: instance, name: text.trim(), flavor: flavor.target, claim: body })
}
