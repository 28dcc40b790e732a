import type { ClaimBody } from '../../engine/host'
import type { HostId, InstanceId } from '../../engine/words/ids'
import type { UnitKind, UnitName } from '../../engine/words/units'
import type { SurveyedDevice } from '../driver'
import { type Copy, type HostRecord, hostIn, type Scene } from './record'

// The devices that a simulated host reports. It refuses devices that it lacks or that are attached to another domain.

/** The assignable units of a machine as imported, whatever their present state. */
export type Hardware = readonly { readonly unit: UnitName; readonly kind: UnitKind }[]

/** Kernel driver of a device while it is attached; a namespace is attached as memory and has none. */
const BOUND: Readonly<Record<UnitKind, string | null>> = { cpu: null, pci: 'vfio-pci', vgpu: 'vfio_mdev', vpmem: null }

export interface CopyHere extends Pick<Copy, 'is' | 'claim'> {
  readonly instance: InstanceId
}

export function devicesShown(record: HostRecord, hardware: Hardware, copies: readonly CopyHere[]): SurveyedDevice[] {
  const missing = new Set(record.missing)
  const attached = attachments(record, copies)
  return hardware
    .filter(({ unit, kind }) => kind !== 'cpu' && !missing.has(unit))
    .map(({ unit, kind }) => {
      const attachedTo = attached.get(unit) ?? null
      return { unit, driver: attachedTo === null ? null : BOUND[kind], attachedTo }
    })
}

/** A domain has its devices from its preparation until it is shut off; those in `keptAttached` stay longer. */
export function attachments(record: HostRecord, copies: readonly CopyHere[]): ReadonlyMap<UnitName, InstanceId> {
  const attached = new Map<UnitName, InstanceId>()
  for (const { is, claim, instance } of copies) {
    if (is !== 'running' && is !== 'shell') continue
    for (const unit of devicesIn(claim)) attached.set(unit, instance)
  }
  for (const { unit, instance } of record.keptAttached ?? []) attached.set(unit, instance)
  return attached
}

/** Why a host cannot give a domain the devices of its claim; null when it can. */
export function deviceTrouble(scene: Scene, host: HostId, claim: ClaimBody | null): string | null {
  const { missing = [], keptAttached = [] } = hostIn(scene, host)
  for (const unit of devicesIn(claim)) {
    if (missing.includes(unit)) return `the host has no device ${unit}`
    const other = keptAttached.find((each) => each.unit === unit && each.instance !== scene.record.instance)
    if (other) return `device ${unit} is in use by the domain ${other.instance}`
  }
  return null
}

const devicesIn = (claim: ClaimBody | null): readonly UnitName[] =>
  (claim?.units ?? []).flatMap(({ unit, use }) => (use === 'device' ? [unit] : []))
