import type { Instance } from '../change'
import type { Holding } from '../host'
import type { Migration } from '../migration/state'
import type { Amount } from '../resources/inventory'
import type { ConsumerId, HostId } from '../words/ids'
import { otherSide } from '../words/side'

// What each consumer has to hold for an instance, by L1 and L3. The audit checks the records against the same.

export interface RequiredClaim {
  readonly consumer: ConsumerId
  readonly consumerKind: Holding['consumerKind']
  readonly host: HostId
  readonly spec: Pick<Instance, 'flavor' | 'image'>
  /** For a migration: what the instance keeps at shared storage, so that this side does not hold it. */
  readonly keptAmounts: readonly Amount[]
}

/** `home` is the instance's host; an active migration itself determines which hosts are held. */
export function requiredOf(
  instance: Instance,
  migration: Migration | null,
  home: HostId | null,
): readonly RequiredClaim[] {
  if (migration === null) return wants(instance.id, 'instance', { host: home, of: instance })
  const old = { flavor: migration.oldFlavor, image: migration.oldImage }
  const next = { flavor: migration.newFlavor, image: migration.newImage }
  if (migration.step === 'claim') return wants(instance.id, 'instance', { host: migration.source, of: instance })
  const forward = migration.direction === 'target'
  const [mine, its] = forward ? [next, old] : [old, next]
  if (migration.keepsClaim) return wants(instance.id, 'instance', { host: migration.source, of: mine })
  return [
    ...wants(instance.id, 'instance', { host: migration[migration.direction], of: mine }),
    ...wants(migration.id, 'migration', {
      host: migration[otherSide(migration.direction)],
      of: its,
      kept: migration.kept,
    }),
  ]
}

interface Share {
  readonly host: HostId | null
  readonly of: RequiredClaim['spec']
  readonly kept?: RequiredClaim['keptAmounts']
}

const wants = (
  consumer: ConsumerId,
  consumerKind: RequiredClaim['consumerKind'],
  { host, of, kept = [] }: Share,
): readonly RequiredClaim[] => (host === null ? [] : [{ consumer, consumerKind, host, spec: of, keptAmounts: kept }])
