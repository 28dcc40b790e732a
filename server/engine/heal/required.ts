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
export function requiredOf(instance: Instance, move: Migration | null, home: HostId | null): readonly RequiredClaim[] {
  if (move === null) return wants(instance.id, 'instance', { host: home, of: instance })
  const old = { flavor: move.oldFlavor, image: move.oldImage }
  const next = { flavor: move.newFlavor, image: move.newImage }
  if (move.step === 'claim') return wants(instance.id, 'instance', { host: move.source, of: instance })
  const forward = move.direction === 'target'
  const [mine, its] = forward ? [next, old] : [old, next]
  if (move.keepsClaim) return wants(instance.id, 'instance', { host: move.source, of: mine })
  return [
    ...wants(instance.id, 'instance', { host: move[move.direction], of: mine }),
    ...wants(move.id, 'migration', { host: move[otherSide(move.direction)], of: its, kept: move.kept }),
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
