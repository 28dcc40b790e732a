import type { ClaimBody } from '../../../engine/host'
import type { InstanceId, MigrationId } from '../../../engine/words/ids'
import { attributeOf, changeChild, childNamed, element, replaceChildren, textIn } from './edit'
import type { XmlElement } from './tree'

// Berth's metadata in its domains, which libvirt stores and ignores. A domain without it is foreign and is never
// touched. Source: libvirt formatdomain.html, "General metadata".

export interface DomainTag {
  readonly instance: InstanceId
  /** The migration that brought it here; null when it was built here. */
  readonly migration: MigrationId | null
  /** The other side of that migration is cleaned up, so that this is not a leftover. */
  readonly settled: boolean
  /** shell: prepared by the migration, the guest has not arrived. */
  readonly role: 'instance' | 'shell'
  readonly claim: ClaimBody | null
  /** The definition before a resize on the same host, which has room for one of each uuid. */
  readonly kept: string | null
}

const NAMESPACE = 'urn:berth:instance:1'
const NAME = 'berth:instance'

export function tagDomain(
  domain: XmlElement,
  { instance, migration, settled, role, claim, kept }: DomainTag,
): XmlElement {
  const tag = element(
    NAME,
    {
      ...{ 'xmlns:berth': NAMESPACE, id: instance, role },
      ...(migration !== null && { migration, settled: settled ? 'yes' : 'no' }),
    },
    ...(claim === null ? [] : [element('berth:claim', {}, JSON.stringify(claim))]),
    ...(kept === null ? [] : [element('berth:kept', {}, kept)]),
  )
  return changeChild(domain, 'metadata', (metadata) => replaceChildren(metadata, [NAME], [tag]))
}

/** Null for a domain that is not Berth's, or whose tag is not of this version. */
export function readTag(domain: XmlElement): DomainTag | null {
  const tag = childNamed(childNamed(domain, 'metadata'), NAME)
  const instance = attributeOf(tag, 'id')
  const role = attributeOf(tag, 'role')
  if (tag === null || attributeOf(tag, 'xmlns:berth') !== NAMESPACE || instance === null) return null
  if (role !== 'instance' && role !== 'shell') return null
  return {
    instance: instance as InstanceId,
    migration: attributeOf(tag, 'migration') as MigrationId | null,
    settled: attributeOf(tag, 'settled') !== 'no',
    role,
    claim: readClaim(textIn(childNamed(tag, 'berth:claim'))),
    kept: textIn(childNamed(tag, 'berth:kept')) || null,
  }
}

/** A manually edited text that does not parse is no claim. */
function readClaim(text: string): ClaimBody | null {
  if (text === '') return null
  try {
    const claim = JSON.parse(text) as Partial<ClaimBody> | null
    const isClaim = Array.isArray(claim?.amounts) && Array.isArray(claim?.cells) && Array.isArray(claim?.units)
    return isClaim ? (claim as ClaimBody) : null
  } catch {
    return null
  }
}
