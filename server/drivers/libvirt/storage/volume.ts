import type { InstanceId, MigrationId } from '../../../engine/words/ids'
import { attributeOf, childNamed, element, textIn } from '../xml/edit'
import { buildXml, parseXmlTree } from '../xml/tree'

// The volumes that Berth creates in a pool. The name has the instance and the migration that created it, so a foreign
// volume is never mistaken for one of Berth's, and two copies of one disk never have the same name. Source: libvirt
// formatstorage.html, "Storage volume XML".

/** `migration` null: it was created when the instance was built. */
export const volumeName = (instance: InstanceId, migration: MigrationId | null): string =>
  migration === null ? `berth-${instance}` : `berth-${instance}.${migration}`

export const isVolumeOf = (name: string, instance: InstanceId): boolean =>
  name === volumeName(instance, null) || name.startsWith(`${volumeName(instance, null)}.`)

export interface VolumePlan {
  readonly name: string
  readonly capacityBytes: number
  /** The image that backs the volume; null: none. */
  readonly backing: { readonly path: string; readonly format: string } | null
}

export function volumeXmlOf({ name, capacityBytes, backing }: VolumePlan): string {
  const format = (type: string) => element('format', { type })
  return buildXml(
    element(
      'volume',
      {},
      element('name', {}, name),
      element('capacity', { unit: 'bytes' }, `${capacityBytes}`),
      element('target', {}, format('qcow2'), element('compat', {}, '1.1')), // an older one has no zeroed clusters
      ...(backing ? [element('backingStore', {}, element('path', {}, backing.path), format(backing.format))] : []),
    ),
  )
}

export interface Volume {
  readonly path: string
  readonly format: string
  readonly capacityBytes: number
}

/** Null when the XML is not a daemon's. */
export function readVolume(xml: string): Volume | null {
  const parsed = parseXmlTree(xml)
  if (!parsed.ok) return null
  const target = childNamed(parsed.root, 'target')
  const path = textIn(childNamed(target, 'path'))
  const format = attributeOf(childNamed(target, 'format'), 'type')
  const capacity = childNamed(parsed.root, 'capacity')
  const capacityBytes = Number(textIn(capacity))
  const isCounted =
    Number.isSafeInteger(capacityBytes) && capacityBytes > 0 && attributeOf(capacity, 'unit') === 'bytes'
  return path === '' || format === null || !isCounted ? null : { path, format, capacityBytes }
}
