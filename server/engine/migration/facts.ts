import type { Disproof } from '../proof/disproof'
import type { Amount } from '../resources/inventory'
import type { StorageUsed } from '../storage/storage'
import type { HostId } from '../words/ids'
import type { HostRefusals } from '../words/refusal'
import type { Progress, Step } from './state'

// Observed facts. Besides requested actions only facts advance a migration, and they override requested actions (L5).

export type Fact =
  // claim
  | { readonly is: 'no-slot'; readonly place: number }
  /** `keptAmounts` and `storage` of the claim's plan; omitted for a claim that is kept unchanged. */
  | {
      readonly is: 'claimed'
      readonly target: HostId
      readonly keptAmounts?: readonly Amount[]
      readonly storage?: StorageUsed | null
    }
  /** No host accepts the claim, each with its reasons. */
  /** `asked` hosts refused; `hosts` are the closest to accepting: the reasons of a whole fleet would be too many. */
  | { readonly is: 'refused'; readonly hosts: readonly HostRefusals[]; readonly asked: number }
  /** Concurrent claims won on every host that was tried. */
  | { readonly is: 'lost-race'; readonly tried: readonly HostId[]; readonly why: string }
  // every step with an action
  /** The action of that step made its postcondition true. For another step it is late and changes nothing. */
  /** `progress`: the final statistics of a transfer, because the last ones during it lack the downtime. */
  | { readonly is: 'done'; readonly step: Step; readonly progress?: Progress }
  | { readonly is: 'failed'; readonly step: Step; readonly why: string }
  /** No answer, or the host is down: it may or may not have happened. */
  | { readonly is: 'silent'; readonly host: HostId; readonly why: string }
  /** A precondition of the action does not hold (`engine/proof`): nothing was done. */
  | ({ readonly is: 'disproved' } & Disproof)
  // transfer
  | { readonly is: 'moving'; readonly progress: Progress; readonly handedOver: boolean }
  | { readonly is: 'stopped' }
  | { readonly is: 'forced' }
  // switch
  /** Rolling back, but the instance is on the target and cannot return. */
  | { readonly is: 'no-way-back'; readonly why: string }
  // verify, release
  /** The host that the instance was switched to never returns, and the source still has the whole instance. */
  | { readonly is: 'lost'; readonly why: string }
  // verify, and requested actions without a driver operation
  | { readonly is: 'action-accepted' }
  | { readonly is: 'window-over' }
  | { readonly is: 'undecided' }
